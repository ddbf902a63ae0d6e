"""The Python code of docs/model-judges.md asks a server on this machine and prints grades."""

import re
from pathlib import Path

from pooling.models import PROMPTS
from pooling.models.prompts import FIELDS
from tests.pooling.live.servers import Asked, Reply, Server
from tests.pooling.models.test_chat import completion

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "model-judges.md").read_text(encoding="utf-8")

CODE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def graded(asked: Asked) -> Reply:
    """Grade 2 for documents about bread."""
    text = asked.body["messages"][1]["content"].partition("<document>")[2]
    return Reply(completion(f'{{"grade": {2 * ("bread" in text)}}}'))


def test_the_python_code_prints_the_grades(capsys):
    code, _ = CODE
    with Server(graded) as server:
        exec(compile(code.replace("http://localhost:8000", server.url), "model-judges.md", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[1:3]] == [["1", "d1", "2"], ["1", "d2", "0"]]
    assert lines[3] == "2 answers for 0.000072"  # 2 x (120 x 0.15 + 30 x 0.60) / 1,000,000


def test_the_page_names_every_prompt_and_field():
    assert all(f"*{name}*" in PAGE for name in PROMPTS)
    assert all(f"{{{name}}}" in PAGE for name in FIELDS)


def test_the_offline_judge_prints_what_the_page_says(capsys):
    exec(compile(CODE[1], "model-judges.md", "exec"), {})
    assert capsys.readouterr().out == re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)[0]
