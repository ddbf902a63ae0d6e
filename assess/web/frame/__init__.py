"""The frame of the pages of researchers and instructors: the sidebar, its counts, the search box and the keys."""
