"""What a lesson adds to judging: the topics of a new exercise, the practice document, and the poll."""
