"""Random samples of the documents of topics, from which recall is estimated.

`draw` draws them and puts their documents into the pool, where assessors judge them like others. `drawn` reads them.
`entered` tells which documents nothing but a sample brought into the pool, and when a review reached them by itself.
"""
