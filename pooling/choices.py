"""The values that options accept, without the code that uses them, so that `--help` does not load pandas."""

SCORE_PRECISIONS = ("float64", "float32")
TABLE_STYLES = ("plain", "markdown", "latex")
ROUNDING_NAMES = ("half_up", "up", "down")
STRATEGY_NAMES = (
    *("depth", "ntcir", "take", "fair_take", "rrf", "combsum", "combmnz", "combmax", "combmin", "combmed", "combanz"),
    *("borda", "condorcet", "dcg", "rbp", "random", "stratified", "stat_ap", "ask_people"),
)
DRAW_STRATA = ("topic", "rank", "grade", "all")  # of `assay draw --by`
NUMBER_BY = ("order", "id")  # queries of qrels (pooling.formats.smart.numbering)
REPAIRS = ("leading-zeros", "decimals", "quotes", "blanks", "case", "byte-order-mark", "prefix")  # pooling.unmatched
MIN_GRADES, MAX_GRADES = 2, 10  # of a scale, whose grades are one digit each
