"""A collection that lives on: new runs, their unjudged documents, and one step that has them judged."""
