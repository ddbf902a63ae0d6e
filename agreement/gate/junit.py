"""The decision as JUnit XML, which programs of continuous integration show as tests.

Each gold is a test that passes if its decision is "win_or_tie", and otherwise fails with the decision as its type. With
several golds, one more test, "all golds", has the decision of all of them. Characters that XML 1.0 forbids are
replaced, because a name may have any.
"""

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from agreement.gate.decision import CODES, words
from agreement.gate.result import Gate
from agreement.gate.text import REPLACEMENT, gate_text, gold_sentences

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def allowed(text: str) -> str:
    """Return a text in which each character that XML forbids is replaced.

    Examples
    --------
    >>> from agreement.gate.junit import allowed
    >>> ascii(allowed("a\\x00b"))
    "'a\\\\ufffdb'"
    """
    return FORBIDDEN.sub(REPLACEMENT, text)


def gate_junit(gate: Gate) -> bytes:
    """Return the decision as a file of JUnit XML.

    Examples
    --------
    >>> from agreement import gate_candidate
    >>> from agreement.gate.junit import gate_junit
    >>> gold = {str(topic): {"a": 1, "b": 0} for topic in range(4)}
    >>> old = {str(topic): {"a": 2.0, "b": 1.0} for topic in range(4)}
    >>> lines = gate_junit(gate_candidate({"old": old}, {"new": old}, {"nist": gold}, "RR")).decode().splitlines()
    >>> lines[1]
    '<testsuites name="assay gate" tests="1" failures="0" errors="0">'
    """
    cases = [(f"under {gold.gold}", gold.decision, gold_sentences(gate, gold)) for gold in gate.golds]
    if len(cases) > 1:
        cases.append(("all golds", gate.decision, [gate.summary()]))
    counts = {"tests": str(len(cases)), "failures": str(sum(CODES[decision] > 0 for _, decision, _ in cases))}
    counts["errors"] = "0"
    suites = Element("testsuites", {"name": "assay gate", **counts})
    name = allowed(f"{gate.candidate} against {gate.baseline} by {gate.measure}")
    suite = SubElement(suites, "testsuite", {"name": name, **counts, "skipped": "0"})
    for case in cases:
        _add_case(suite, *case)
    SubElement(suite, "system-out").text = allowed(gate_text(gate))
    indent(suites)
    return bytes(tostring(suites, encoding="utf-8", xml_declaration=True)) + b"\n"


def _add_case(suite: Element, name: str, decision: str, sentences: list[str]) -> None:
    case = SubElement(suite, "testcase", {"classname": "assay.gate", "name": allowed(name)})
    text = allowed("\n".join(sentences))
    if CODES[decision]:
        failure = SubElement(case, "failure", {"type": decision, "message": allowed(words(decision))})
        failure.text = text
    else:
        SubElement(case, "system-out").text = text
