import pytest

from domain.cards import CARDS, card_set, members
from domain.game import Seat
from domain.games.trix import GAME
from domain.games.trix.commands import Play
from domain.games.trix.contracts import TERMS, Contract
from domain.games.trix.events import CardPlayed, DealScored, TrickTaken
from domain.games.trix.scoring import trick_points
from domain.games.trix.state import Phase
from tests.domain.games.trix.play import SUITS, holding, opened, playable, played, refusal

K, Q, D, L, C = Contract.KING, Contract.QUEENS, Contract.DIAMONDS, Contract.LTOOSH, Contract.COMPLEX
HANDS = holding("2H 3H 5D 6C", "KH 4H 7D 2C", "AH 5H 3C 8S", "6H 7H 4C AD")


@pytest.mark.parametrize("owner", range(4))
def test_trx_49_the_owner_leads_the_first_trick(owner: int) -> None:
    assert opened(SUITS, L, owner=owner).turn == owner


def test_trx_50_and_6_the_turn_goes_round_and_four_cards_make_a_trick() -> None:
    state = opened(HANDS, L)
    for seat, code in enumerate(("2H", "4H", "5H")):
        assert state.turn == seat
        for other in range(4):
            if other != seat:
                assert refusal(state, other, Play(HANDS[other][0])) == "NOT_YOUR_TURN"
                assert GAME.legal(state, Seat(other)) == ()
        state = played(state, code)
    assert len(state.trick) == 3
    assert played(state, "6H").trick == ()


def test_trx_51_who_can_follow_suit_must() -> None:
    state = played(opened(HANDS, L), "2H")
    assert playable(state, 1) == {code for code in HANDS[1] if code[1] == "H"}
    assert refusal(state, 1, Play("7D")) == "MUST_FOLLOW_SUIT"
    assert refusal(state, 1, Play("AH")) == "CARD_NOT_IN_HAND"
    assert refusal(state, 1, Play("1H")) == "CARD_NOT_IN_HAND"


def test_trx_52_who_cannot_may_play_anything() -> None:
    assert playable(played(opened(SUITS, C, variant="complex"), "2S"), 1) == set(SUITS[1])


@pytest.mark.parametrize("contract", [K, Q, D, L])
def test_trx_53_any_card_may_be_led(contract: Contract) -> None:
    hands = holding("KH AH 2H AD KD QS 2C")
    assert playable(opened(hands, contract), 0) == set(hands[0])


@pytest.mark.parametrize(
    ("cards", "taker"), [("2H 4H 5H 6H", 3), ("3H KH AH 7H", 2), ("5D 7D 8S AD", 3), ("6C 2C 3C 4C", 0)]
)
def test_trx_54_and_55_the_highest_card_of_the_suit_led_takes_and_its_player_leads(cards: str, taker: int) -> None:
    hands = holding("2H 3H 5D 6C", "KH 4H 7D 2C", "AH 5H 3C 8S 9S TS JS QS KS AS 2S 3S 4S", "6H 7H 4C AD")
    state = played(opened(hands, L), cards)
    assert (state.turn, state.leader) == (taker, taker)
    assert state.points[taker] == -15


def test_trx_56_nobody_must_play_high() -> None:
    state = played(opened(HANDS, L), "3H")
    assert {"4H", "KH"} <= playable(state, 1)


@pytest.mark.parametrize(
    ("contract", "price"),
    [
        (K, {"KH": 75}),
        (Q, {"QS": 25, "QH": 25, "QD": 25, "QC": 25}),
        (D, {rank + "D": 10 for rank in "23456789TJQKA"}),
        (L, {}),
        (C, {rank + "D": 10 for rank in "23456789TJQKA"} | {"KH": 75, "QS": 25, "QH": 25, "QC": 25, "QD": 35}),
    ],
)
def test_trx_58_60_62_64_66_70_and_71_what_counts_in_each_contract(contract: Contract, price: dict[str, int]) -> None:
    terms = TERMS[contract]
    assert {code: terms.cards[card] for code, card in CARDS.items() if terms.cards[card]} == price
    assert terms.trick == (15 if contract in {L, C} else 0)
    assert terms.total == -sum(price.values()) - 13 * terms.trick


@pytest.mark.parametrize("contract", [K, Q, D])
def test_trx_59_61_63_and_65_a_deal_ends_with_the_completed_trick_that_takes_the_last(contract: Contract) -> None:
    state = opened(SUITS, contract)  # seat 0 leads spades and takes everything
    last = TERMS[contract].ends
    codes = {code for code, card in CARDS.items() if card in set(members(last))}
    seen: set[str] = set()
    for step in range(13):
        trick = [hand[12 - step] for hand in SUITS]
        seen |= set(trick)
        state = played(state, " ".join(trick[:3]))
        assert state.phase is Phase.TRICKS
        state = played(state, trick[3])
        if codes <= seen:
            break
        assert state.phase is Phase.TRICKS
    assert state.phase is Phase.DEAL_SCORED
    assert state.points == (TERMS[contract].total, 0, 0, 0)


@pytest.mark.parametrize("contract", [L, C])
def test_trx_64_69_and_72_all_thirteen_tricks_are_played(contract: Contract) -> None:
    variant = "complex" if contract is C else "individual"
    state = opened(SUITS, contract, variant=variant)
    for step in range(12):
        state = played(state, " ".join(hand[12 - step] for hand in SUITS))
        assert state.phase is Phase.TRICKS
    state = played(state, " ".join(hand[0] for hand in SUITS))
    assert state.phase is Phase.DEAL_SCORED
    assert len(state.tricks) == 13
    assert state.points == (TERMS[contract].total, 0, 0, 0)


def test_trx_67_the_points_are_the_takers_not_the_players() -> None:
    state = opened(holding("AH", "KH", "2H", "3H"), K)
    events = GAME.decide(played(state, "AH KH 2H"), Seat(3), Play("3H"))
    assert events == (
        CardPlayed(Seat(3), "3H"),
        TrickTaken(Seat(0), (-75, 0, 0, 0)),
        DealScored(deal=6, owner=Seat(0), contract=K, points=(-75, 0, 0, 0), totals=(-75, 0, 0, 0)),
    )


V = {"KH": 75, "QS": 25, "QH": 25, "QD": 25, "QC": 25}


@pytest.mark.parametrize("code", V)
@pytest.mark.parametrize("leader", range(4))
@pytest.mark.parametrize("taker", range(4))
@pytest.mark.parametrize("doubler", range(4))
def test_trx_96_to_100_a_doubled_card_costs_twice_and_pays_once(
    code: str, leader: int, taker: int, doubler: int
) -> None:
    contract = K if code == "KH" else Q
    doubled = tuple(card_set([CARDS[code]] if seat == doubler else []) for seat in range(4))
    points = trick_points(TERMS[contract], Seat(leader), Seat(taker), [CARDS[code]], doubled)
    expected = [0, 0, 0, 0]
    expected[taker] -= 2 * V[code]
    expected[leader if taker == doubler else doubler] += V[code]
    assert points == tuple(expected)
    assert sum(points) == -V[code]


def test_trx_74_a_doubled_queen_of_diamonds_in_complex() -> None:
    doubled = (card_set([CARDS["QD"]]), *(card_set([]),) * 3)
    assert trick_points(TERMS[C], Seat(1), Seat(1), [CARDS["QD"]], doubled) == (25, -75, 0, 0)


def test_trx_101_and_102_each_doubled_card_has_its_own_doubler_partners_or_not() -> None:
    doubled = tuple(card_set([CARDS[code]]) for code in ("QS", "QH", "QD", "QC"))
    trick = [CARDS[code] for code in ("QS", "QH", "QD", "QC")]
    assert trick_points(TERMS[Q], Seat(1), Seat(2), trick, doubled) == (25, 50, -200, 25)


def test_trx_57_and_68_there_is_no_claim_and_the_cards_left_stay_in_their_hands() -> None:
    state = played(opened(holding("AH", "KH", "2H", "3H"), K), "AH KH 2H 3H")
    assert [hand.bit_count() for hand in state.hands] == [12] * 4
    assert refusal(state, 0, Play("2S")) == "WRONG_PHASE"
