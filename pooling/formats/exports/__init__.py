"""Judgements as annotation programs export them: doccano, Label Studio, Quepid, OpenSearch."""
