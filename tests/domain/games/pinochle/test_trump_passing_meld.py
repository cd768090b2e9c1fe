"""Trump, passing and meld: PIN-27 to PIN-45."""

import pytest

from domain.game import SPECTATOR, Seat
from domain.games.pinochle import GAME
from domain.games.pinochle.commands import Bid, Command, Give, NameTrump, PassBid, PlayCard, Ready
from domain.games.pinochle.events import CardsGiven, MeldClosed, MeldShown, PassChosen, SeatReady
from domain.games.pinochle.melds import display, meld_points
from domain.games.pinochle.pack import codes, pack
from domain.games.pinochle.state import Phase
from tests.domain.games.pinochle.tables import (
    SEATS,
    calls,
    contracted,
    dealt,
    everyone_ready,
    moved,
    playing,
    refusal,
    rules,
)

# Seat 1 holds no marriage; seat 0 has one in hearts alone.
FEW_MARRIAGES = (
    "AS TS JS 9S KH QH AD TD JD AC TC 9C",
    "AS TS JS 9S AH TH 9H AD TD JD AC 9C",
    "KS QS JH 9H KD QD 9D KC QC JC AH KH",
    "KS QS TH QH JH KD QD 9D KC QC JC TC",
)


def test_pin_27_the_declarer_names_one_of_four_suits_once() -> None:
    state = moved(dealt(), *calls("0:200 1:P 2:P 3:P"))
    assert refusal(state, 1, NameTrump("H")) == "NOT_YOUR_TURN"
    for wrong in ("N", "", "h"):
        assert refusal(state, 0, NameTrump(wrong)) == "BAD_SUIT"
    named = moved(state, (0, NameTrump("H")))
    assert refusal(named, 0, NameTrump("S")) == "WRONG_PHASE"


def test_pin_28_no_cards_are_needed_in_the_suit() -> None:
    state = moved(dealt(), *calls("0:200 1:P 2:P 3:P"))
    assert GAME.legal(state, Seat(0)) == tuple(map(NameTrump, "SHDC"))


def test_pin_29_without_a_marriage_a_seat_may_only_pass() -> None:
    state = moved(dealt(FEW_MARRIAGES, trump_needs_marriage=True), (0, Bid(200)))
    assert GAME.legal(state, Seat(1)) == (PassBid(),)
    assert refusal(state, 1, Bid(210)) == "BID_NEEDS_MARRIAGE"
    assert refusal(state, 1, Bid(205)) == "BID_STEP"
    assert refusal(state, 1, Bid(200)) == "BID_TOO_LOW"


def test_pin_29_trump_needs_king_and_queen_except_for_a_forced_dealer_without_any() -> None:
    state = moved(dealt(FEW_MARRIAGES, trump_needs_marriage=True), *calls("0:200 1:P 2:P 3:P"))
    assert GAME.legal(state, Seat(0)) == (NameTrump("H"),)
    assert refusal(state, 0, NameTrump("S")) == "TRUMP_NEEDS_MARRIAGE"
    forced = moved(
        dealt(FEW_MARRIAGES, 1, trump_needs_marriage=True, all_pass="dealer_forced"), *calls("2:P 3:P 0:P 1:P")
    )
    assert GAME.legal(forced, Seat(1)) == tuple(map(NameTrump, "SHDC"))


def test_pin_30_no_passing_by_default() -> None:
    assert contracted().phase is Phase.MELD


def test_pin_31_the_partner_gives_first_and_the_declarer_may_return_what_he_got() -> None:
    state = contracted(pass_count=3)
    assert (state.phase, state.turn) == (Phase.PASS_PARTNER, 2)
    assert refusal(state, 0, Give(("QS", "9S", "AH"))) == "NOT_YOUR_TURN"
    given = moved(state, (2, Give(("AS", "AD", "AC"))))
    assert (given.phase, given.turn, given.held(Seat(0)), given.held(Seat(2))) == (Phase.PASS_DECLARER, 0, 15, 9)
    returned = moved(given, (0, Give(("AS", "9S", "9C"))))
    assert returned.phase is Phase.MELD
    assert [returned.held(seat) for seat in SEATS] == [12] * 4
    assert "AS" in codes(returned.hands[2])
    assert {"AD", "AC"} <= set(codes(returned.hands[0]))


def test_pin_32_both_give_from_their_own_twelve_at_once() -> None:
    state = contracted(pass_count=3, pass_style="simultaneous")
    prompt = GAME.prompt(state)
    assert prompt is not None
    assert prompt.seats == (0, 2)
    assert refusal(state, 1, Give(("AS", "KS", "KS"))) == "NOT_YOUR_TURN"
    chosen = moved(state, (2, Give(("AS", "AD", "AC"))))
    assert chosen.hands == state.hands
    after = GAME.prompt(chosen)
    assert after is not None
    assert (after.number, after.seats) == (prompt.number, (0,))
    assert refusal(chosen, 2, Give(("AS", "AD", "AC"))) == "ALREADY_READY"
    assert refusal(chosen, 0, Give(("AD", "9S", "9C"))) == "CARD_NOT_IN_HAND"
    both = moved(chosen, (0, Give(("QD", "9S", "9C"))))
    assert both.phase is Phase.MELD
    assert {"AS", "AD", "AC"} <= set(codes(both.hands[0]))
    assert {"QD", "9C"} <= set(codes(both.hands[2]))


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        (("AS", "AD"), "BAD_PASS_COUNT"),
        (("AS", "AD", "AC", "TS"), "BAD_PASS_COUNT"),
        (("AS", "AS", "AD"), "CARD_NOT_IN_HAND"),
        (("AS", "AD", "2C"), "CARD_NOT_IN_HAND"),
        (("KS", "AD", "AC"), "CARD_NOT_IN_HAND"),
    ],
)
def test_pin_33_exactly_n_cards_that_the_giver_holds(cards: tuple[str, ...], code: str) -> None:
    assert refusal(contracted(pass_count=3), 2, Give(cards)) == code
    assert refusal(contracted(), 2, Give(cards)) == "WRONG_PHASE"


@pytest.mark.parametrize("style", ["sequential", "simultaneous"])
def test_pin_33_opponents_and_spectators_learn_only_the_number(style: str) -> None:
    state = contracted(pass_count=3, pass_style=style)
    events = GAME.decide(state, Seat(2), Give(("AS", "AD", "AC")))
    for event in events:
        assert isinstance(event, PassChosen | CardsGiven)
        for viewer in (Seat(1), Seat(3), SPECTATOR):
            told = GAME.redact(event, viewer)
            assert isinstance(told, PassChosen | CardsGiven)
            assert told.cards == ("??",) * 3
    partner = GAME.redact(events[0], Seat(0))
    assert isinstance(partner, PassChosen | CardsGiven)
    assert partner.cards == (("AS", "AD", "AC") if style == "sequential" else ("??",) * 3)


def test_pin_34_teams_add_what_their_hands_meld_alone() -> None:
    state = contracted()
    assert [meld_points(melds) for melds in state.melds] == [190, 30, 100, 30]
    assert state.meld_of_teams() == (290, 60)


def test_pin_35_the_server_shows_every_meld_with_the_trump() -> None:
    state = moved(dealt(), *calls("0:200 1:P 2:P 3:P"))
    events = GAME.decide(state, Seat(0), NameTrump("H"))
    assert isinstance(events[-1], MeldShown)
    assert all(command == Ready() for command in GAME.legal(moved(state, (0, NameTrump("H"))), Seat(1)))


MELDS = [
    ("H", "AH TH KH QH JH", {"run": 150}),
    ("C", "AH TH KH QH JH", {"marriage": 20}),
    ("H", "AH TH KH KH QH JH", {"run": 150}),
    ("H", "AH TH KH QH QH JH", {"run": 150}),
    ("H", "AH TH KH KH QH QH JH", {"run": 150, "royal_marriage": 40}),
    ("H", "AH AH TH TH KH KH QH QH JH JH", {"double_run": 1500}),
    ("S", "AH AH TH TH KH KH QH QH JH JH", {"marriage": 40}),
    ("H", "KC KC QC", {"marriage": 20}),
    ("C", "KC KC QC QC", {"royal_marriage": 80}),
    ("H", "9H 9H 9S", {"dix": 20}),
    ("D", "AS AS AH AH AD AD AC", {"aces_around": 100}),
    ("D", "AS AS AH AH AD AD AC AC", {"double_aces_around": 1000}),
    ("D", "KS KH KD KC", {"kings_around": 80}),
    ("D", "KS KS KH KH KD KD KC KC", {"double_kings_around": 800}),
    ("D", "QS QH QD QC", {"queens_around": 60}),
    ("D", "QS QS QH QH QD QD QC QC", {"double_queens_around": 600}),
    ("D", "JS JS JH JH JD JD JC JC", {"double_jacks_around": 400}),
    ("C", "JS JH JD JC QS", {"jacks_around": 40, "pinochle": 40}),
    ("D", "AD TD KD QD JD QS JS JH JC", {"run": 150, "jacks_around": 40, "pinochle": 40}),
    (
        "C",
        "KS QS KH QH KD QD KC QC",
        {"royal_marriage": 40, "marriage": 60, "kings_around": 80, "queens_around": 60},
    ),
    ("S", "AS AS TS TS KS KS QS QS JS JS JD JD", {"double_run": 1500, "double_pinochle": 300}),
    ("H", "QS QS JD", {"pinochle": 40}),
    ("H", "QS QS JD JD", {"double_pinochle": 300}),
    ("C", "KS QS JD", {"marriage": 20, "pinochle": 40}),
    ("S", "KS QS JD", {"royal_marriage": 40, "pinochle": 40}),
    ("S", "TS TH TD TC 9H 9D 9C", {}),
]


@pytest.mark.parametrize(("trump", "cards", "expected"), MELDS)
def test_pin_36_to_42_what_a_hand_melds(trump: str, cards: str, expected: dict[str, int]) -> None:
    melds, _ = display(pack(cards.split()), "SHDC".index(trump), rules())
    assert {meld.name: meld.points for meld in melds} == expected


@pytest.mark.parametrize(
    ("options", "trump", "cards", "points"),
    [
        ({"double_values": "twice"}, "S", "AS AS TS TS KS KS QS QS JS JS JD JD", 380),
        ({"double_values": "twice"}, "D", "AS AS AH AH AD AD AC AC", 200),
        ({"double_values": "twice"}, "D", "KS KS KH KH KD KD KC KC", 160),
        ({"double_values": "twice"}, "D", "QS QS QH QH QD QD QC QC", 120),
        ({"double_values": "twice"}, "D", "JS JS JH JH JD JD JC JC", 80),
        ({"run_extras": True}, "H", "AH TH KH KH QH JH", 190),
        ({"run_extras": True}, "H", "AH TH KH QH QH JH", 190),
        ({"run_extras": True}, "H", "AH TH KH KH QH QH JH", 230),
        ({"run_extras": True}, "H", "AH AH TH TH KH KH QH QH JH JH", 1500),
        ({"run_extras": True}, "H", "KH KH QH QH", 80),
        ({"dix": False}, "H", "9H 9H", 0),
    ],
)
def test_pin_43_options_of_the_meld(options: dict[str, object], trump: str, cards: str, points: int) -> None:
    melds, _ = display(pack(cards.split()), "SHDC".index(trump), rules(**options))
    assert meld_points(melds) == points


def test_pin_44_the_display_ends_when_every_seat_is_ready() -> None:
    state = contracted(meld_display_seconds=5)
    prompt = GAME.prompt(state)
    assert prompt is not None
    assert (prompt.kind, prompt.seats, prompt.commands, prompt.seconds) == ("meld_display", SEATS, ("ready",), 5)
    assert prompt.window
    assert refusal(state, 0, PlayCard("AH")) == "WRONG_PHASE"
    three = moved(state, *everyone_ready()[:3])
    assert refusal(three, 1, Ready()) == "ALREADY_READY"
    assert GAME.decide(three, Seat(3), Ready()) == (SeatReady(Seat(3)), MeldClosed())
    over = playing()
    assert (over.phase, over.shown) == (Phase.PLAY, (0, 0, 0, 0))
    assert refusal(over, 0, Ready()) == "WRONG_PHASE"


@pytest.mark.parametrize(
    ("trump", "cards", "shown"),
    [
        ("D", "AD TD KD QD JD QS JS JH JC", "QS JS JH AD TD KD QD JD JC"),
        ("C", "KS QS QS JD 9H", "KS QS JD"),
        ("C", "KS KS QS QS JD JD AH", "KS KS QS QS JD JD"),
        ("H", "AH TH KH KH QH JH 9H 9S", "AH TH KH QH JH 9H"),
        ("S", "AS AS AH AD AC TH", "AS AH AD AC"),
    ],
)
def test_pin_45_a_card_is_shown_as_often_as_one_type_needs_it(trump: str, cards: str, shown: str) -> None:
    _, display_cards = display(pack(cards.split()), "SHDC".index(trump), rules())
    assert codes(display_cards) == codes(pack(shown.split()))


def test_the_meld_follows_the_pass() -> None:
    moves: list[tuple[int, Command]] = [(2, Give(("AS", "AD", "AC"))), (0, Give(("9S", "9C", "QD")))]
    state = moved(contracted(pass_count=3), *moves)
    expected = {"run": 150, "aces_around": 100, "pinochle": 40}
    assert {meld.name: meld.points for meld in state.melds[0]} == expected
    assert state.meld_of_teams()[0] == sum(
        meld_points(display(state.hands[seat], 1, state.rules)[0]) for seat in (0, 2)
    )
