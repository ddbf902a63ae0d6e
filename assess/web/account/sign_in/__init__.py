"""Pages on which people prove who they are: name and password, codes, resets, and an OpenID provider."""
