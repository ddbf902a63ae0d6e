"""The pages of the work: assign, monitor, reassign and remind, pilot."""
