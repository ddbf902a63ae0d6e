"""The demo's documents, read from the running Python: nothing of Python's text is stored in this repository.

Two kinds of document, told apart by the doc_id:

- ``topic:with``      a chapter of the language reference, as ``help("with")`` shows it;
- ``lib:json.dumps``  the docstring of a module, class, function or method of the standard library, below its
  signature where Python knows one. Methods of built-in types are ``lib:list.pop``, without ``builtins``.

``documents()`` yields ``(doc_id, title, text)``, chapters first, each kind in the order of the doc_ids. The
same Python yields the same documents; another version has a few more or fewer, and other words in some.

Left out: names that begin with an underscore, docstrings that a class merely inherits, docstrings of fewer
than ``MIN_CHARACTERS``, and what ``LEFT_OUT`` and ``WITHOUT_METHODS`` name. The modules are named below one
by one; all of them come with Python on Linux, macOS and Windows, and importing them changes nothing. Under
``python -OO`` there are no docstrings, and only the chapters are found.
"""

import importlib
import inspect
import re
from collections.abc import Iterator
from itertools import takewhile

MIN_CHARACTERS = 25

Document = tuple[str, str, str]

LEFT_OUT = frozenset(
    {
        # Hundreds of paragraphs each, which smaller chapters and lib: documents say again.
        *("topic:compound", "topic:specialnames", "topic:string-methods", "topic:types"),
        # The manual of a program.
        "topic:debugger",
        # A line in one version of Python, pages in another; and a signature without a word.
        *("lib:decimal", "lib:decimal.DecimalTuple"),
        # Other code may put its own in their place.
        *("lib:threading.excepthook", "lib:warnings.showwarning"),
        # Second names of another document.
        *("topic:else", "lib:EnvironmentError", "lib:IOError", "lib:array.ArrayType"),
        *("lib:io.open", "lib:io.BlockingIOError", "lib:threading.ThreadError"),
        *("lib:secrets.SystemRandom", "lib:secrets.choice", "lib:secrets.randbits"),
    }
)

# Classes whose methods repeat, in nearly the same words, those of another class or their module's functions.
WITHOUT_METHODS = frozenset(
    {
        *("array.ArrayType", "bytearray", "bytes", "calendar.HTMLCalendar"),
        *("calendar.TextCalendar", "decimal.Context", "frozenset", "hashlib.blake2b"),
        *("hashlib.blake2s", "io.BytesIO", "io.FileIO", "io.StringIO", "memoryview"),
        *("queue.SimpleQueue", "random.Random", "random.SystemRandom", "secrets.SystemRandom"),
    }
)

MODULES = (
    *("argparse", "array", "base64", "bisect", "builtins", "calendar", "collections"),
    *("configparser", "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal", "difflib"),
    *("enum", "fileinput", "fnmatch", "fractions", "functools", "glob", "gzip", "hashlib", "heapq"),
    *("html", "io", "itertools", "json", "linecache", "logging", "math", "operator", "os"),
    *("os.path", "pathlib", "pickle", "pprint", "queue", "random", "re", "secrets", "shelve"),
    *("shlex", "shutil", "statistics", "string", "struct", "subprocess", "tempfile", "textwrap"),
    *("threading", "time", "timeit", "traceback", "urllib.parse", "uuid", "warnings", "weakref"),
    "zipfile",
)

# Modules of which only these names are documents: the others differ from platform to platform.
CHOSEN_NAMES = {
    "os": (
        *("access", "chdir", "cpu_count", "fspath", "fwalk", "getcwd", "getenv", "listdir"),
        *("makedirs", "mkdir", "popen", "remove", "removedirs", "rename", "renames", "replace"),
        *("rmdir", "scandir", "stat", "system", "unlink", "urandom", "utime", "walk"),
    ),
    "os.path": (
        *("abspath", "basename", "commonpath", "commonprefix", "dirname", "exists", "expanduser"),
        *("expandvars", "getmtime", "getsize", "isabs", "isdir", "isfile", "islink", "join"),
        *("lexists", "normpath", "realpath", "relpath", "samefile", "split", "splitext"),
    ),
    "time": (
        *("asctime", "ctime", "get_clock_info", "gmtime", "localtime", "mktime", "monotonic"),
        *("perf_counter", "process_time", "sleep", "strftime", "strptime", "struct_time", "time"),
        "time_ns",
    ),
}

# os.path is another module on Windows, with fewer docstrings; this one exists everywhere.
IMPORTED_AS = {"os.path": "posixpath"}

# Put there by the site module for interactive use, or on one platform only.
NOT_BUILT_IN = frozenset({"WindowsError", "copyright", "credits", "exit", "help", "license", "quit"})

_ADDRESS = re.compile(r"<[^<>]* at 0x[0-9A-Fa-f]+>")


def documents() -> Iterator[Document]:
    """Every document of the running Python, in a fixed order."""
    for candidates in (_chapters(), _library()):
        yield from sorted(document for document in candidates if document[0] not in LEFT_OUT)


def _chapters() -> Iterator[Document]:
    from pydoc_data.topics import topics

    for name, text in topics.items():
        text = inspect.cleandoc(text)
        yield f"topic:{name}", f"{text.splitlines()[0]} ({name})", text


def _library() -> Iterator[Document]:
    for module_name in MODULES:
        module = importlib.import_module(IMPORTED_AS.get(module_name, module_name))
        if module_name != "builtins":
            yield from _document(module_name, module, "module")
        for name in _public_names(module_name, module):
            member = getattr(module, name, None)
            dotted = name if module_name == "builtins" else f"{module_name}.{name}"
            if inspect.isclass(member):
                yield from _class(dotted, member, module_name)
            elif inspect.isroutine(member):
                yield from _document(dotted, member, "function")


def _public_names(module_name: str, module) -> list[str]:
    if module_name in CHOSEN_NAMES:
        return sorted(CHOSEN_NAMES[module_name])
    if module_name == "builtins":
        return sorted(name for name in vars(module) if name[0] != "_" and name not in NOT_BUILT_IN)
    names = getattr(module, "__all__", None)
    if names is None:
        own = (name for name, member in vars(module).items() if _belongs(member, module_name))
        names = (name for name in own if not name.startswith("_"))
    return sorted(set(names))


def _belongs(member, module_name: str) -> bool:
    # Half of bisect comes from its twin in C, _bisect.
    return getattr(member, "__module__", None) in (module_name, f"_{module_name}")


def _class(dotted: str, cls: type, module_name: str) -> Iterator[Document]:
    yield from _document(dotted, cls, "class")
    if dotted in WITHOUT_METHODS:
        return
    for name in sorted(_own_names(cls, module_name)):
        member = inspect.getattr_static(cls, name)
        if isinstance(member, staticmethod | classmethod):
            member = member.__func__
        if inspect.isroutine(member):
            yield from _document(f"{dotted}.{name}", member, "method")
        elif isinstance(member, property) or inspect.isgetsetdescriptor(member):
            yield from _document(f"{dotted}.{name}", member, "attribute")


def _own_names(cls: type, module_name: str) -> set[str]:
    # Of the class and of its bases in a private part of the module, where Python 3.13 keeps half of pathlib.
    hidden = takewhile(lambda base: base.__module__.startswith(f"{module_name}._"), cls.__mro__[1:])
    return {name for base in (cls, *hidden) for name in vars(base) if not name.startswith("_")}


def _document(dotted: str, member, kind: str) -> Iterator[Document]:
    docstring = getattr(member, "__doc__", None)
    if not isinstance(docstring, str) or docstring.startswith("Alias for field number "):
        return
    docstring = inspect.cleandoc(docstring)
    if len(docstring) < MIN_CHARACTERS:
        return
    signature = "" if kind in ("module", "attribute") else _signature(member)
    heading = f"{dotted}{signature}\n\n" if signature else ""
    yield f"lib:{dotted}", f"{dotted} ({kind})", heading + docstring


def _signature(member) -> str:
    """The signature without annotations, and without memory addresses, which change from start to start."""
    try:
        signature = inspect.signature(member)
    except (NameError, TypeError, ValueError):
        return ""
    parameters = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    bare = signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)
    return _ADDRESS.sub("...", str(bare))
