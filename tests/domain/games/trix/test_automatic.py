"""What the clock does (TRX-122 to TRX-127)."""

import pytest

from domain.games.trix import GAME
from domain.games.trix.commands import ChooseContract, Command, Play, Ready
from domain.games.trix.contracts import Contract
from domain.games.trix.scenario import Position, place
from domain.games.trix.state import State
from tests.domain.games.trix.play import (
    NORMAL,
    SEATS,
    SUITS,
    chance,
    choose,
    dealt,
    holding,
    match,
    opened,
    played,
    settings,
)

K, Q, D, L, T, C = (*NORMAL[:4], Contract.TRIX, Contract.COMPLEX)


def automatic(state: State) -> Command:
    prompt = GAME.prompt(state)
    assert prompt is not None
    return GAME.automatic(state, prompt.seats[0], chance(1))


def position(contract: Contract, hands: list[str], turn: int, trick: str = "") -> State:
    """Return a deal in which the seat to play holds these cards and the others as many of the rest."""
    size = len(hands[turn].split())
    used = {*hands[turn].split(), *trick.split()}
    pool = [code for suit in SUITS for code in suit if code not in used]
    filled = []
    for seat in range(4):
        before = (turn - seat) % 4 <= len(trick.split()) and seat != turn
        filled.append(hands[seat] if seat == turn else " ".join(pool.pop() for _ in range(size - before)))
    variant = "complex" if contract is C else "individual"
    first, second, third, fourth = filled
    return place(
        settings(variant),
        Position(owner=0, contract=contract, hands=(first, second, third, fourth), turn=turn, trick=trick),
    )


@pytest.mark.parametrize(
    ("variant", "used", "chosen"),
    [
        ("individual", (), K),
        ("individual", (K,), Q),
        ("partnership", (Q, K), D),
        ("individual", (T, D, K), Q),
        ("individual", (K, Q, D), L),
        ("complex", (), C),
    ],
)
def test_trx_28_and_122_the_first_open_contract(variant: str, used: tuple[Contract, ...], chosen: Contract) -> None:
    assert automatic(dealt(SUITS, variant, owner=1, played=used)) == ChooseContract(chosen)


def test_trx_123_ready_and_no_double_of_its_own() -> None:
    state = choose(dealt(holding("KH"), owner=0), K)
    assert automatic(state) == Ready()


@pytest.mark.parametrize(
    ("hand", "card"),
    [("3S 4S AS", "3S"), ("3S 2C 5H", "2C"), ("3H 3D 3C 4S", "3H"), ("AS AH AD AC", "AS")],
)
def test_trx_125_leading_the_lowest_rank_suits_in_order(hand: str, card: str) -> None:
    assert automatic(position(D, [hand, "", "", ""], 0)) == Play(card)


@pytest.mark.parametrize(("hand", "card"), [("4S KS 2H", "4S"), ("AS 9S 2S", "2S")])
def test_trx_125_following_the_lowest_of_the_suit(hand: str, card: str) -> None:
    assert automatic(position(L, [hand, "", "", ""], 0, "3S")) == Play(card)


@pytest.mark.parametrize(
    ("contract", "hand", "card"),
    [
        (K, "KH AS AH 2D", "KH"),
        (K, "QH AS AC AH", "AS"),
        (Q, "QC KH QD AD", "QD"),
        (D, "AS 2D 9D QH", "9D"),
        (D, "AS KH AC", "AS"),
        (L, "2H KD KC", "KD"),
        (C, "AD QD KH QS", "KH"),
        (C, "AD QD QS", "QD"),
        (C, "AD QC QH", "QH"),
        (C, "AC 2D 3D", "3D"),
        (C, "TC JH", "JH"),
    ],
)
def test_trx_125_void_the_highest_undoubled_penalty_then_rank_then_suit(
    contract: Contract, hand: str, card: str
) -> None:
    led = next(code for code in ("4S", "4H", "4D", "4C") if code[1] not in {held[1] for held in hand.split()})
    assert automatic(position(contract, [hand, "", "", ""], 0, led)) == Play(card)


@pytest.mark.parametrize(
    ("hands", "moves", "card"),
    [
        (("JS JH", "TS"), "", "JS"),
        (("JH JC 2S", "JS"), "", "JH"),
        (("JS QS TS 9S", "JH 2S", "JD", "JC"), "JS JH JD JC", "QS"),
        (("JS QS KS QH", "JH", "JD", "JC"), "JS JH JD JC", "QS"),
        (("JS KS TH QD", "JH QS", "JD", "JC"), "JS JH JD JC", "QD"),
    ],
)
def test_trx_126_in_trix_the_card_nearest_the_end_of_its_side(hands: tuple[str, ...], moves: str, card: str) -> None:
    assert automatic(played(opened(holding(*hands), T), moves)) == Play(card)


def test_trx_126_ends_come_first_and_a_jack_last() -> None:
    state = played(opened(SUITS, T, owner=1), " ".join(code for code in ("JH", "JD", "JC", "JS")))
    assert automatic(state) == Play("QH")
    state = played(state, "QH QD QC QS KH KD KC KS")
    assert automatic(state) == Play("AH")


@pytest.mark.parametrize("variant", ["individual", "complex_partnership"])
def test_trx_127_the_policy_is_lawful_and_reads_no_hand_but_the_seats_own(variant: str) -> None:
    """It answers the same from the state that the seat itself can fold."""
    seats = {seat: GAME.start(settings(variant)) for seat in SEATS}
    for before, events, _ in match(variant, 8, automatic=0.5):
        prompt = GAME.prompt(before)
        for seat in prompt.seats if prompt else ():
            command = GAME.automatic(before, seat, chance(1))
            assert command in GAME.legal(before, seat)
            assert GAME.automatic(seats[seat], seat, chance(1)) == command
        for seat in SEATS:
            for event in events:
                told = GAME.redact(event, seat)
                if told is not None:
                    seats[seat] = GAME.evolve(seats[seat], told)
