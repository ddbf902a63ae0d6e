"""Reads the demo's documents from the running Python. This repository stores none of Python's text.

There are two kinds of documents, with different doc_ids:

- ``topic:with``      a chapter of the language reference, as ``help("with")`` shows it;
- ``lib:json.dumps``  the docstring of a module, class, function or method of the standard library, after its
  signature if Python has one. Methods of built-in types have no ``builtins`` in their doc_id: ``lib:list.pop``.

``documents()`` yields ``(doc_id, title, text)``, chapters first, each kind in the order of the doc_ids. The
same Python yields the same documents. Other versions have a few more or fewer documents and slightly different texts.

These are excluded: names with a leading underscore, inherited docstrings, docstrings shorter than ``MIN_CHARACTERS``
characters, and the documents in ``LEFT_OUT`` and ``WITHOUT_METHODS``. All modules in ``MODULES`` exist on Linux, macOS
and Windows, and importing them has no side effects. With ``python -OO`` there are no docstrings, so that only the
chapters are found.
"""

import importlib
import inspect
import re
from collections.abc import Iterator
from itertools import takewhile
from types import ModuleType
from typing import Any

MIN_CHARACTERS = 25

Document = tuple[str, str, str]

LEFT_OUT = frozenset(
    {
        # Hundreds of paragraphs each, which smaller chapters and lib: documents repeat.
        *("topic:compound", "topic:specialnames", "topic:string-methods", "topic:types"),
        # A manual of the debugger, not of the language.
        "topic:debugger",
        # The first has one line in some versions of Python and pages in others; the second is only a signature.
        *("lib:decimal", "lib:decimal.DecimalTuple"),
        # Other code may replace these functions.
        *("lib:threading.excepthook", "lib:warnings.showwarning"),
        # Aliases of other documents.
        *("topic:else", "lib:EnvironmentError", "lib:IOError", "lib:array.ArrayType"),
        *("lib:io.open", "lib:io.BlockingIOError", "lib:threading.ThreadError"),
        *("lib:secrets.SystemRandom", "lib:secrets.choice", "lib:secrets.randbits"),
    }
)

# Classes whose methods have nearly the same docstrings as another class or as functions of their module.
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

# Modules with only these names as documents, because the other names differ between platforms.
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

# os.path is a different module on Windows, with fewer docstrings. posixpath exists on all platforms.
IMPORTED_AS = {"os.path": "posixpath"}

# Added by the site module for interactive use, or available on one platform only.
NOT_BUILT_IN = frozenset({"WindowsError", "copyright", "credits", "exit", "help", "license", "quit"})

_ADDRESS = re.compile(r"<[^<>]* at 0x[0-9A-Fa-f]+>")


def documents() -> Iterator[Document]:
    """Yield every document of the running Python, in a fixed order."""
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
                yield from _class_documents(dotted, member, module_name)
            elif inspect.isroutine(member):
                yield from _document(dotted, member, "function")


def _public_names(module_name: str, module: ModuleType) -> list[str]:
    if module_name in CHOSEN_NAMES:
        return sorted(CHOSEN_NAMES[module_name])
    if module_name == "builtins":
        return sorted(name for name in vars(module) if name[0] != "_" and name not in NOT_BUILT_IN)
    names = getattr(module, "__all__", None)
    if names is None:
        defined = (name for name, member in vars(module).items() if _is_defined_in(member, module_name))
        names = (name for name in defined if not name.startswith("_"))
    return sorted(set(names))


def _is_defined_in(member: object, module_name: str) -> bool:
    # Half of bisect is defined in the C module _bisect.
    return getattr(member, "__module__", None) in (module_name, f"_{module_name}")


def _class_documents(dotted: str, cls: type, module_name: str) -> Iterator[Document]:
    yield from _document(dotted, cls, "class")
    if dotted in WITHOUT_METHODS:
        return
    for name in sorted(_defined_names(cls, module_name)):
        member = inspect.getattr_static(cls, name)
        if isinstance(member, staticmethod | classmethod):
            member = member.__func__
        if inspect.isroutine(member):
            yield from _document(f"{dotted}.{name}", member, "method")
        elif isinstance(member, property) or inspect.isgetsetdescriptor(member):
            yield from _document(f"{dotted}.{name}", member, "attribute")


def _defined_names(cls: type, module_name: str) -> set[str]:
    # Include bases in private submodules, where Python 3.13 defines half of pathlib.
    private_bases = takewhile(lambda base: base.__module__.startswith(f"{module_name}._"), cls.__mro__[1:])
    return {name for base in (cls, *private_bases) for name in vars(base) if not name.startswith("_")}


def _document(dotted: str, member: object, kind: str) -> Iterator[Document]:
    docstring = getattr(member, "__doc__", None)
    if not isinstance(docstring, str) or docstring.startswith("Alias for field number "):
        return
    docstring = inspect.cleandoc(docstring)
    if len(docstring) < MIN_CHARACTERS:
        return
    signature = "" if kind in ("module", "attribute") else _signature(member)
    heading = f"{dotted}{signature}\n\n" if signature else ""
    yield f"lib:{dotted}", f"{dotted} ({kind})", heading + docstring


def _signature(member: Any) -> str:
    """Return the signature without annotations and memory addresses. Addresses differ between processes."""
    try:
        signature = inspect.signature(member)
    except (NameError, TypeError, ValueError):
        return ""
    parameters = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    bare = signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)
    return _ADDRESS.sub("...", str(bare))
