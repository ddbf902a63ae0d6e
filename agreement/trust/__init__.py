"""Can a model judge replace people, for the ranking of these systems?"""
