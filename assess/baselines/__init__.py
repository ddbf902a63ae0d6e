"""Baseline runs: BM25, query likelihood and tf-idf cosine, computed from the imported documents.

They let a collection that has documents and topics, but no systems, have a pool. `words` states what the tokens are,
and `systems` the formulas. Term counts are kept on disk, so that the memory needed grows with the vocabulary and not
with the texts.
"""
