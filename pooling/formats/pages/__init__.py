"""Documents that are pages: single files, folders and archives of them, and web archives."""
