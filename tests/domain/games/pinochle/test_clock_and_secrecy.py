"""The clock's policy (PIN-76 to PIN-81) and who may see what (3.12, PIN-87)."""

from random import Random

import msgspec
import pytest

from domain.game import SPECTATOR, Seat
from domain.games.pinochle import GAME
from domain.games.pinochle.automatic import automatic, best_trump, cheapest, declarer_gift, partner_gift
from domain.games.pinochle.commands import Command, Give, NameTrump, PassBid, PlayCard, PlayOn, Ready
from domain.games.pinochle.events import HandDealt
from domain.games.pinochle.pack import CODES, pack
from domain.games.pinochle.state import State
from tests.domain.games.pinochle.tables import (
    OPTION_SETS,
    SEATS,
    calls,
    chance,
    contracted,
    dealt,
    everyone_ready,
    fold,
    match,
    moved,
    playing,
    plays,
    position,
    rules,
    started,
)

S, H, D, C = range(4)
VIEWERS = (*SEATS, SPECTATOR)


def state_of(state: State) -> dict[str, object]:
    canonical = GAME.canonical(state)
    assert isinstance(canonical, dict)
    return canonical


def test_pin_76_every_choice_has_the_turn_clock_and_each_turn_a_new_one() -> None:
    state = dealt(turn_seconds=25, concede=True, pass_count=3)
    numbers = []
    moves: list[tuple[int, Command]] = [
        *calls("0:200 1:P 2:P 3:P"),
        (0, NameTrump("H")),
        (2, Give(("AS", "AD", "AC"))),
        (0, Give(("9S", "9C", "QD"))),
        *everyone_ready(),
        (0, PlayOn()),
        (0, PlayCard("AH")),
    ]
    for move in moves:
        prompt = GAME.prompt(state)
        assert prompt is not None
        if not prompt.window:
            assert prompt.seconds == 25
            assert prompt.seats == (move[0],)
            numbers.append(prompt.number)
        state = moved(state, move)
    assert len(set(numbers)) == len(numbers) == 9


def test_pin_77_time_out_in_the_auction_passes() -> None:
    assert automatic(dealt(), Seat(0), chance(0)) == PassBid()


@pytest.mark.parametrize(
    ("why", "hand", "suits", "trump"),
    [
        ("most cards", "AS KS AH KH QH AD KD AC KC TC JC 9C", (S, H, D, C), C),
        ("own meld", "AS TS JS JS KH QH JH JH AD 9D AC TC", (S, H, D, C), H),
        ("counters", "JS JS QS QS AH TH JH QH AD 9D AC JC", (S, H, D, C), H),
        ("S before H", "AS KS QS JS TH KH QH JH AD 9C 9C TC", (S, H, D, C), S),
        ("permitted suits only", "AS TS JS 9S 9S AH KH QH AD TD AC TC", (H,), H),
    ],
)
def test_pin_78_time_out_on_trump(why: str, hand: str, suits: tuple[int, ...], trump: int) -> None:
    assert best_trump(pack(hand.split()), suits, rules()) == trump, why


def test_pin_79_time_out_on_passing() -> None:
    hand = pack(["KS", "9S", "AH", "AC", "TH", "TD", "KD", "QC", "JC", "9D", "9H", "9C"])
    assert partner_gift(hand, S, 4) == ("KS", "9S", "AH", "AC")
    hand = pack(["AS", "TS", "KS", "QS", "JS", "9S", "AH", "QH", "JD", "KC", "TC", "9D", "9H", "KD", "AD", "AC"])
    assert declarer_gift(hand, S, 4) == ("9H", "9D", "JD", "QH")
    assert automatic(contracted(pass_count=3), Seat(2), chance(0)) == Give(("AS", "AH", "AD"))


@pytest.mark.parametrize(
    ("why", "cards", "trump", "card"),
    [
        ("value first", "TH 9H", S, "9H"),
        ("plain before trump", "QS 9D JC 9H", H, "9D"),
        ("rank low to high", "AC TC", S, "TC"),
        ("suit order", "QD QC QS", H, "QS"),
        ("no counter of trump before a plain counter", "KS 9H", H, "9H"),
    ],
)
def test_pin_80_time_out_on_a_card(why: str, cards: str, trump: int, card: str) -> None:
    assert cheapest(pack(cards.split()), trump) == card, why


def test_pin_80_only_legal_cards_count() -> None:
    state, seat = position("S", "TD", "AD KD 9D 9S")
    assert automatic(state, seat, chance(0)) == PlayCard("AD")


def test_section_5_time_out_of_windows_and_of_the_concession() -> None:
    assert automatic(contracted(), Seat(3), chance(0)) == Ready()
    state = moved(contracted(concede=True), *everyone_ready())
    assert automatic(state, Seat(0), chance(0)) == PlayOn()


def test_four_absent_players_still_end_their_hands() -> None:
    state, randomness, scored = started(), chance(4), 0
    for _ in range(600):
        prompt = GAME.prompt(state)
        if prompt is None:
            if GAME.result(state):
                break
            state = fold(state, GAME.proceed(state, randomness))
            continue
        scored += prompt.kind == "hand_break"
        state = moved(state, (prompt.seats[0], automatic(state, prompt.seats[0], randomness)))
    assert scored


@pytest.mark.parametrize("options", OPTION_SETS)
def test_pin_87_the_fold_of_what_a_viewer_was_sent_gives_his_view(options: dict[str, object]) -> None:
    known = dict.fromkeys(VIEWERS, started(**options))
    for _, events, after in match(11, deals=3, **options):
        for viewer in VIEWERS:
            told = [GAME.redact(event, viewer) for event in events]
            known[viewer] = fold(known[viewer], [event for event in told if event is not None])
            mine, full = GAME.view(known[viewer], viewer), GAME.view(after, viewer)
            assert msgspec.json.encode(mine) == msgspec.json.encode(full)
            assert GAME.prompt(known[viewer]) == GAME.prompt(after)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_deal_shows_a_seat_its_own_cards_and_nobody_the_salts(viewer: Seat) -> None:
    (event,) = GAME.proceed(started(), chance(5))
    told = GAME.redact(event, viewer)
    assert isinstance(event, HandDealt)
    assert isinstance(told, HandDealt)
    assert told.salts == ()
    for k, (code, seen) in enumerate(zip(event.deck, told.deck, strict=True)):
        assert seen == (code if (event.dealer + 1 + k // 3) % 4 == viewer else "??")


def test_non_interference_unseen_cards_dealt_again_change_no_byte() -> None:
    random = Random(6)
    (event,) = GAME.proceed(started(), chance(6))
    assert isinstance(event, HandDealt)
    for viewer in VIEWERS:
        mine = [k for k in range(48) if (event.dealer + 1 + k // 3) % 4 == viewer]
        others = [k for k in range(48) if k not in mine]
        deck = list(event.deck)
        for place, source in zip(others, random.sample(others, len(others)), strict=True):
            deck[place] = event.deck[source]
        again = HandDealt(event.number, event.dealer, tuple(deck))
        assert GAME.redact(again, viewer) == GAME.redact(event, viewer)
        views = [GAME.view(fold(started(), [one]), viewer) for one in (event, again)]
        assert msgspec.json.encode(views[0]) == msgspec.json.encode(views[1])


def test_melds_are_shown_during_the_display_only_their_names_to_the_end_of_the_hand() -> None:
    shown = GAME.view(contracted(), SPECTATOR)
    assert shown.shown[2] == ("AS", "AH", "AD", "AC")  # type: ignore[attr-defined]
    after = GAME.view(playing(), SPECTATOR)
    assert after.shown == ()  # type: ignore[attr-defined]
    assert [meld.name for meld in after.melds[2]] == ["aces_around"]  # type: ignore[attr-defined]
    assert b'"AS"' not in msgspec.json.encode(after)


def test_a_trick_lies_open_until_the_next_lead_and_then_face_down() -> None:
    state = moved(playing(), *plays("0:AH 1:9H 2:AH 3:9H"))
    assert GAME.view(state, SPECTATOR).trick == ("AH", "9H", "AH", "9H")  # type: ignore[attr-defined]
    state = moved(state, *plays("0:KC"))
    view = GAME.view(state, SPECTATOR)
    assert view.trick == ("KC",)  # type: ignore[attr-defined]
    assert view.trick_takers == (0,)  # type: ignore[attr-defined]
    for viewer in VIEWERS:
        encoded = msgspec.json.encode(GAME.view(state, viewer))
        assert b'"9H"' not in encoded
    whole = {name: value for name, value in state_of(state).items() if name != "hands"}
    assert "9H" not in str(whole)


@pytest.mark.parametrize("options", OPTION_SETS)
def test_no_view_holds_a_card_beyond_the_viewers_own_the_trick_and_the_display(options: dict[str, object]) -> None:
    for _, _, state in match(12, deals=2, **options):
        for viewer in VIEWERS:
            view = msgspec.to_builtins(GAME.view(state, viewer))
            for name in ("hand", "given", "received", "trick", "shown", "legal"):
                view.pop(name)
            encoded = msgspec.json.encode(view)
            assert not any(f'"{code}"'.encode() in encoded for code in CODES)
            seen = GAME.view(state, viewer)
            if viewer == SPECTATOR:
                assert (seen.hand, seen.given, seen.received, seen.legal) == ((), (), (), ())  # type: ignore[attr-defined]


def test_legal_commands_are_told_to_their_owner_alone() -> None:
    state = playing()
    assert GAME.view(state, Seat(0)).legal  # type: ignore[attr-defined]
    assert not any(GAME.view(state, viewer).legal for viewer in VIEWERS[1:])  # type: ignore[attr-defined]
