"""The pages of the reference, from the registries and the public names of `pooling` and `agreement`.

Each coefficient, measure, pooling strategy, adaptive strategy, assignment policy and gold rule has a page with formula,
source, undefined cases and an example that ran. All other public names are on one page for each package. mkdocstrings
adds the parameters, from the docstrings.
"""

import inspect
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

import agreement
import pooling
from agreement.effectiveness import MEASURES
from agreement.effectiveness.parameters import REQUIRED, Parameter
from docs import examples
from docs.docstrings import (
    Parts,
    is_formula,
    list_of_sources,
    markdown,
    module_docstring,
    parts_of,
    parts_of_measure,
    sections,
    split_source,
)
from docs.tables import table_rows

PACKAGES = (
    "agreement",
    "pooling",
    "assay.remote",
    *(f"pooling.{name}" for name in ("live", "models", "outgoing")),
    *(f"agreement.{name}" for name in agreement._PACKAGES),
)
RULE = re.compile(r"^(\S+)  +(items .*|all items .*)$", re.MULTILINE)
INTERFACE = """\
::: {identifier}
    options:
      heading_level: 3
      show_docstring_description: {description}
      show_docstring_examples: {description}
"""


@dataclass(frozen=True)
class Page:
    """A page of the reference.

    Attributes
    ----------
    kind : str
        The section that it belongs to; a key of `KINDS`.
    name : str
        Its title, and the name of its file.
    summary : str
        What it describes, in one sentence.
    text : str
        The page in Markdown.
    """

    kind: str
    name: str
    summary: str
    text: str

    @property
    def path(self) -> str:
        """The file, relative to the folder of the reference."""
        return f"{self.kind}/{re.sub(r'[^A-Za-z0-9_.]+', '-', self.name).strip('-')}.md"


def public_names() -> dict[str, Any]:
    """All public objects by the name under which they are imported; each object once."""
    found: dict[int, str] = {}
    for module_name in PACKAGES:
        module = import_module(module_name)
        for name in getattr(module, "__all__", ()):
            found.setdefault(id(getattr(module, name)), f"{module_name}.{name}")
    return {name: _object(name) for name in found.values()}


def coefficients() -> dict[str, Any]:
    """The public functions whose result is an `Estimate`."""
    return {name: value for name, value in public_names().items() if _returns(value) == "Estimate"}


def measure_functions() -> dict[str, Any]:
    """The measures that are public functions, because they need more than a gold: neighbours of the others."""
    package = MEASURES["AP"].function.__module__.rpartition(".")[0]
    return {
        name: value
        for name, value in public_names().items()
        if inspect.isroutine(value) and value.__module__.rpartition(".")[0] == package
    }


def rules() -> dict[str, list[str]]:
    """The cells of each rule in the table of its module: what it decides as grades, and as relevance."""
    return {row[0]: row[1:] for row in table_rows(_rules_docstring())}


def rules_by_name() -> dict[str, Any]:
    """The functions of the rules with a fixed name."""
    return dict(_rules_module().__dict__["RULES"])


def _coefficient_pages() -> Iterator[Page]:
    for name, value in coefficients().items():
        parts = parts_of(value)
        example = examples.checked(name, parts.example)
        yield _page("coefficients", name.rpartition(".")[2], parts, example, _interface(name))


def _measure_pages() -> Iterator[Page]:
    for name, entry in MEASURES.items():
        parts = parts_of_measure(module_docstring(entry.function))
        usage = _parameters_of_measure(entry.parameters)
        summary = f"{entry.definition[0].upper()}{entry.definition[1:]}."
        parts = Parts(summary, parts.formula, parts.source, parts.undefined)
        yield _page("measures", name, parts, examples.of_measure(name), usage)
    for name, value in measure_functions().items():
        parts = parts_of_measure(module_docstring(value))
        example = examples.checked(name, parts_of(value).example)
        yield _page("measures", name.rpartition(".")[2], parts, example, _interface(name))


def _strategy_pages() -> Iterator[Page]:
    for name, value in pooling.STRATEGIES.items():
        yield _page("strategies", name, _parts_of_registered(value), examples.of_strategy(name), _interface_of(value))


def _adaptive_pages() -> Iterator[Page]:
    for name, value in pooling.ADAPTIVE.items():
        yield _page("adaptive", name, _parts_of_registered(value), examples.of_adaptive(name), _interface_of(value))


def _policy_pages() -> Iterator[Page]:
    for name, value in pooling.POLICIES.items():
        parts = parts_of(value)
        description = (inspect.getdoc(value) or "").partition("\n\nParameters\n")[0].partition("\n\n")[2]
        parts = Parts(parts.summary, markdown(description) or parts.summary)
        example = examples.checked(name, parts_of(value).example)
        yield _page("policies", name, parts, example, _interface_of(value))


def _rule_pages() -> Iterator[Page]:
    docstring = _rules_docstring()
    description = docstring.partition("\nReferences\n")[0]
    undecided = dict(RULE.findall(description))
    sources = parts_of(_rules_module()).source.splitlines()
    for names, (graded, binary) in rules().items():
        name = names.partition(",")[0]
        cited = [source for source in sources if name.partition(":")[0] in re.split(r"\W+", source.rpartition("(")[2])]
        parts = Parts(
            f"As grades: {graded}. As relevance, 1 if {binary}.",
            f"| gold | value of a document |\n|---|---|\n| graded | {graded} |\n| binary, with `rel` | 1 if {binary} |",
            "\n".join(cited),
            f"Not decided, and therefore not in the gold: {undecided[name]}" if name in undecided else "",
        )
        example = examples.of_rule(name.replace("NAME", "ada").replace(":N", ":2"))
        yield _page("rules", names, parts, example, "[`agreement.make_gold`][] applies the rule.")


def _package_pages() -> Iterator[Page]:
    """One page for each package, of the names that have no page of their own."""
    own = {id(value) for value in (*coefficients().values(), *measure_functions().values())}
    own |= {id(value) for value in pooling.POLICIES.values()}
    grouped: dict[str, list[str]] = defaultdict(list)
    for name, value in public_names().items():
        if id(value) not in own:
            grouped[_package_of(name, value)].append(name)
    for package, names in sorted(grouped.items()):
        listed = ", ".join(f"`{name.rpartition('.')[2]}`" for name in sorted(names))
        docstring = sections(inspect.getdoc(import_module(package)) or f"{listed}.")
        sources = (
            f"\n\n## References\n\n{list_of_sources(docstring['References'])}" if "References" in docstring else ""
        )
        entries = "\n".join(INTERFACE.format(identifier=name, description="true") for name in sorted(names))
        body = markdown(docstring[""]).partition("\n\n")
        summary = " ".join(body[0].split())
        yield Page(
            "packages", package, summary, f"# `{package}`\n\n{summary}\n\n{body[2]}{sources}\n\n## Names\n\n{entries}"
        )


# The sections of the reference: title, and the function that makes the pages.
KINDS: dict[str, tuple[str, Callable[[], Iterator[Page]]]] = {
    "coefficients": ("Coefficients", _coefficient_pages),
    "measures": ("Measures", _measure_pages),
    "strategies": ("Pooling strategies", _strategy_pages),
    "adaptive": ("Adaptive strategies", _adaptive_pages),
    "policies": ("Assignment policies", _policy_pages),
    "rules": ("Gold rules", _rule_pages),
    "packages": ("Packages", _package_pages),
}


def pages() -> list[Page]:
    """All pages, in the order of the navigation."""
    return [page for _, make in KINDS.values() for page in make()]


def index_page(of: list[Page]) -> str:
    """The first page of the reference: all others, with a sentence each."""
    lines = ["# Reference", "", "Made from the docstrings of `pooling` and `agreement`. Each example ran."]
    for kind, (title, _) in KINDS.items():
        lines += ["", f"## {title}", "", "| name | description |", "|---|---|"]
        for page in of:
            if page.kind == kind:
                lines.append(f"| [`{page.name}`]({page.path}) | {page.summary.replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"


def navigation(of: list[Page]) -> str:
    """The list of pages in the format of literate-nav."""
    lines = ["- [Reference](index.md)"]
    for kind, (title, _) in KINDS.items():
        lines += [f"- {title}", *(f"    - [{page.name}]({page.path})" for page in of if page.kind == kind)]
    return "\n".join(lines) + "\n"


def _page(kind: str, name: str, parts: Parts, example: str, interface: str) -> Page:
    formula = "Formula" if is_formula(parts.formula) else "Definition"
    parts_by_title = {formula: parts.formula, "Source": parts.source, "Undefined cases": parts.undefined}
    parts_by_title |= {"Example": examples.fenced(example), "Interface": interface}
    text = "".join(f"\n## {title}\n\n{section}\n" for title, section in parts_by_title.items() if section)
    summary = " ".join(parts.summary.split())
    return Page(kind, name, summary, f"# `{name}`\n\n{summary}\n{text}")


def _parts_of_registered(value: Any) -> Parts:
    """The parts of a strategy: its module says how it works, after one sentence, and ends with the references."""
    text, source = split_source(module_docstring(value))
    return Parts(parts_of(value).summary, markdown(text), markdown(source))


def _parameters_of_measure(parameters: dict[str, Parameter]) -> str:
    lines = ["| parameter | allowed values | default |", "|---|---|---|"]
    for name, one in parameters.items():
        default = "required" if one.default is REQUIRED else "none" if one.default is None else f"`{one.default!r}`"
        lines.append(f"| `{name}` | {one.allowed} | {default} |")
    lines += ["", "Use the name in [`agreement.evaluate`][]; [`agreement.parse_measure`][] describes the grammar."]
    return "\n".join(lines)


def _interface(identifier: str) -> str:
    return INTERFACE.format(identifier=identifier, description="false")


def _interface_of(value: Any) -> str:
    return _interface(f"{value.__module__}.{value.__qualname__}")


def _package_of(name: str, value: Any) -> str:
    """The package whose page has a public name: that of its module, or that from which a constant is imported."""
    library, *others = (getattr(value, "__module__", None) or name.rpartition(".")[0]).split(".")
    public = name.rpartition(".")[0]
    if library not in ("agreement", "pooling") or not others or public.count("."):
        return public
    package = ".".join((library, *others[:1]))
    is_public = not others[0].startswith("_") and hasattr(import_module(package), "__path__")
    return package if is_public else library


def _returns(value: Any) -> str:
    if not inspect.isroutine(value):
        return ""
    annotation = inspect.signature(value).return_annotation
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")


def _object(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def _rules_module() -> ModuleType:
    """The module that defines the rules: that of the function by which `make_gold` looks up a rule."""
    decision = vars(import_module(agreement.make_gold.__module__))["decision"]
    return import_module(decision.__module__)


def _rules_docstring() -> str:
    return inspect.getdoc(_rules_module()) or ""
