"""The reveal: what a class sees of its own judgements, one step after the other.

Each step has a module with two functions:

    figures(data, query)        the figures on the instructor's screen
    own_figures(data, seat)     one student's own figures, for that student's device

Both raise Refused, with a sentence, if there is nothing to show. `steps` lists the steps and `reveal` shows them. The
modules of the steps load pandas, so `reveal` imports them only when figures are needed.
"""
