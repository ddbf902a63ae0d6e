"""Files that stand for a judge or a gold: `NAME=FILE`, or `FILE`, which is then named after the file."""

from pathlib import Path

from pooling.paths import name_of


def named(files: list[str], what: str, names_needed: bool = False) -> dict[str, str]:
    """The paths by name, in the order of the arguments.

    Parameters
    ----------
    files : list of str
        "NAME=FILE" or "FILE". An existing file whose path contains "=" is a file, not a name and a file.
    what : str
        What each file is, for the errors.
    names_needed : bool, optional
        Refuse a file without a name.

    Returns
    -------
    dict of str to str

    Raises
    ------
    ValueError
        A name or a path is empty, or two files have the same name.
    """
    paths: dict[str, str] = {}
    for text in files:
        name, path = _parts(text, what, names_needed)
        if name in paths:
            raise ValueError(f"Two files have the name {name!r}. Write {what} as NAME=FILE with different names.")
        paths[name] = path
    return paths


def _parts(text: str, what: str, names_needed: bool) -> tuple[str, str]:
    name, sign, path = text.partition("=")
    if not names_needed and (not sign or Path(text).exists()):
        return name_of(text), text
    if not (name and path):
        raise ValueError(f"{what} must be NAME=FILE, such as nist=a.qrels, not {text!r}.")
    return name, path
