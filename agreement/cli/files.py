"""Files that stand for a judge or a gold: `NAME=FILE`, or the file alone, which is then named after itself."""

from pathlib import Path

ENDINGS = (".gz", ".bz2", ".xz", ".qrels", ".qrel", ".txt")


def named(files: list[str], what: str, names_needed: bool = False) -> dict[str, str]:
    """The files by name, in the order given.

    Parameters
    ----------
    files : list of str
        "NAME=FILE" or "FILE"; a file with "=" in its path that exists is a file.
    what : str
        What each of them is, for the errors.
    names_needed : bool
        Refuse a file without a name.

    Raises
    ------
    ValueError
        A name or file is empty, or two files have the same name.
    """
    found = {}
    for text in files:
        name, path = _parts(text, what, names_needed)
        if name in found:
            raise ValueError(f"two files have one name, {name!r} twice: give {what} as NAME=FILE")
        found[name] = path
    return found


def name_of(path: str) -> str:
    """What a file is called without its folder and its endings: "a" for "x/a.qrels.gz"."""
    name = Path(path).name
    for ending in ENDINGS:
        name = name.removesuffix(ending) or name
    return name


def _parts(text: str, what: str, names_needed: bool) -> tuple[str, str]:
    name, sign, path = text.partition("=")
    if not names_needed and (not sign or Path(text).exists()):
        return name_of(text), text
    if not (name and path):
        raise ValueError(f"{what} is NAME=FILE, such as nist=a.qrels; got {text!r}")
    return name, path
