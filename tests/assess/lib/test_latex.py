"""Tables as LaTeX."""

import pandas as pd

from assess.lib.latex import latex_table


def test_table_has_caption_label_rounded_cells_and_escapes():
    frame = pd.DataFrame(
        {"judge_name": ["a_b & c", "[x] 5%"], "kappa": pd.array([-0.12345, None], "Float64"), "n": [1204, 7]}
    )
    assert latex_table(frame, "Agreement: 100% of {a_b}", "tab:a_b c").splitlines() == [
        r"\begin{table}",
        r"\centering",
        r"\caption{Agreement: 100\% of \{a\_b\}}",
        r"\label{tab:a-b-c}",
        r"\begin{tabular}{lrr}",
        r"\hline",
        r"judge name & kappa & n \\",
        r"\hline",
        r"a\_b \& c & $-$0.123 & 1204 \\",
        r"{[}x] 5\% &  & 7 \\",
        r"\hline",
        r"\end{tabular}",
        r"\end{table}",
    ]


def test_empty_table_has_its_headings():
    assert r"judge & n \\" in latex_table(pd.DataFrame({"judge": [], "n": []}), "Nothing", "tab:none")
