"""Scores of three systems on 20 topics, as two books print them with worked examples.

The figures of the examples that the tests compare with were taken from programs that check themselves against the
books, not from the books.
"""

import pandas as pd

# T. Sakai (2015), a book in Japanese on the evaluation of information access (Corona, ISBN 978-4-339-02496-8),
# table 5.1. The Rust library elinor quotes the results.
SAKAI_2015 = """
0.70 0.30 0.20 0.60 0.40 0.40 0.00 0.70 0.10 0.30 0.50 0.40 0.00 0.60 0.50 0.30 0.10 0.50 0.20 0.10
0.50 0.10 0.00 0.20 0.40 0.30 0.00 0.50 0.30 0.30 0.40 0.40 0.10 0.40 0.20 0.10 0.10 0.60 0.30 0.20
0.00 0.00 0.20 0.10 0.30 0.30 0.10 0.20 0.40 0.40 0.40 0.30 0.30 0.20 0.20 0.20 0.10 0.50 0.40 0.30
"""
# T. Sakai (2018), Laboratory Experiments in Information Retrieval (Springer), the data set 20topics3runs.
SAKAI_2018 = """
0.4695 0.2813 0.3914 0.6884 0.6121 0.3266 0.5605 0.5916 0.4385 0.5821
0.2871 0.5186 0.5188 0.5019 0.4702 0.3290 0.4758 0.3028 0.3752 0.2796
0.3732 0.3783 0.3868 0.5896 0.4725 0.2330 0.4328 0.5073 0.3889 0.5551
0.3274 0.5066 0.5198 0.4981 0.3878 0.4387 0.4946 0.3400 0.4895 0.2335
0.3575 0.2435 0.3167 0.6024 0.4766 0.2429 0.4066 0.4707 0.3384 0.4597
0.2769 0.4066 0.3859 0.4568 0.3437 0.2649 0.4045 0.3253 0.3205 0.2240
"""


def three_systems(text: str) -> pd.DataFrame:
    """The scores of the systems 1, 2 and 3 on the topics 1 to 20."""
    numbers = [float(word) for word in text.split()]
    rows = [numbers[:20], numbers[20:40], numbers[40:]]
    return pd.DataFrame(rows, index=list("123"), columns=[str(topic) for topic in range(1, 21)])
