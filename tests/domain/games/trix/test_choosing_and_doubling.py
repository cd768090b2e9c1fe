import pytest

from domain.game import Seat
from domain.games.trix import GAME
from domain.games.trix.commands import ChooseContract, Play, Ready, SetDoubles
from domain.games.trix.contracts import Contract
from domain.games.trix.events import ContractChosen, DoublesRevealed, DoublesSelected, HandsTurnedUp, SeatReady
from domain.games.trix.state import Phase, State
from domain.games.trix.view import view
from tests.domain.games.trix.play import (
    NORMAL,
    SEATS,
    SUITS,
    choose,
    dealt,
    double,
    fold,
    holding,
    opened,
    playable,
    played,
    refusal,
)

K, Q, D, L, T, C = (*NORMAL[:4], Contract.TRIX, Contract.COMPLEX)
QUEENS = ("QS QH", "QD", "KH", "QC")


def open_doubling(contract: Contract, *hands: str) -> State:
    variant = "complex" if contract is C else "individual"
    return choose(dealt(holding(*hands), variant, owner=0), contract)


def select(state: State, seat: int, cards: str) -> State:
    return fold(state, GAME.decide(state, Seat(seat), SetDoubles(tuple(cards.split()))))


def test_trx_20_and_22_only_the_owner_chooses_any_contract_still_open() -> None:
    state = dealt(SUITS, "partnership", owner=2, played=(K, T, L))
    assert GAME.legal(state, Seat(2)) == (ChooseContract(Q), ChooseContract(D))
    for seat in (0, 1, 3):
        assert GAME.legal(state, Seat(seat)) == ()
        assert refusal(state, seat, ChooseContract(D)) == "NOT_OWNER"
    assert refusal(state, 2, ChooseContract(K)) == "CONTRACT_USED"
    assert refusal(state, 2, ChooseContract(C)) == "CONTRACT_NOT_IN_VARIANT"
    assert refusal(state, 0, ChooseContract(C)) == "NOT_OWNER"
    assert refusal(dealt(SUITS, "complex"), 1, ChooseContract(K)) == "CONTRACT_NOT_IN_VARIANT"


def test_trx_21_to_25_only_the_owner_sees_his_cards_before_the_announcement() -> None:
    state = dealt(SUITS)
    for seat in SEATS:
        assert view(state, seat).hand == (SUITS[1] if seat == 1 else ("??",) * 13)
    events = GAME.decide(state, Seat(1), ChooseContract(L))
    assert events == (ContractChosen(Seat(1), L), HandsTurnedUp(SUITS))
    for seat in SEATS:
        assert view(fold(state, events), seat).hand == SUITS[seat]


def test_trx_25_a_probe_of_a_face_down_hand_is_refused_the_same_for_every_card() -> None:
    state = dealt(SUITS)
    for code in ("2S", "2H", "XX"):
        assert refusal(state, 0, Play(code)) == "WRONG_PHASE"
        assert refusal(state, 0, SetDoubles((code,))) == "WRONG_PHASE"


def test_trx_30_contracts_played_and_open_are_public() -> None:
    state = choose(dealt(SUITS, owner=0, played=(K, T)), L)
    for viewer in (*SEATS, Seat(-1)):
        seen = view(state, viewer)
        assert (seen.contracts_played, seen.contract, seen.contracts_open) == ((K, T), L, (Q, D))


@pytest.mark.parametrize(
    ("contract", "doublable"), [(K, "KH"), (Q, "QS QH QD QC"), (C, "QS QH KH QD QC")], ids=["king", "queens", "complex"]
)
def test_trx_31_inv_13_what_may_be_doubled(contract: Contract, doublable: str) -> None:
    state = open_doubling(contract, "QS QH QD QC KH")
    offered = {
        code for command in GAME.legal(state, Seat(0)) if isinstance(command, SetDoubles) for code in command.cards
    }
    assert offered == set(doublable.split())
    for code in {"KH", "QS", "QH", "QD", "QC"} - offered:
        assert refusal(state, 0, SetDoubles((code,))) == "NOT_DOUBLABLE"
    assert refusal(state, 0, SetDoubles(("2S",))) == "NOT_DOUBLABLE"


def test_trx_32_and_34_only_the_holder_doubles_the_owner_too() -> None:
    state = open_doubling(K, "", "KH")
    assert refusal(state, 0, SetDoubles(("KH",))) == "CARD_NOT_IN_HAND"
    assert GAME.decide(state, Seat(1), SetDoubles(("KH",))) == (DoublesSelected(Seat(1), ("KH",)),)
    assert GAME.decide(open_doubling(K, "KH"), Seat(0), SetDoubles(("KH",)))


def test_trx_33_any_subset_may_be_doubled() -> None:
    state = open_doubling(C, "QS QH KH")
    assert len(GAME.legal(state, Seat(0))) == 1 + 2**3
    for command in GAME.legal(state, Seat(0)):
        assert GAME.decide(state, Seat(0), command)


@pytest.mark.parametrize("contract", [D, L, T])
def test_trx_40_and_89_three_contracts_have_no_doubling(contract: Contract) -> None:
    state = choose(dealt(SUITS), contract)
    assert state.phase in {Phase.TRICKS, Phase.LAYOUT}
    assert refusal(state, 1, SetDoubles(())) == "WRONG_PHASE"
    assert refusal(state, 1, Ready()) == "WRONG_PHASE"


def test_trx_36_and_44_all_seats_are_asked_at_once_whatever_they_hold() -> None:
    state = open_doubling(K, "", "KH")
    prompt = GAME.prompt(state)
    assert prompt is not None
    assert prompt.seats == SEATS
    assert GAME.legal(state, Seat(0)) == (Ready(), SetDoubles(()))
    after = fold(state, GAME.decide(state, Seat(2), Ready()))
    still = GAME.prompt(after)
    assert still is not None
    assert (still.seats, still.number) == ((0, 1, 3), prompt.number)


def test_trx_38_39_and_41_the_fourth_ready_reveals_all_selections_together() -> None:
    state = open_doubling(Q, *QUEENS)
    state = select(select(select(state, 0, "QS"), 0, "QS QH"), 1, "QD")
    for seat in (1, 2, 3):
        state = fold(state, GAME.decide(state, Seat(seat), Ready()))
    assert GAME.decide(state, Seat(0), Ready()) == (
        SeatReady(Seat(0)),
        DoublesRevealed((("QS", "QH"), ("QD",), (), ())),
    )


def test_trx_39_at_the_deadline_a_selection_counts_as_it_stands() -> None:
    state = select(select(select(open_doubling(Q, *QUEENS), 0, "QS"), 3, "QC"), 3, "")
    for seat in SEATS:
        command = GAME.automatic(state, seat, None)  # type: ignore[arg-type]
        assert command == Ready()
        state = fold(state, GAME.decide(state, seat, command))
    assert view(state, Seat(2)).doubled == (("QS",), (), (), ())


def test_trx_41_if_nobody_doubles_an_empty_list_is_revealed() -> None:
    state = open_doubling(K)
    for seat in SEATS[:3]:
        state = fold(state, GAME.decide(state, seat, Ready()))
    assert GAME.decide(state, Seat(3), Ready())[-1] == DoublesRevealed(((), (), (), ()))


def test_trx_42_a_doubled_card_lies_face_up_beside_its_holder_until_played() -> None:
    state = double(open_doubling(C, "QS", "KH 2S"), "QS", "KH")
    for viewer in (*SEATS, Seat(-1)):
        assert view(state, viewer).shown == (("QS",), ("KH",), (), ())
    state = played(state, "QS")
    assert view(state, Seat(2)).shown == ((), ("KH",), (), ())
    assert view(state, Seat(2)).doubled == (("QS",), ("KH",), (), ())


def test_trx_43_a_doubled_card_follows_suit_like_any_other() -> None:
    hands = holding("2H 3C 4S", "KH 2S 3S 4D 5D 6D 7D 8D 9D TD JD AD KD")
    state = double(choose(dealt(hands, "complex", owner=0), C), "", "KH")
    assert playable(played(state, "2H"), 1) == {"KH"}
    assert playable(played(state, "4S"), 1) == {"2S", "3S"}
    assert playable(played(state, "3C"), 1) == set(hands[1])


def test_trx_45_ready_is_final() -> None:
    state = fold(open_doubling(K, "", "KH"), [SeatReady(Seat(1))])
    assert GAME.legal(state, Seat(1)) == ()
    assert refusal(state, 1, SetDoubles(("KH",))) == "ALREADY_READY"
    assert refusal(state, 1, SetDoubles(("2S",))) == "ALREADY_READY"
    assert refusal(state, 1, Ready()) == "ALREADY_READY"


def test_trx_46_and_47_selections_are_for_their_seat_alone_and_ready_is_public() -> None:
    selected, ready = DoublesSelected(Seat(1), ("KH",)), SeatReady(Seat(1))
    for viewer in (*SEATS, Seat(-1)):
        assert GAME.redact(selected, viewer) == (selected if viewer == 1 else None)
        assert GAME.redact(ready, viewer) == ready
    state = fold(open_doubling(K, "", "KH"), [selected, ready])
    for viewer in (*SEATS, Seat(-1)):
        assert view(state, viewer).selection == (("KH",) if viewer == 1 else None)
        assert view(state, viewer).ready == (False, True, False, False)


def test_trx_48_a_selection_replaces_the_one_before_and_a_wrong_one_changes_nothing() -> None:
    state = select(open_doubling(Q, "QS QH KH"), 0, "QS")
    assert view(select(state, 0, "QH"), Seat(0)).selection == ("QH",)
    assert view(select(state, 0, "QH QS QH"), Seat(0)).selection == ("QS", "QH")
    assert refusal(state, 0, SetDoubles(("QH", "KH"))) == "NOT_DOUBLABLE"
    assert refusal(state, 0, SetDoubles(("KH", "QD"))) == "CARD_NOT_IN_HAND"
    assert refusal(state, 0, SetDoubles(("QS", "nonsense"))) == "CARD_NOT_IN_HAND"


def test_play_and_choice_are_refused_while_doubling_is_open() -> None:
    state = open_doubling(K)
    assert refusal(state, 0, Play("2S")) == "WRONG_PHASE"
    assert refusal(state, 0, ChooseContract(Q)) == "WRONG_PHASE"
    assert refusal(opened(SUITS, L), 0, ChooseContract(Q)) == "WRONG_PHASE"
