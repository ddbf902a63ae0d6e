"""Judgements as other programs export them: Argilla, doccano, Label Studio, OpenSearch, Potato, Prodigy, Quepid."""
