"""Write the pairs of a pool for other programs: JSONL, TSV, UMBRELA, doccano, and the layout of teaching-ir.

Nothing of a run is written: no system, no rank and no score. The caller of a writer gives the pairs in an order that
says nothing of ranks. The pairs of a topic follow each other.
"""
