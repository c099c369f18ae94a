"""Whether a curve does what the text says, decided from its numbers alone. Each function gives a Verdict; its words name
the numbers that decided, and `seen` is theirs and nobody's opinion. Tolerances are arguments with one value for all
figures: a curve "falls" if its end is below its start by more than a thousandth of it and the steps against the trend add
up to at most a tenth of those with it."""
from dataclasses import dataclass

NOTICEABLE = 1e-3  # of the start: less is no change
AGAINST = 0.1      # of the way in a trend's direction: what steps against it may add up to
FLAT = 0.05        # of the mean: the spread that still is no dependence


@dataclass
class Verdict:
    seen: bool
    words: str

    def __str__(self):
        return f"seen ({self.words})" if self.seen else f"not seen: {self.words}"


def number(value):
    """Zero as the middle of an interval from zero is no number to read."""
    return f"{value:.4g}" if abs(value) > 1e-100 else "0"


def moves(values, sign):
    """Does the curve rise (sign 1) or fall (-1)?

    >>> moves([4, 3, 2.9, 2], -1).seen, moves([4, 3, 3.5, 2], -1).seen, moves([4, 3, 2], 1).seen
    (True, False, False)
    >>> moves([1, 1.0001], 1).seen
    False
    """
    steps = [sign * (b - a) for a, b in zip(values, values[1:])]
    with_it = sum(s for s in steps if s > 0)
    against = -sum(s for s in steps if s < 0)
    total = sign * (values[-1] - values[0])
    seen = total > NOTICEABLE * abs(values[0]) and against <= AGAINST * with_it
    words = f"{number(values[0])} to {number(values[-1])}"
    if against > 0:
        words += f", steps the other way add up to {number(against)}"
    return Verdict(seen, words)


def falls(values):
    return moves(values, -1)


def rises(values):
    return moves(values, 1)


def is_flat(values, tolerance=FLAT):
    """Does the curve stay where it is?

    >>> is_flat([1, 1.02, 0.99]).seen, is_flat([1, 1.2]).seen
    (True, False)
    """
    mean = sum(values) / len(values)
    spread = (max(values) - min(values)) / abs(mean) if mean else 0.0
    return Verdict(spread <= tolerance, f"{number(min(values))} to {number(max(values))}, {spread:.1%} of the mean")


def is_linear(xs, ys, tolerance=0.02):
    """Is the curve a straight line, to a share of its height? The line is the best one through all points.

    >>> is_linear([0, 1, 2], [0, 2, 4.01]).seen, is_linear([0, 1, 2], [0, 1, 4]).seen
    (True, False)
    """
    n = len(xs)
    mean_x, mean_y = sum(xs) / n, sum(ys) / n
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs)
    off = max(abs(y - mean_y - slope * (x - mean_x)) for x, y in zip(xs, ys))
    height = max(ys) - min(ys)
    share = off / height if height else 0.0
    return Verdict(share <= tolerance and slope > 0, f"at most {share:.2%} of the height off the line")


def saturates(values, tolerance=0.1):
    """Is the last step small beside the way that the curve has come?

    >>> saturates([0, 5, 8, 8.1]).seen, saturates([0, 5, 8, 12]).seen, saturates([3, 3]).seen
    (True, False, False)
    """
    way = abs(values[-1] - values[0])
    last = abs(values[-1] - values[-2])
    if way <= NOTICEABLE * abs(values[0]):
        return Verdict(False, f"there is no way to speak of, {number(values[0])} to {number(values[-1])}")
    return Verdict(last <= tolerance * way, f"the last step is {last / way:.1%} of the way from {number(values[0])} to "
                                            f"{number(values[-1])}")


def first_drop(xs, ys, share=0.05):
    """Where the curve has first lost this share of its start; None if it never does.

    >>> first_drop([1, 2, 3], [10, 9.9, 8])
    3
    """
    for x, y in zip(xs, ys):
        if y < (1 - share) * ys[0]:
            return x
    return None


def every(verdicts):
    """Of (name, Verdict) pairs: seen if all are; otherwise the words say which are not.

    >>> str(every([("a", Verdict(True, "1")), ("b", Verdict(False, "2"))]))
    'not seen: b: 2 (but of 1: a: 1)'
    >>> str(every([("a", Verdict(True, "1")), ("b", Verdict(True, "2"))]))
    'seen (a: 1; b: 2)'
    """
    verdicts = list(verdicts)
    agree = [each for each in verdicts if each[1].seen]
    missing = [each for each in verdicts if not each[1].seen]
    if not missing:
        return Verdict(True, listed(agree))
    but = f" (but of {len(agree)}: {listed(agree)})" if agree else ""
    return Verdict(False, listed(missing) + but)


def listed(verdicts):
    """The first and the last if there are many: those between are in the table."""
    words = [f"{name}: {verdict.words}" for name, verdict in verdicts]
    return "; ".join(words) if len(words) <= 4 else f"{words[0]}; …; {words[-1]}"
