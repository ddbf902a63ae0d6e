"""Continuous active learning: a text classifier proposes documents of the whole collection while people judge.

`begin` starts it. `train` trains the next model of a topic, in a worker, after each batch of judgements; `due` finds
out when. `propose` lets claims take the documents that the latest model ranks first, and adds them to the pool: it only
reads the model's ranking, so nobody waits for a training. `spares` keeps a document to claim in the pool of each topic.
`replay` repeats all trainings and compares.
"""
