"""The question after a relevant grade: does the document add to the relevant ones seen before?"""
