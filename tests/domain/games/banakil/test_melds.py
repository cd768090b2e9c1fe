"""What may be laid, and how it may grow. The worked examples are scenario files besides."""

import pytest

from domain.games.banakil import GAME
from domain.games.banakil.events import MeldExtended, MeldLaid
from tests.domain.games.banakil.tables import (
    S0,
    S1,
    S2,
    at,
    extend,
    hand,
    lay,
    meld,
    play,
    refused,
    throw,
)

FULL = "AH JK1 3H 4H 5H 6H 7H 8H 2C TH JH QH KH AH"

LEGAL = {
    "BNK-38 three cards": ("5H 6H 7H", "5H 6H 7H"),
    "BNK-40 low ace": ("AH 2S 3H", "AH 2S(2H) 3H"),
    "BNK-40 high ace": ("QH KH AH", "QH KH AH"),
    "BNK-41 both aces": (
        "AH 2C 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
        "AH 2C(2H) 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
    ),
    "BNK-42 aces": ("AS AH AD", "AS AH AD"),
    "BNK-42 threes": ("3S 3H 3D 3C", "3S 3H 3D 3C"),
    "BNK-43 a 2 and a joker": ("7H JK1 2C TH", "7H JK1(8H) 2C(9H) TH"),
    "BNK-45 one real card": ("JK2 2H 9S", "JK2(7S) 2H(8S) 9S"),
    "BNK-51 a 2 below": ("2D 5H 6H", "2D(4H) 5H 6H"),
    "BNK-51 a 2 above": ("5H 6H 2D", "5H 6H 2D(7H)"),
    "BNK-52 a 2 of another suit as the 2": ("2D 3H 4H", "2D(2H) 3H 4H"),
    "BNK-53 a joker as the 2": ("JK1 3H 4H", "JK1(2H) 3H 4H"),
    "BNK-61 a joker at an end": ("QH KH JK1", "QH KH JK1(AH)"),
    "BNK-62 a joker in a set": ("3S 3H JK1", "3S 3H JK1"),
    "BNK-73 a lone ace first": ("AH JK1 2C", "AH JK1(2H) 2C(3H)"),
    "BNK-73 a lone ace last": ("JK1 2C AH", "JK1(QH) 2C(KH) AH"),
}
REFUSED = {
    "BNK-38 two cards": ("5H 6H", "TOO_FEW_CARDS"),
    "BNK-38 none": ("", "TOO_FEW_CARDS"),
    "BNK-39 two suits": ("5H 6H 7S", "NOT_A_MELD"),
    "BNK-39 a gap": ("5H 6H 8H", "SEQ_NOT_CONSECUTIVE"),
    "BNK-40 round the ace": ("KH AH 2C", "SEQ_NOT_CONSECUTIVE"),
    "BNK-40 below the ace": ("JK1 AH 2C 3H", "SEQ_NOT_CONSECUTIVE"),
    "BNK-40 round with a 3": ("KH AH 2C 3H", "SEQ_NOT_CONSECUTIVE"),
    "BNK-42 kings": ("KS KH KD", "SET_RANK"),
    "BNK-42 equal cards": ("AS AS AH", "SET_SUIT_REPEATED"),
    "BNK-43 two 2s": ("5H 2S 2D 8H", "TOO_MANY_TWOS"),
    "BNK-43 two jokers": ("5H JK1 JK2 8H", "TOO_MANY_JOKERS"),
    "BNK-43 2s before jokers": ("2S 2D JK1 JK2", "TOO_MANY_TWOS"),
    "BNK-46 equal cards of one suit": ("AS AS JK1", "SEQ_NOT_CONSECUTIVE"),
    "BNK-50 a 2 in a set": ("AS AH 2D", "TWO_IN_SET"),
    "BNK-50 a 2 and a joker in a set": ("3S 3H 2D JK1", "TWO_IN_SET"),
    "BNK-50 before the rank": ("KS KH 2D", "TWO_IN_SET"),
    "BNK-62 a fifth card": ("3S 3H 3D 3C JK1", "SET_TOO_LARGE"),
    "BNK-73 wrong order": ("7H 6H 5H", "SEQ_NOT_CONSECUTIVE"),
    "BNK-73 a lone ace between": ("JK1 AH 2C", "SEQ_NOT_CONSECUTIVE"),
    "BNK-72 not in the hand": ("5H 6H 9D", "CARD_NOT_IN_HAND"),
    "BNK-72 the same card twice": ("5H.1 5H.1 6H", "CARD_NOT_IN_HAND"),
    "BNK-72 before the number of cards": ("9D", "CARD_NOT_IN_HAND"),
    "BNK-72 no card": ("5H 6H XX", "CARD_NOT_IN_HAND"),
}


@pytest.mark.parametrize(("cards", "lies"), LEGAL.values(), ids=LEGAL.keys())
def test_bnk_38_to_74_a_new_meld_and_what_its_wild_cards_stand_for(cards: str, lies: str) -> None:
    state = play(at(f"{cards} KC"), (S0, lay(cards)))
    assert meld(state) == lies
    assert hand(state, S0) == ["KC"]
    assert state.opened == 1


@pytest.mark.parametrize(("cards", "code"), REFUSED.values(), ids=REFUSED.keys())
def test_bnk_38_to_73_what_is_no_meld(cards: str, code: str) -> None:
    held = [card for card in cards.split() if card not in {"9D", "XX", "5H.1"}]
    refused(at(" ".join(["KC", "5H", "6H"] if code == "CARD_NOT_IN_HAND" else ["KC", *held])), S0, lay(cards), code)


def test_bnk_44_every_meld_has_a_real_card() -> None:
    """Two wild cards at most and three cards at least leave one."""
    refused(at("2S 2H JK1 KC"), S0, lay("2S 2H JK1"), "TOO_MANY_TWOS")
    refused(at("2S JK2 JK1 KC"), S0, lay("2S JK1 JK2"), "TOO_MANY_JOKERS")
    refused(at("2S JK2 JK1 KC"), S0, lay("2S JK1"), "TOO_FEW_CARDS")


def test_bnk_47_any_number_of_melds_of_a_suit() -> None:
    state = play(at("5H 6H 7H 5H 6H 7H 9H TH JH KC"), (S0, lay("5H 6H 7H")), (S0, lay("5H 6H 7H")))
    state = play(state, (S0, lay("9H TH JH")))
    assert [meld(state, number) for number in (1, 2, 3)] == ["5H 6H 7H", "5H 6H 7H", "9H TH JH"]


def test_bnk_74_the_event_says_what_wild_cards_stand_for() -> None:
    (laid,) = GAME.decide(at("7H JK1 2C TH KC"), S0, lay("7H JK1 2C TH"))
    assert laid == MeldLaid(seat=S0, meld="m1", cards=("7H", "JK1", "2C", "TH"), stands_for=(None, "8H", "9H", None))


EXTENDED = {
    "BNK-75 above": ("5H 6H 7H", "8H", "5H 6H 7H 8H", "5H 6H 7H 8H", ""),
    "BNK-75 both ends at once": ("5H 6H 7H", "4H 8H", "4H 5H 6H 7H 8H", "4H 5H 6H 7H 8H", ""),
    "BNK-76 a 2 and a joker": ("5H 6H 7H", "2S JK1", "2S 5H 6H 7H JK1", "2S(4H) 5H 6H 7H JK1(8H)", ""),
    "BNK-55 displaced up": ("7H 8H 2C TH", "9H", "7H 8H 9H TH 2C", "7H 8H 9H TH 2C(JH)", ""),
    "BNK-55 displaced from an end": ("7H 8H 2C", "9H", "2C 7H 8H 9H", "2C(6H) 7H 8H 9H", ""),
    "BNK-55 displaced into a gap": ("7H 8H 2C TH", "9H QH", "7H 8H 9H TH 2C QH", "7H 8H 9H TH 2C(JH) QH", ""),
    "BNK-64 exchanged": ("7H JK1 9H", "8H", "7H 8H 9H", "7H 8H 9H", "JK1"),
    "BNK-64 exchanged at an end": ("7H 8H JK1", "9H", "7H 8H 9H", "7H 8H 9H", "JK1"),
    "BNK-67 the 2 of the suit": ("AH JK1 3H", "2H", "AH 2H 3H", "AH 2H(2H) 3H", "JK1"),
    "BNK-76 one joker in, one out": ("7H JK1 9H", "8H JK2", "7H 8H 9H JK2", "7H 8H 9H JK2(TH)", "JK1"),
    "BNK-41 a second ace": ("2C 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", "AH",
                            "AH 2C 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
                            "AH 2C(2H) 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", ""),
    "BNK-70 added to a set": ("AS AH JK1", "AD", "AD AH JK1 AS", "AD AH JK1 AS", ""),
    "BNK-70 exchanged in a set": ("AS AH JK1", "AD", "AS AH AD", "AS AH AD", "JK1"),
    "BNK-71 exchanged in a full set": ("AS AH AC JK1", "AD", "AS AH AC AD", "AS AH AC AD", "JK1"),
    "BNK-62 a joker to a set": ("3S 3H 3D", "JK2", "3S 3H 3D JK2", "3S 3H 3D JK2", ""),
}  # fmt: skip
LOCKED = {
    "BNK-48 a card left out": ("5H 6H 7H", "8H", "6H 7H 8H", "REAL_CARD_MOVED"),
    "BNK-48 another ace end": ("AH 2C JK1", "KH", "2C KH AH", "REAL_CARD_MOVED"),
    "BNK-54 the 2 left out": ("7H 8H 2C TH", "9H", "7H 8H 9H TH", "BANKALA_LOCKED"),
    "BNK-56 the 2 moved": ("7H 8H 2C", "6H", "2C 6H 7H 8H", "BANKALA_LOCKED"),
    "BNK-57 a joker for the 2": ("7H 8H 2C TH", "JK1", "7H 8H JK1 TH 2C", "BANKALA_LOCKED"),
    "BNK-58 nowhere to go": (FULL, "9H", "AH JK1 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", "BANKALA_LOCKED"),
    "BNK-60 a 2 for a 2": ("AH 2C 3H", "2H", "AH 2H 3H", "BANKALA_LOCKED"),
    "BNK-63 the joker moved": ("7H 8H JK1", "6H", "JK1 6H 7H 8H", "JOKER_LOCKED"),
    "BNK-65 the joker kept": ("7H JK1 9H", "8H", "7H 8H 9H JK1", "JOKER_LOCKED"),
    "BNK-67 another 2": ("AH JK1 3H", "2S", "AH 2S 3H", "JOKER_LOCKED"),
    "BNK-67 with a 2 in the meld": ("AH JK1 3H 2S", "2H", "AH 2H 3H 2S", "TOO_MANY_TWOS"),
    "BNK-68 a 2 for a joker": ("7H JK1 9H", "2H", "7H 2H 9H", "JOKER_LOCKED"),
    "BNK-68 a joker for a joker": ("7H JK1 9H", "JK2", "7H JK2 9H", "JOKER_LOCKED"),
    "BNK-64 the other copy's suit": ("7H JK1 9H", "8S", "7H 8S 9H", "NOT_A_MELD"),
    "BNK-71 beside the joker": ("AS AH AC JK1", "AD", "AS AH AC AD JK1", "SET_TOO_LARGE"),
    "BNK-70 a joker for a joker in a set": ("AS AH JK1", "JK2", "AS AH JK2", "JOKER_LOCKED"),
    "BNK-70 a suit twice": ("AS AH JK1", "AH", "AS AH AH", "SET_SUIT_REPEATED"),
    "BNK-50 a 2 to a set": ("AS AH AC", "2D", "AS AH AC 2D", "TWO_IN_SET"),
    "BNK-48 a card out of a set": ("AS AH AC", "AD", "AS AH AD", "REAL_CARD_MOVED"),
    "BNK-48 a set out of a sequence": ("AH 2C JK1", "AS", "AH AS JK1", "REAL_CARD_MOVED"),
    "BNK-76 nothing added": ("5H 6H 7H", "8H", "5H 6H 7H", "NOTHING_ADDED"),
    "BNK-76 not in the hand": ("5H 6H 7H", "8H", "4H 5H 6H 7H", "CARD_NOT_IN_HAND"),
    "BNK-76 too few": ("5H 6H 7H", "8H", "7H 8H", "TOO_FEW_CARDS"),
    "BNK-76 a gap": ("5H 6H 7H", "9H", "5H 6H 7H 9H", "SEQ_NOT_CONSECUTIVE"),
    "BNK-43 a second 2": ("5H 2S 7H", "2C", "5H 2S 7H 2C", "TOO_MANY_TWOS"),
    "BNK-43 a second joker": ("5H JK1 7H", "JK2", "5H JK1 7H JK2", "TOO_MANY_JOKERS"),
}


@pytest.mark.parametrize("actor", [S0, S2])
@pytest.mark.parametrize(("lies", "held", "result", "after", "back"), EXTENDED.values(), ids=EXTENDED.keys())
def test_bnk_55_to_76_an_addition(lies: str, held: str, result: str, after: str, back: str, actor: int) -> None:
    """Either partner may do it, on any meld of the team (BNK-66, BNK-77)."""
    hands = ["", "", "", ""]
    hands[actor] = f"{held} KC"
    state = at(*hands, turn=actor, melds=[{"cards": lies, "laid_by": 0}])
    seat = S2 if actor else S0
    (event,) = GAME.decide(state, seat, extend("m1", result))
    assert isinstance(event, MeldExtended)
    assert event.joker == (back or None)
    done = GAME.evolve(state, event)
    assert meld(done) == after
    assert hand(done, seat) == ["KC", *back.split()]
    assert done.opened == 1
    assert sorted(done.melds[0].laid_by) == sorted(
        (0,) * (len(lies.split()) - bool(back)) + (actor,) * len(held.split())
    )


@pytest.mark.parametrize(("lies", "held", "result", "code"), LOCKED.values(), ids=LOCKED.keys())
def test_bnk_43_to_76_what_may_not_be_done_to_a_meld(lies: str, held: str, result: str, code: str) -> None:
    refused(at(f"{held} KC", melds=[{"cards": lies, "laid_by": 2}]), S0, extend("m1", result), code)


def test_bnk_59_who_places_the_real_card_chooses_and_bnk_82_the_2_stays_its_layers() -> None:
    state = at("", "", "9H KC", turn=2, melds=[{"cards": "7H 8H 2C TH", "laid_by": 0}])
    done = play(state, (S2, extend("m1", "2C 7H 8H 9H TH")))
    assert done.melds[0].laid_by == (0, 0, 0, 2, 0)


def test_bnk_69_a_joker_taken_back_may_be_laid_again_at_once_or_thrown() -> None:
    state = play(at("8H KC", melds=[{"cards": "7H JK1 9H", "laid_by": 2}]), (S0, extend("m1", "7H 8H 9H")))
    assert meld(play(state, (S0, extend("m1", "7H 8H 9H JK1")))) == "7H 8H 9H JK1(TH)"
    assert play(state, (S0, throw("JK1"))).turn == S1


@pytest.mark.parametrize("name", ["m1", "m3", "m0", "m", "x1", "m01", "", "m-1", "m\u0661"])
def test_bnk_77_no_meld_of_the_opponents_and_none_that_is_not_there(name: str) -> None:
    melds = [{"cards": "5H 6H 7H", "laid_by": 1}, {"cards": "5S 6S 7S", "laid_by": 2}]
    refused(at("8H KC", melds=melds), S0, extend(name, "5H 6H 7H 8H"), "NOT_YOUR_TEAM_MELD")


def test_bnk_78_79_who_has_not_opened_may_add_and_that_opens_nothing() -> None:
    state = at("8H 9H TH KC", melds=[{"cards": "5H 6H 7H", "laid_by": 2}])
    state = play(state, (S0, extend("m1", "5H 6H 7H 8H 9H TH")))
    assert state.opened == 1 << S2


def test_bnk_83_a_card_goes_to_the_meld_that_is_named() -> None:
    melds = [{"cards": "5H 6H 7H", "laid_by": 2}, {"cards": "9H TH JH", "laid_by": 0}]
    state = play(at("8H KC", melds=melds), (S0, extend("m2", "8H 9H TH JH")))
    assert [meld(state, number) for number in (1, 2)] == ["5H 6H 7H", "8H 9H TH JH"]


def test_copies_on_the_table_and_in_the_hand_are_told_apart() -> None:
    """A face in a result is the table's card where it has one; the exact copies may be named as well."""
    melds = [{"cards": "QH.2 KH.2 AH.2", "laid_by": 0}]
    state = at("JH.2 KC", melds=melds)
    for result in ("JH QH KH AH", "JH.2 QH.2 KH.2 AH.2"):
        assert meld(play(state, (S0, extend("m1", result)))) == "JH QH KH AH"
    refused(state, S0, extend("m1", "JH.1 QH KH AH"), "CARD_NOT_IN_HAND")
    refused(state, S0, extend("m1", "JH QH.1 KH AH"), "CARD_NOT_IN_HAND")
    refused(state, S0, extend("m1", "JH JH QH KH AH"), "CARD_NOT_IN_HAND")
