"""Exercises with a requested kappa: by hand, published, against another implementation, properties, and limits."""

import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from agreement import Ratings, bias_index, cohen_kappa, pooled_kappa
from agreement.exercises import generate, own_numbers
from agreement.exercises.formatting import format_distinct, format_fraction
from agreement.exercises.random_table import possible_traces, random_table
from tests.each_value import each_value
from tests.oracles import oracle
from tests.slow_cases import slow_cases

TEXTBOOK = {case["id"]: case for case in oracle("textbook")["cases"]}

hundredths = st.integers(-100, 100).map(lambda number: Fraction(number, 100))
margins = st.tuples(st.integers(2, 5), st.integers(1, 30)).flatmap(lambda size: st.tuples(*[cut(*size)] * 2))


def cut(grades, n):
    """Draw how n items are distributed over the grades."""
    marks = st.lists(st.integers(0, n), min_size=grades - 1, max_size=grades - 1).map(sorted)
    return marks.map(lambda marks: tuple(np.diff([0, *marks, n]).tolist()))


def totals(table):
    return tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))


def every_table(rows, columns):
    """Yield all tables of three grades with these marginals; four cells determine the other five."""
    for a, b, d, e in product(range(max(rows) + 1), repeat=4):
        top, middle = (a, b, rows[0] - a - b), (d, e, rows[1] - d - e)
        bottom = tuple(total - x - y for total, x, y in zip(columns, top, middle, strict=True))
        if min(*top, *middle, *bottom) >= 0:
            yield top, middle, bottom


# By hand


def test_two_grades_by_hand():
    # n = 10, prevalence 1/2 and bias 1/5: judge 1 finds 6 relevant, judge 2 finds 4.
    # P(E) = (6*4 + 4*6)/100 = 0.48. Both relevant may be 0..4: P(A) 0, 0.2, 0.4, 0.6, 0.8;
    # kappa -0.48/0.52, -0.28/0.52, -0.08/0.52, 0.12/0.52 = 0.23, 0.32/0.52 = 0.62. Nearest to 0.5: 8/13.
    exercise = generate(10, 2, 0.5, 0.5, 0.2, seed=1)

    assert exercise.table == ((4, 0), (2, 4))
    assert exercise.unpooled_kappa == Fraction(8, 13)
    assert exercise.pooled_kappa == Fraction(3, 5)  # shares 1/2 and 1/2: (0.8 - 0.5) / 0.5
    assert exercise.distance == Fraction(8, 13) - Fraction(1, 2)
    assert (exercise.marginals, exercise.prevalence, exercise.bias) == (
        ((4, 6), (6, 4)),
        Fraction(1, 2),
        Fraction(1, 5),
    )
    assert (exercise.n, exercise.grades, exercise.observed) == (10, (0, 1), Fraction(4, 5))
    assert (exercise.requested, exercise.kind, exercise.seed) == (Fraction(1, 2), "unpooled", 1)
    assert (exercise.lowest, exercise.highest) == (Fraction(-12, 13), Fraction(8, 13))


def test_pooled_kappa_can_be_requested():
    # The same marginals; pooled P(E) = 1/2, so kappa is 2 P(A) - 1: -1, -0.6, -0.2, 0.2, 0.6. Nearest to -0.5: -0.6.
    exercise = generate(10, 2, -0.5, 0.5, 0.2, pooled=True)

    assert exercise.kappa == exercise.pooled_kappa == Fraction(-3, 5)
    assert exercise.table == ((1, 3), (5, 1))


def test_lower_of_two_equally_near_kappas_is_chosen():
    # 4 documents, half of them relevant: kappa -1, 0 or 1, and 1/2 is as far from 0 as from 1
    assert generate(4, kappa=0.5).kappa == 0
    assert generate(4, kappa=-0.5).kappa == -1
    assert generate(4, kappa=0.51).kappa == 1


def test_halves_are_rounded_up_and_keep_a_whole_bias():
    # 0.55 and 0.45 of 10 documents are 5.5 and 4.5: 6 and 5, one document apart as requested
    assert generate(10, bias=0.1).marginals == ((4, 6), (5, 5))
    assert generate(10, bias=-0.1).marginals == ((5, 5), (4, 6))


def test_graded_marginals_by_hand():
    # A number is spread evenly above the lowest: 0.6 of 10 is 6, two for each of three grades.
    assert generate(10, 4, prevalence=0.6).marginals == ((4, 2, 2, 2),) * 2
    # Bias moves from the lowest to the rest in proportion: 0.6 + 0.1 and 0.6 - 0.1; 7 and 5 as 2 : 1 are 4.67 + 2.33
    # and 3.33 + 1.67, and the largest remainders are rounded up.
    assert generate(10, 3, prevalence=(0.4, 0.4, 0.2), bias=0.2).marginals == ((3, 5, 2), (5, 3, 2))
    # Of equal remainders the lower grade is first: 7 documents above the lowest, 2.33 for each grade.
    assert generate(10, 4, prevalence=0.7).marginals == ((3, 3, 2, 2),) * 2
    # Without prevalence all grades are alike.
    assert generate(30, 3).marginals == ((10, 10, 10),) * 2


def test_decimals_are_exact_and_fractions_are_parsed():
    assert generate(30, kappa="1/3", prevalence=0.1).requested == Fraction(1, 3)
    assert generate(30, kappa=np.float64(0.1)).requested == Fraction(1, 10)
    assert generate(30, prevalence=1e-1, kappa=1).prevalence == Fraction(1, 10)
    assert generate(9, 3, prevalence=("1/3", "1/3", "1/3")).marginals == ((3, 3, 3),) * 2


# Published


def test_textbook_table_follows_from_its_figures():
    case = TEXTBOOK["iir-table8.2"]
    want = case["want"]
    # Judge 1 finds 320 of 400 relevant, judge 2 310: prevalence 630/800, bias 10/400.
    exercise = generate(400, 2, 0.776, 0.7875, 0.025)

    assert exercise.table == ((70, 10), (20, 300))
    assert exercise.unpooled_kappa == Fraction(want["unpooled_kappa"])
    assert exercise.pooled_kappa == Fraction(want["pooled_kappa"])


@pytest.mark.parametrize(
    ("arguments", "table", "printed"),
    [
        ((100, 2, 0.7, 0.475, 0.03), ((45, 6), (9, 40)), 0.70),
        ((100, 2, 0.32, 0.875, 0.05), ((5, 5), (10, 80)), 0.32),
        ((100, 2, 0.13, 0.65, -0.1), ((15, 25), (15, 45)), 0.13),
        ((100, 2, 0.26, 0.45, 0.3), ((35, 5), (35, 25)), 0.26),
    ],
)
def test_published_paradox_tables_follow_from_their_figures(arguments, table, printed):
    """Feinstein and Cicchetti (1990), tables of two judges on 100 cases, kappa to two digits."""
    exercise = generate(*arguments)

    assert exercise.table == table
    assert round(float(exercise.unpooled_kappa), 2) == printed


# Oracle


@each_value("seed", range(12))
def test_kappa_of_the_judgements_equals_another_implementation(seed):
    exercise = generate(50 + seed, 2 + seed % 4, 0.07 * seed, 0.5, 0.02 * seed, seed=seed)
    judgements = exercise.judgements(topics=3)
    first, second = (part.set_index(["query_id", "doc_id"])["relevance"] for _, part in judgements.groupby("assessor"))

    assert cohen_kappa_score(first, second[first.index]) == pytest.approx(float(exercise.unpooled_kappa), abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, *slow_cases([6])])
def test_possible_traces_equal_those_of_all_tables(n):
    sides = [side for side in product(range(n + 1), repeat=3) if sum(side) == n]

    for rows, columns in product(sides, repeat=2):
        brute = {sum(table[k][k] for k in range(3)) for table in every_table(rows, columns)}
        assert possible_traces(rows, columns) == sorted(brute)


@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize("requested", [-1, -0.3, 0, 0.4, 0.75, 1])
def test_no_table_with_the_same_marginals_is_nearer(requested, pooled):
    kappa = pooled_kappa if pooled else cohen_kappa
    for n, prevalence, bias in [(5, 0.5, 0.2), (6, (0.5, 0.3, 0.2), 0), (7, 0.4, -0.4), (8, 0.7, 0.1)]:
        exercise = generate(n, 3, requested, prevalence, bias, seed=n, pooled=pooled)
        best = min(abs(kappa(table).value - requested) for table in every_table(*exercise.marginals))
        assert abs(kappa(exercise.table).value - requested) == pytest.approx(best, abs=1e-12)


# Properties


@given(
    n=st.integers(1, 80),
    grades=st.integers(2, 6),
    kappa=hundredths,
    prevalence=st.integers(0, 100).map(lambda number: Fraction(number, 100)),
    bias=hundredths,
    seed=st.integers(0, 10**9),
    pooled=st.booleans(),
)
def test_figures_equal_those_of_the_coefficients(n, grades, kappa, prevalence, bias, seed, pooled):
    try:
        exercise = generate(n, grades, kappa, prevalence, bias, seed, pooled)
    except ValueError:
        one_grade = prevalence in (0, 1) or n * (1 - abs(2 * prevalence - 1) - abs(bias)) < 2
        assert one_grade or abs(bias) > 2 * min(prevalence, 1 - prevalence)
        return
    judgements = exercise.judgements()
    ratings = Ratings.from_judgements(judgements, range(grades))

    assert pooled_kappa(ratings).value == pooled_kappa(exercise.table).value == float(exercise.pooled_kappa)
    assert cohen_kappa(ratings).value == cohen_kappa(exercise.table).value == float(exercise.unpooled_kappa)
    assert exercise.kappa == (exercise.pooled_kappa if pooled else exercise.unpooled_kappa)
    assert exercise.distance == abs(exercise.kappa - kappa)
    assert exercise.lowest <= exercise.kappa <= exercise.highest
    assert len(judgements) == 2 * n == 2 * exercise.n
    assert len(exercise.table) == grades == len(exercise.grades)
    assert ratings.table("judge 1", "judge 2").tolist() == [list(row) for row in exercise.table]


@given(
    n=st.integers(2, 200),
    grades=st.integers(2, 6),
    prevalence=st.integers(0, 100).map(lambda number: Fraction(number, 100)),
    bias=hundredths,
)
def test_marginals_are_within_one_document_of_prevalence_and_bias(n, grades, prevalence, bias):
    assume(abs(bias) <= 2 * min(prevalence, 1 - prevalence))
    shares = [prevalence + bias / 2, prevalence - bias / 2]
    assume(any(1 <= n * share <= n - 1 for share in shares))
    exercise = generate(n, grades, 0.5, prevalence, bias)

    for share, numbers in zip(shares, exercise.marginals, strict=True):
        assert sum(numbers) == n
        assert abs(n - numbers[0] - n * share) <= Fraction(1, 2)
        assert max(numbers[1:]) - min(numbers[1:]) <= 1
    if not n * bias % 1:
        assert exercise.bias == bias
    if grades == 2:
        assert bias_index(np.array(exercise.table)).value == float(exercise.bias)


@given(sides=margins, seed=st.integers(0, 99))
def test_every_possible_trace_has_a_table(sides, seed):
    for trace in possible_traces(*sides):
        table = random_table(*sides, trace, np.random.default_rng(seed))
        assert totals(table) == sides
        assert sum(table[grade][grade] for grade in range(len(table))) == trace
        assert min(map(min, table)) >= 0


@given(n=st.integers(2, 60), kappa=hundredths, seed=st.integers(0, 99))
def test_negative_bias_swaps_the_judges(n, kappa, seed):
    assume((n * Fraction(4, 10) + Fraction(1, 2)) % 1 and (n * Fraction(5, 10) + Fraction(1, 2)) % 1)
    one, other = (generate(n, 2, kappa, 0.45, bias, seed) for bias in (0.1, -0.1))

    assert one.table == tuple(zip(*other.table, strict=True))


def test_seed_determines_the_exercise():
    first, again, other = (generate(60, 4, 0.5, seed=seed) for seed in (3, 3, 4))

    assert first == again
    assert first.judgements().equals(again.judgements())
    assert first.table != other.table
    assert (first.marginals, first.kappa) == (other.marginals, other.kappa)
    assert not first.judgements().equals(other.judgements())


def test_seed_changes_only_the_order_with_two_grades():
    first, other = (generate(60, seed=seed) for seed in (3, 4))

    assert first.table == other.table
    assert not first.judgements().equals(other.judgements())


def test_disagreements_are_mostly_by_one_grade():
    apart = [0, 0, 0, 0]
    for seed in range(30):
        table = generate(100, 4, 0.4, seed=seed).table
        for i, j in product(range(4), repeat=2):
            apart[abs(i - j)] += table[i][j]

    # Of the pairs of different grades 6 are neighbours, 4 are two apart, 2 are three apart
    assert apart[1] / 6 > 1.5 * apart[2] / 4 > 1.5 * 1.5 * apart[3] / 2 > 0


def test_middle_grades_have_fewer_agreements():
    tables = [generate(100, 4, 0.4, seed=seed).table for seed in range(30)]
    lowest, low, high, highest = (sum(table[grade][grade] for table in tables) for grade in range(4))

    assert lowest + highest > 1.2 * (low + high)


# Judgements


def test_judgements_are_distributed_over_topics():
    judgements = generate(10, seed=5).judgements(topics=3, judges=("ann", "bob"))

    assert list(judgements) == ["assessor", "query_id", "doc_id", "relevance"]
    assert judgements["assessor"].tolist() == ["ann"] * 10 + ["bob"] * 10
    assert judgements.groupby("query_id")["doc_id"].nunique().to_dict() == {"1": 4, "2": 3, "3": 3}
    assert sorted(set(judgements["doc_id"])) == [f"d{number:02}" for number in range(1, 11)]
    assert not judgements.duplicated(["assessor", "query_id", "doc_id"]).any()


def test_invalid_topics_and_judges_are_refused():
    exercise = generate(10)

    assert exercise.judgements(topics=10)["query_id"].nunique() == 10
    with pytest.raises(ValueError, match="topics must be a whole number from 1 to 10, not 11"):
        exercise.judgements(topics=11)
    with pytest.raises(ValueError, match="two judges with different names, not ann, ann"):
        exercise.judgements(judges=("ann", "ann"))


# Sentences


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {"n": 40, "prevalence": 0.3, "bias": 0.1},
            "Unpooled kappa is 0.6471 instead of the requested 0.60, the nearest that "
            "40 documents with these marginals allow.",
        ),
        ({"n": 40}, "Unpooled kappa is exactly 0.60, as requested, on 40 documents."),
        (
            {"n": 40, "kappa": 0.95, "prevalence": 0.3, "bias": 0.2},
            "Unpooled kappa is 0.5455 instead of the requested 0.95, the highest that "
            "40 documents with these marginals allow.",
        ),
        (
            {"n": 40, "kappa": -1, "prevalence": 0.25, "pooled": True},
            "Pooled kappa is −0.3333 instead of the requested −1.00, the lowest that "
            "40 documents with these marginals allow.",
        ),
        (
            {"n": 1, "prevalence": 0.5, "bias": 1},
            "Unpooled kappa is 0.00 instead of the requested 0.60, the highest that "
            "1 document with these marginals allows.",
        ),
    ],
)
def test_sentence_compares_kappa_with_the_request(arguments, sentence):
    assert generate(**arguments).sentence == sentence


def test_nearly_equal_numbers_are_formatted_differently():
    assert format_distinct(Fraction(600001, 1000000), Fraction(3, 5)) == "0.600001"
    assert format_distinct(Fraction(1, 2), Fraction(3, 5)) == "0.50"
    assert (format_fraction(Fraction(-1, 9)), format_fraction(Fraction(-1, 10**6)), format_fraction(Fraction(1))) == (
        "−0.1111",
        "0.00",
        "1.00",
    )


# Limits


@pytest.mark.parametrize("grades", [2, 3, 5])
def test_kappa_one_is_reached_with_equal_marginals(grades):
    exercise = generate(50, grades, 1, 0.4, seed=9)

    assert exercise.kappa == 1
    assert exercise.observed == 1
    assert exercise.distance == 0


def test_kappa_zero_and_minus_one():
    assert generate(100, kappa=0).kappa == 0
    assert generate(100, kappa=-1).kappa == -1
    assert generate(99, 3, kappa=-1).kappa == Fraction(-1, 2)  # three equal grades: P(E) = 1/3, P(A) = 0


def test_single_document_has_a_kappa_only_if_the_judges_differ():
    exercise = generate(1, kappa=0, prevalence=0.5, bias=-1)

    assert exercise.table == ((0, 1), (0, 0))
    assert (exercise.unpooled_kappa, exercise.pooled_kappa) == (0, -1)
    assert len(exercise.judgements()) == 2
    with pytest.raises(ValueError, match="same grade, as here with 1 document"):
        generate(1)


@pytest.mark.parametrize(("n", "prevalence"), [(10, 0), (10, 1), (10, 0.04), (3, (0, 0.9, 0.1)), (1, 0.5)])
def test_single_grade_is_refused(n, prevalence):
    with pytest.raises(ValueError, match="Kappa is undefined if every judgement has the same grade"):
        generate(n, 3 if isinstance(prevalence, tuple) else 2, prevalence=prevalence)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n": 0}, "n must be a whole number from 1 to 10000, not 0"),
        ({"n": 10_001}, "n must be a whole number from 1 to 10000, not 10001"),
        ({"n": 10.0}, "n must be a whole number from 1 to 10000, not 10.0"),
        ({"n": True}, "n must be a whole number from 1 to 10000, not True"),
        ({"grades": 1}, "grades must be a whole number from 2 to 10, not 1"),
        ({"grades": 11}, "grades must be a whole number from 2 to 10, not 11"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"seed": None}, "seed must be a whole number of at least 0, not None"),
        ({"kappa": 1.01}, "kappa must be between -1 and 1, not 1.01"),
        ({"kappa": "high"}, "kappa must be a number or a fraction such as 1/3, not 'high'"),
        ({"kappa": float("nan")}, "kappa must be a number or a fraction such as 1/3, not nan"),
        ({"kappa": "1/0"}, "kappa must be a number or a fraction such as 1/3, not '1/0'"),
        ({"kappa": "1e999999999"}, "kappa must be a number or a fraction such as 1/3, not '1e999999999'"),
        ({"prevalence": -0.1}, "prevalence must be between 0 and 1, not -0.1"),
        ({"prevalence": (0.5, 0.2)}, "The shares of prevalence must sum to 1, not 0.7"),
        ({"prevalence": (0.5, 0.2, 0.3)}, "one share for each of the 2 grades, not 3 shares"),
        ({"prevalence": (1.5, -0.5)}, "a share of prevalence must be between 0 and 1, not 1.5"),
        ({"bias": -2}, "bias must be between -1 and 1, not -2"),
        ({"prevalence": 0.9, "bias": 0.3}, "A prevalence of 0.9 allows a bias from -0.2 to 0.2, not 0.3"),
        ({"prevalence": 0, "bias": 0.3}, "A prevalence of 0 allows a bias of 0 only, not 0.3"),
        ({"pooled": "pooled"}, "pooled must be True or False, not 'pooled'"),
    ],
)
def test_invalid_arguments_are_refused(wrong, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        generate(**{"n": 20, **wrong})


# Numbers for each student


@given(seed=st.integers(0, 2**32), grades=st.integers(2, 5))
def test_own_numbers_suit_calculation_by_hand(seed, grades):
    exercise = own_numbers(seed, grades)

    assert 30 <= exercise.n <= 200
    assert exercise.n % 10 == 0
    assert len(exercise.table) == grades
    assert Fraction(20, 100) <= exercise.requested <= Fraction(85, 100)
    assert own_numbers(seed, grades) == exercise


def test_forty_seeds_give_forty_tables():
    assert len({own_numbers(seed).table for seed in range(40)}) == 40


def test_own_numbers_accept_pooled_kappa_and_refuse_a_bad_seed():
    assert own_numbers(1, pooled=True).kind == "pooled"
    with pytest.raises(ValueError, match="seed must be a whole number of at least 0, not 'a'"):
        own_numbers("a")
