"""What all figures share: the check of their input, pages, rows and styles."""
