"""The order of the numbers within every row of a matrix, faster than a sort of positions.

Sorting numbers is several times faster than sorting positions by numbers. So the position is put into the last
bits of each number, and these are sorted. That can put two numbers which differ in those bits alone into the
wrong order; such rows are found by looking, and sorted the slow way. The result is always an exact order.
"""

import numpy as np

_ALL_BUT_SIGN = np.int64(0x7FFFFFFFFFFFFFFF)


def row_order(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions and values of every row in rising order.

    Parameters
    ----------
    numbers : ndarray of float64, shape (n_rows, n_columns), C-contiguous and finite

    Returns
    -------
    order : ndarray of int, shape (n_rows, n_columns)
        Positions in the flattened matrix, row by row from the lowest number to the highest.
    rising : ndarray of float, of the same shape
        The numbers there.
    """
    n_rows, n_columns = numbers.shape
    first = n_columns * np.arange(n_rows)[:, None]
    order = _roughly(numbers)
    order += first
    rising = numbers.ravel()[order]
    wrong = np.flatnonzero((rising[:, 1:] < rising[:, :-1]).any(axis=1))
    if len(wrong):
        order[wrong] = first[wrong] + np.argsort(numbers[wrong], axis=1)
        rising[wrong] = numbers.ravel()[order[wrong]]
    return order, rising


def _roughly(numbers: np.ndarray) -> np.ndarray:
    """The order of the numbers without their last bits."""
    n_columns = numbers.shape[1]
    last_bits = np.int64((1 << max(n_columns - 1, 0).bit_length()) - 1)
    keys = numbers.view(np.int64)
    # The bits of floats rise with the float, as integers do, except that those of negative floats fall.
    keys = keys ^ ((keys >> 63) & _ALL_BUT_SIGN)
    keys &= ~last_bits
    keys |= np.arange(n_columns)
    keys.sort(axis=1)
    keys &= last_bits
    return keys
