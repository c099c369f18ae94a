"""The models of chapter 7 of Noureddine (2014), with its figures and the bars."""
import pathlib
from dataclasses import dataclass

import atm
import quorum

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "bip"


@dataclass
class Figures:
    """Of Noureddine (2014): latches, ands and levels before and after reduction, total seconds."""
    before: tuple = ()
    after: tuple = ()
    seconds: float | None = None
    nusmv: float | None = None


@dataclass
class Case:
    part: str
    name: str
    text: str
    expected: str
    arguments: tuple
    paper: Figures
    bar: float | None = None  # seconds
    is_long: bool = False


ATM_SEED = {
    2: Figures((78, 2308, 125), (37, 552, 25), 26.1, 1.4),
    3: Figures((102, 3689, 197), (50, 804, 29), 38.87, 142.6),
    4: Figures((146, 5669, 234), (63, 1036, 29), 597, 3361),
}
QUORUM_SEED = {
    "2-2-v": Figures((264, 3614, 105), (66, 641, 29), 245),
    "2-2-e": Figures((264, 3508, 101), (65, 923, 51), 0.11),
    "4-2-v": Figures((390, 6453, 151), (117, 1170, 30), 58 * 3600),
    "4-2-e": Figures((390, 6305, 145), (117, 1129, 50), 0.31),
}
ATM_BARS = {4: 60, 6: 3600}
QUORUM_BARS = {"2-2-v": 60, "4-2-v": 3600, "2-2-e": 5, "4-2-e": 5}


def atm_cases():
    for number in range(2, 9):
        yield Case("atm", f"ATM {number}", atm.model(number), "holds", ("--deadlock",), ATM_SEED.get(number, Figures()),
                   ATM_BARS.get(number), number > 4)


def quorum_cases():
    """Both invariants at once."""
    for clients, servers in ((2, 2), (4, 2), (2, 3), (3, 3)):
        for bug, letter in ((None, "v"), ("forget", "e")):
            name = f"{clients}-{servers}-{letter}"
            yield Case("quorum", name, quorum.model(clients, servers, bug), "violated" if bug else "holds",
                       ("--props", str(EXAMPLES / "quorum.props")), QUORUM_SEED.get(name, Figures()),
                       QUORUM_BARS.get(name, 5 if bug else None), servers > 2)
