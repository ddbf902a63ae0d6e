"""Agreement in the order of judging, and agreement of assessors with themselves."""

import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Ratings, cohen_kappa, over_time, percent_agreement, pooled_kappa, self_agreement, time_windows

COLUMNS = ["assessor", "query_id", "doc_id", "relevance"]


def timed(*rows):
    return pd.DataFrame(rows, columns=[*COLUMNS, "judged_at"])


def pairs(*grades, minutes=None):
    """Two judges of the documents 01, 02, ...; b judges one minute after a."""
    rows = []
    for place, (first, second) in enumerate(grades):
        at = place if minutes is None else minutes[place]
        rows += [("a", "q", f"{place + 1:02}", first, 2 * at), ("b", "q", f"{place + 1:02}", second, 2 * at + 1)]
    return timed(*rows)


# over time


def test_windows_by_hand():
    frame = pairs((0, 0), (1, 1), (0, 1), (1, 0), (1, 1))

    result = over_time(frame, (0, 1), coefficient="percent_agreement", window=2)

    assert result["window"].tolist() == [1, 2, 3]
    assert result["percent_agreement"].tolist() == [1, 0, 1]
    assert result["items"].tolist() == result["n"].tolist() == [2, 2, 1]
    assert result[["first_at", "last_at"]].to_numpy().tolist() == [[1, 3], [5, 7], [9, 9]]


def test_the_time_of_an_item_is_that_of_its_last_judgement():
    # document 01 was begun first, and finished last
    frame = pairs((0, 1), (1, 1), (0, 0))
    frame.loc[1, "judged_at"] = 100

    result = over_time(frame, (0, 1), coefficient="percent_agreement", window=2)

    assert result["percent_agreement"].tolist() == [1, 0]
    assert result["last_at"].tolist() == [5, 100]


def test_windows_may_overlap_and_end_with_the_last_item():
    frame = pairs((0, 0), (1, 1), (0, 1), (1, 0), (1, 1))

    result = over_time(frame, (0, 1), coefficient="percent_agreement", window=3, step=1)

    assert result["percent_agreement"].tolist() == pytest.approx([2 / 3, 1 / 3, 1 / 3])
    assert result["items"].tolist() == [3, 3, 3]


def test_an_undefined_window_has_a_reason():
    row = over_time(pairs((0, 0), (0, 0)), (0, 1)).iloc[0]

    assert row["pooled_kappa"] is pd.NA
    assert (row["pooled_kappa_status"], row["pooled_kappa_reason"], row["n"]) == ("undefined", "one_category", 0)
    assert row["observed"] == 1


def test_grades_may_be_cut():
    frame = pairs((0, 1), (3, 2))

    assert over_time(frame, (0, 1, 2, 3), rel=2)["pooled_kappa"].tolist() == [1]


def test_items_with_the_same_time_are_sorted_by_id():
    frame = pairs((1, 1), (0, 1), minutes=[0, 0]).sample(frac=1, random_state=3)

    assert over_time(frame, (0, 1), coefficient="percent_agreement", window=1)["observed"].tolist() == [1, 0]


def test_times_may_be_datetimes_or_text():
    frame = pairs((0, 0), (0, 1), minutes=[1, 0])
    seconds = pd.to_datetime(frame["judged_at"], unit="s", utc=True)
    text = seconds.map(lambda time: time.isoformat())

    for judged_at in (seconds, text):
        result = over_time(frame.assign(judged_at=judged_at), (0, 1), coefficient="percent_agreement", window=1)
        assert result["observed"].tolist() == [0, 1]
        assert result["first_at"].iloc[0] == pd.Timestamp("1970-01-01 00:00:01", tz="UTC")


def test_single_repeated_and_missing_judgements_are_left_out():
    frame = pairs((0, 0), (1, 1))
    more = timed(("a", "q", "09", 1, 50), ("c", "q", "01", -1, None), ("b", "q", "01", 1, 70)).assign(repeat=[0, 0, 1])

    result = over_time(pd.concat([frame.assign(repeat=0), more], ignore_index=True), (0, 1))

    assert (result["items"].tolist(), result["last_at"].tolist()) == ([2], [3])


@pytest.mark.parametrize("frame", [timed(), timed(("a", "q", "01", 0, 1))])
def test_no_common_items_give_no_windows(frame):
    assert time_windows(frame).empty
    result = over_time(frame, (0, 1))

    assert len(result) == 0
    assert "pooled_kappa_reason" in result.columns


def test_invalid_input_is_refused():
    frame = pairs((0, 0))

    with pytest.raises(ValueError, match="need the column judged_at"):
        over_time(frame.drop(columns="judged_at"), (0, 1))
    with pytest.raises(ValueError, match="has no judged_at: assessor 'b', topic 'q', document '01'"):
        over_time(frame.assign(judged_at=[1, None]), (0, 1))
    with pytest.raises(ValueError, match="numbers of items from 1, not 0 and 0"):
        over_time(frame, (0, 1), window=0)
    with pytest.raises(ValueError, match="coefficient must be one of"):
        over_time(frame, (0, 1), coefficient="kappa")
    with pytest.raises(ValueError, match="not on the scale 0, 1: assessor 'a', topic 'q', document '01', grade 5"):
        over_time(pairs((5, 0)), (0, 1))


grades = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=12)


def test_items_of_windows_by_hand():
    frame = pairs((0, 0), (1, 1), (0, 1), (1, 0), (1, 1), minutes=(4, 3, 2, 1, 0))
    windows = time_windows(frame, window=2)
    assert windows["window"].tolist() == [1, 1, 2, 2, 3]
    assert windows["doc_id"].tolist() == ["05", "04", "03", "02", "01"]
    assert windows["judged_at"].tolist() == [1, 3, 5, 7, 9]  # of the second judge


@pytest.mark.slow
@given(grades, st.integers(1, 13), st.integers(1, 13))
def test_windows_have_as_many_items_as_over_time_says(given_grades, window, step):
    frame = pairs(*given_grades)
    expected = over_time(frame, (0, 1, 2), window=window, step=step)
    windows = time_windows(frame, window, step)
    assert windows.groupby("window").size().tolist() == expected["items"].tolist()
    assert windows.groupby("window")["judged_at"].max().tolist() == expected["last_at"].tolist()


@pytest.mark.slow
@given(grades, st.integers(1, 13))
def test_windows_contain_the_items_in_order(given_grades, window):
    result = over_time(pairs(*given_grades), (0, 1, 2), window=window)

    parts = [given_grades[start : start + window] for start in range(0, len(given_grades), window)]
    expected = [
        pooled_kappa(Ratings.from_matrix(list(zip(*part, strict=True)), (0, 1, 2), axis="assessors")).value
        for part in parts
    ]
    assert [None if pd.isna(value) else value for value in result["pooled_kappa"]] == expected
    assert result["items"].sum() == len(given_grades)


@pytest.mark.slow
@given(grades, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_nothing(given_grades, random):
    frame = pairs(*given_grades)

    shuffled = frame.sample(frac=1, random_state=random.randrange(2**32))

    pd.testing.assert_frame_equal(over_time(frame, (0, 1, 2), window=3), over_time(shuffled, (0, 1, 2), window=3))


# self-agreement


def with_repeats(*rows):
    return pd.DataFrame(rows, columns=[*COLUMNS, "repeat"])


def test_self_agreement_by_hand():
    frame = with_repeats(
        *[("ann", "1", "x", 0, 0), ("ann", "1", "y", 1, 0), ("ann", "2", "x", 1, 0), ("ann", "2", "y", 0, 0)],
        *[("ann", "1", "x", 0, 1), ("ann", "1", "y", 1, 1), ("ann", "2", "x", 0, 1)],
        *[("bob", "1", "x", 2, 0), ("bob", "1", "x", 0, 1), ("eve", "1", "x", 1, 0)],
    )

    result = self_agreement(frame, (0, 1, 2)).set_index("assessor")

    # ann: 0 0, 1 1, 1 0; P(A) 2/3, P(E) (1 * 2 + 2 * 1) / 9; (2/3 - 4/9) / (5/9). eve was asked only once.
    assert result.index.tolist() == ["ann", "bob"]
    assert result["n"].tolist() == [3, 1]
    assert result.loc["ann", "n_dropped"] == 1
    assert result["observed"].tolist() == pytest.approx([2 / 3, 0])
    assert result.loc["ann", "cohen_kappa"] == pytest.approx(0.4)
    assert result.loc["ann", "topics"] == 2


def test_self_agreement_on_relevance_and_over_topics():
    frame = with_repeats(
        ("ann", "1", "x", 2, 0), ("ann", "1", "x", 1, 1), ("ann", "2", "x", 0, 0), ("ann", "2", "x", 2, 1)
    )

    assert self_agreement(frame, (0, 1, 2), rel=1)["observed"].tolist() == [0.5]
    # topic 1: both relevant, undefined; topic 2: first not, then relevant, kappa 0
    by_topic = self_agreement(frame, (0, 1, 2), rel=1, coefficient="cohen_kappa", across="topics")
    assert by_topic[["n", "cohen_kappa", "cohen_kappa_n"]].to_numpy().tolist() == [[2, 0, 1]]


def test_a_repeat_without_first_judgement_has_no_overlap():
    result = self_agreement(with_repeats(("ann", "1", "x", 2, 1)), (0, 1, 2))

    assert result[["assessor", "n", "cohen_kappa_reason"]].to_numpy().tolist() == [["ann", 0, "no_overlap"]]


@pytest.mark.parametrize("frame", [with_repeats(), with_repeats(("ann", "1", "x", 2, 0))])
def test_no_repeats_give_no_rows(frame):
    result = self_agreement(frame, (0, 1, 2))

    assert len(result) == 0
    assert {"assessor", "cohen_kappa_reason"} <= set(result.columns)


def test_repeats_as_text_are_numbers():
    frame = with_repeats(("ann", "1", "x", 2, 0), ("ann", "1", "x", 2, 1))
    text = frame.assign(repeat=frame["repeat"].astype(str))

    pd.testing.assert_frame_equal(self_agreement(text, (0, 1, 2)), self_agreement(frame, (0, 1, 2)))


@pytest.mark.parametrize(("repeat", "shown"), [(2, "2"), ("2", "'2'"), ("again", "'again'"), (None, "nan")])
def test_other_repeats_are_refused(repeat, shown):
    frame = with_repeats(("ann", "1", "x", 2, 0)).astype({"repeat": object})
    frame.loc[1] = ["ann", "1", "x", 2, repeat]
    message = f"repeat must be 0 or 1, not {shown} (assessor 'ann', topic '1', document 'x')."

    with pytest.raises(ValueError, match=re.escape(message)):
        self_agreement(frame, (0, 1, 2))


def test_invalid_judgements_are_refused():
    with pytest.raises(ValueError, match="needs the column repeat"):
        self_agreement(with_repeats().drop(columns="repeat"), (0, 1))
    with pytest.raises(
        ValueError, match="judged twice by one assessor: assessor 'ann', topic '1', document 'x', grade 0"
    ):
        self_agreement(with_repeats(("ann", "1", "x", 1, 1), ("ann", "1", "x", 0, 1)), (0, 1))
    with pytest.raises(ValueError, match="not on the scale 0, 1: assessor 'ann', topic '1', document 'x', grade 9"):
        self_agreement(with_repeats(("ann", "1", "x", 9, 1), ("ann", "1", "y", 0, 0)), (0, 1))


@given(st.lists(st.tuples(*[st.sampled_from([0, 1, 2, None])] * 2), min_size=1, max_size=8))
def test_self_agreement_equals_agreement_of_two_occasions(occasions):
    rows = [
        ("ann", "", str(number), grade, repeat)
        for number, both in enumerate(occasions, 1)
        for repeat, grade in enumerate(both)
    ]
    ratings = Ratings.from_matrix(list(zip(*occasions, strict=True)), (0, 1, 2), axis="assessors")

    result = self_agreement(with_repeats(*rows), (0, 1, 2))

    if any(again is not None for _, again in occasions):
        row = result.iloc[0]
        assert row["n"] == percent_agreement(ratings).n
        assert (None if pd.isna(row["cohen_kappa"]) else row["cohen_kappa"]) == cohen_kappa(ratings).value
    else:
        assert len(result) == 0


@pytest.mark.slow
@given(st.lists(st.integers(0, 2), min_size=1, max_size=8))
def test_repeating_all_grades_is_perfect_agreement(given_grades):
    rows = [("ann", "", str(n), grade, repeat) for n, grade in enumerate(given_grades) for repeat in (0, 1)]

    result = self_agreement(with_repeats(*rows), (0, 1, 2)).iloc[0]

    assert result["observed"] == 1
    assert (result["pooled_kappa"] is pd.NA) == (len(set(given_grades)) == 1)
