"""Which differences between systems are significant: tests over the topics of one gold, for every two systems.

`compare_systems` runs a paired test for all pairs of systems. Each test has its own module: `t_test`, `wilcoxon`,
`sign`, `randomisation` and `tukey`. `compare_unpaired` (in `unpaired`) compares systems measured on different topics.
`corrections` adjusts p-values for the number of tests. `pairs` holds the differences that all paired tests use.
`power_of_comparison` (in `power`) tells which true difference a comparison finds. `rank_intervals` computes intervals
of ranks. Below 50 topics, the tables (`noted_frame`) show what so few topics imply.

References
----------
M. D. Smucker, J. Allan & B. Carterette (2007). A comparison of statistical significance tests for information
retrieval evaluation. CIKM 2007, 623-632.
B. Carterette (2012). Multiple testing in statistical analysis of systems-based information retrieval experiments.
ACM Transactions on Information Systems 30(1), article 4.
T. Sakai (2014). Statistical reform in information retrieval? SIGIR Forum 48(1), 3-12.
"""

from agreement.significance.compare import TESTS, compare_systems
from agreement.significance.corrections import CORRECTIONS, adjusted
from agreement.significance.leaderboard import leaderboard
from agreement.significance.noted_frame import NotedFrame
from agreement.significance.pairs import REASONS
from agreement.significance.power import Power, power_of_comparison
from agreement.significance.unpaired import UNPAIRED_TESTS, compare_unpaired

__all__ = [
    "CORRECTIONS",
    "REASONS",
    "TESTS",
    "UNPAIRED_TESTS",
    "NotedFrame",
    "Power",
    "adjusted",
    "compare_systems",
    "compare_unpaired",
    "leaderboard",
    "power_of_comparison",
]
