"""What practice and hidden checks mean for the queue of an assessor."""
