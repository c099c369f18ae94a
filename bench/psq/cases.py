"""What bench/psq runs: programs, widths, expected verdicts, Noureddine's figures and the bars."""
import pathlib
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"


@dataclass(frozen=True)
class Figures:
    """A row of Noureddine's table 6.2 (its 63 and CBMC's seconds are of table 6.1)."""
    before: tuple = ()  # latches, ands, levels
    after: tuple = ()
    seconds: float = None
    proved: bool = True
    cbmc: object = None  # seconds, or "time-out"


@dataclass(frozen=True)
class Case:
    name: str
    text: str = field(repr=False)
    bits: int
    array: int = None  # elements of arrays of free size; 2^bits - 1 by default
    expected: str = "holds"
    paper: Figures = None
    bar: float = None  # seconds for the portfolio

    @property
    def elements(self):
        return self.array or 2 ** self.bits - 1


def source(name):
    return (PROGRAMS / f"{name}.tiny").read_text()


# Table 6.2, with the seconds that table 6.1 has for CBMC.
SEED = {
    ("linear_search", 2): Figures((86, 719, 24), (41, 313, 15), 4.36, True, 0.016),
    ("linear_search", 3): Figures((118, 1064, 27), (68, 568, 19), 12.4, True, 722.4),
    ("linear_search", 4): Figures((174, 1781, 30), (119, 1116, 21), 16.87, True, "time-out"),
    ("linear_search", 5): Figures((286, 3362, 45), (226, 2346, 24), 33.67, True, "time-out"),
    ("linear_search", 6): Figures((526, 6895, 78), (461, 5100, 26), 99.64, True, "time-out"),
    ("linear_search", 7): Figures((1054, 14780, 143), (984, 11315, 28), 396.98, True, "time-out"),
    ("linear_search", 8): Figures((4798, 70742, 529), (4718, 55364, 33), 8022.11),
    ("bubble_sort", 2): Figures((114, 1198, 29), (44, 393, 16), 5.79),
    ("bubble_sort", 3): Figures((169, 2218, 35), (68, 885, 20), 31.09),
    ("bubble_sort", 4): Figures((276, 5607, 47), (117, 2106, 22), 1426.98, False),
    ("selection_sort", 2): Figures((112, 1208, 27), (43, 427, 15), 5.81),
    ("selection_sort", 3): Figures((167, 2239, 35), (69, 949, 19), 223.54),
    ("selection_sort", 4): Figures((280, 5676, 47), (125, 2236, 22), 1852.76, False),
    ("array_partition", 2): Figures((110, 1896, 33), (57, 689, 19), 2.79),
    ("array_partition", 3): Figures((147, 2509, 34), (87, 1174, 24), 97.56),
    ("array_partition", 4): Figures((208, 3829, 38), (141, 2419, 29), 2135.7, False),
    ("list_insert", 2): Figures((237, 4310, 38), (98, 871, 19), 118.89),
    ("list_insert", 3): Figures((344, 6117, 41), (179, 1693, 26), 1811, False),
    ("list_remove", 2): Figures((197, 2906, 33), (84, 722, 21), 71.38),
    ("list_remove", 3): Figures((293, 4454, 39), (157, 1387, 25), 1830.21, False),
    ("binary_search", 3): Figures((94, 879, 30), (56, 555, 19), 1.04, True, 0.085),
    ("binary_search", 4): Figures((151, 1832, 42), (83, 850, 17), 1.47, True, 1.91),
    ("binary_search", 5): Figures((268, 5185, 62), (143, 1943, 20), 27.69, True, 38.493),
    ("binary_search", 7): Figures((), (529, 9052, 25), 1152.22, True, "time-out"),
}
BARS = {
    ("linear_search", 7): 2, ("linear_search", 8): 10, ("binary_search", 7): 60, ("bubble_sort", 4): 120,
    ("selection_sort", 4): 120, ("array_partition", 4): 120, ("list_insert", 3): 120, ("list_remove", 3): 120,
}
# The last widths are beyond Noureddine's. A run that meets the limit ends its program's rows.
WIDTHS = {
    "linear_search": range(2, 11), "binary_search": range(3, 10), "binary_search_full": range(2, 9), "bubble_sort": range(2, 6),
    "selection_sort": range(2, 6), "array_partition": range(2, 7), "list_insert": range(2, 5), "list_remove": range(2, 5), "list_insert_walks": range(2, 4),
    "list_remove_walks": range(2, 4),
}
# Noureddine's binary search has arrays of half the indices (3 elements at 3 bits), which its sum of two indices needs.
HALF = {"binary_search"}


def standard_cases():
    """Tables 6.1 and 6.2 and beyond, by program and width."""
    return [Case(name, source(name), bits, 2 ** (bits - 1) - 1 if name in HALF else None, "holds", SEED.get((name, bits)), BARS.get((name, bits)))
            for name, widths in WIDTHS.items() for bits in widths]


# A bug a line: program, what is wrong, the text that is replaced (it occurs once) and by what.
BUGS = [
    ("linear_search", "reads one element too many", "while (i < n)", "while (i <= n)"),
    ("linear_search", "stops before the last element", "while (i < n)", "while (i + 1 < n)"),
    ("linear_search", "returns the index behind", "return i;", "return i + 1;"),
    ("linear_search", "starts at 1", "int i = 0;", "int i = 1;"),
    ("linear_search", "finds what is different", "a[i] == e)\n", "a[i] != e)\n"),
    ("binary_search", "as printed: n - 1 of an empty array", "{1 <= n", "{0 <= n"),
    ("binary_search", "the array need not be sorted", " && isSorted(a,n)}\n  int", "}\n  int"),
    ("binary_search", "wrong comparison", "a[mid] < e", "a[mid] <= e"),
    ("binary_search", "skips the middle", "high = mid;", "high = mid - 1;"),
    ("binary_search_full", "the sum of two indices", "low + (high - low) / 2", "(low + high) / 2"),
    ("binary_search_full", "the element behind the last", "low < n && a[low]", "low <= n && a[low]"),
    ("bubble_sort", "inner loop too short", "j + 1 < n - i", "j + 2 < n - i"),
    ("bubble_sort", "inner loop too long", "j + 1 < n - i", "j < n - i"),
    ("bubble_sort", "wrong comparison", "a[j] > a[j + 1]", "a[j] < a[j + 1]"),
    ("bubble_sort", "swaps back", "a[j + 1] = t;", "a[j] = t;"),
    ("bubble_sort", "one round alone", "i = i + 1;", "i = n;"),
    ("selection_sort", "misses the last element", "while (j < n)", "while (j + 1 < n)"),
    ("selection_sort", "wrong comparison", "a[j] < a[least]", "a[j] > a[least]"),
    ("selection_sort", "half a swap", "    a[i] = a[least];\n", ""),
    ("array_partition", "misses the last element", "while (i < n)", "while (i + 1 < n)"),
    ("array_partition", "wrong comparison", "a[i] < pivot)", "a[i] <= pivot)"),
    ("array_partition", "the pivot is not put back", "  a[last] = pivot;\n", ""),
    ("array_partition", "swaps before it moves on", "      last = last + 1;\n      int t = a[last];\n      a[last] = a[i];\n      a[i] = t;\n",
     "      int t = a[last];\n      a[last] = a[i];\n      a[i] = t;\n      last = last + 1;\n"),
    ("list_insert", "forgets the new head", "      head = fresh;\n", ""),
    ("list_insert", "loses the rest", "next[fresh] = next[cell];", "next[fresh] = -1;"),
    ("list_insert", "a cycle", "next[fresh] = next[cell];", "next[fresh] = cell;"),
    ("list_insert", "one cell too far", "data[next[cell]] < value)\n        cell", "data[cell] < value)\n        cell"),
    ("list_insert", "no empty list", "head == -1 || value", "value"),
    ("list_remove", "the head is not moved", "head = next[cell];", "head = head;"),
    ("list_remove", "loses the rest", "next[before] = next[cell];", "next[before] = -1;"),
    ("list_remove", "removes the wrong cell", "before = cell;\n      cell = next[cell];", "cell = next[cell];\n      before = cell;"),
]
BUG_BITS = {"binary_search": 4}


def bug_cases():
    cases = []
    for name, title, old, new in BUGS:
        text = source(name)
        if text.count(old) != 1:
            raise ValueError(f"{name}: {old!r} should occur once, not {text.count(old)} times")
        bits = BUG_BITS.get(name, 3)
        cases.append(Case(f"{name}: {title}", text.replace(old, new), bits, 2 ** (bits - 1) - 1 if name in HALF else None, "violated"))
    return cases


def locks(count, safe):
    """The idea of SV-COMP's locks: each lock that is wanted is taken, then found taken and given back, again and again. In the unsafe
    one the last lock is taken where the first is wanted."""
    numbers = range(1, count + 1)
    lines = ["void main() {"]
    lines += [f"  int want{i};" for i in numbers]
    lines += [f"  int lock{i};" for i in numbers]
    lines += ["  while (nondet()) {"]
    lines += [f"    lock{i} = 0;" for i in numbers]
    lines += [f"    if (want{1 if i == count and not safe else i} != 0) lock{i} = 1;" for i in numbers]
    for i in numbers:
        lines += [f"    if (want{i} != 0) {{", f"      assert(lock{i} == 1);", f"      lock{i} = 0;", "    }"]
    return "\n".join(lines + ["  }", "}", ""])


# Table 6.4: seconds of Noureddine (2014), and of the three best of SV-COMP 2013.
COMPETITION = {
    "locks_5_safe": (0.28, 0.4, 1.2, 1.3), "locks_6_safe": (0.32, 0.43, 1.3, 1.6), "locks_7_safe": (0.52, 0.4, 1.3, 1.9),
    "locks_8_safe": (0.62, 0.4, 1.3, 2.3), "locks_9_safe": (1.05, 0.39, 1.3, 3.5), "locks_10_safe": (0.88, 0.4, 1.3, 6.4),
    "locks_11_safe": (3.42, 0.39, 1.4, 24), "locks_12_safe": (4.21, 0.4, 1.4, 110), "locks_13_safe": (4.18, 0.43, 1.4, 100),
    "locks_14_safe": (5.9, 0.4, 1.4, 100), "locks_15_safe": (6.83, 0.4, 1.4, 100), "locks_14_unsafe": (0.99, 3.2, 1.6, 1.8),
    "locks_15_unsafe": (0.91, 4.2, 1.6, 1.8), "array_safe": (0.116, 0.05, 0.15, 0.48), "array_unsafe": (0.091, 0.09, 0.47, 0.46),
    "count_up_down_safe": (0.137, 0.28, 450, 0.39), "count_up_down_unsafe": (0.095, 0.04, 0.15, 0.43),
    "invert_string_safe": (1.808, 0.03, 14, 0.56), "invert_string_unsafe": (0.266, 0.11, 10, 0.68),
}
COMPETITION_BARS = {"locks_15_safe": 2}
COMPETITION_BITS = 8
# What makes the unsafe one of the safe one.
UNSAFE = {
    "array": ("array[0] >= least", "array[0] > least"),
    "count_up_down": ("up == n", "up != n"),
    "invert_string": ("to[j] = from[i];", "to[j] = from[j];"),
}


def competition_cases():
    cases = []
    for name, seconds in COMPETITION.items():
        family, kind = name.rsplit("_", 1)
        if family.startswith("locks"):
            text = locks(int(family.split("_")[1]), kind == "safe")
        else:
            text = source(family)
            if kind == "unsafe":
                old, new = UNSAFE[family]
                text = text.replace(old, new)
        cases.append(Case(name, text, COMPETITION_BITS, None, "holds" if kind == "safe" else "violated", Figures(seconds=seconds[0]),
                          COMPETITION_BARS.get(name)))
    return cases
