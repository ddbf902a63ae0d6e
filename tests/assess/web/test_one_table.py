"""One template writes the tables of researchers' pages; every other `<table` is listed with its reason."""

from assess.settings import BASE_DIR

RESEARCH = BASE_DIR / "templates" / "research"
BY_HAND = {
    "_table.html": "the one template, for `Table` and for the tag `table`",
    "_contingency.html": "a contingency table: row headers, marked diagonal, and totals of rows and columns",
    "settings/_scale.html": "a form: each row has the inputs of a grade, and the script copies rows",
    "settings/delete.html": "eight labels with a count each, without headings or rows of data",
    "imports/data_sets.html": "a form: each row is a choice, and a phone shows the headings in the cells",
}


def test_no_other_template_writes_a_table_by_hand():
    written = {str(path.relative_to(RESEARCH)): path.read_text().count("<table") for path in RESEARCH.rglob("*.html")}
    assert {name for name, number in written.items() if number} == set(BY_HAND)
    assert {name for name, number in written.items() if number > 1} == set()
