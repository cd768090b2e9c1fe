from itertools import chain

import msgspec
import pytest

from domain.cards import PACK
from domain.game import SPECTATOR, Seat, Settings
from domain.games.leekha import BINT_SBEET, LEEKHA
from domain.games.leekha.commands import Announce, Pass, Play, Ready, SetDoubles
from domain.games.leekha.events import HandDealt, HandScored, kind
from domain.games.leekha.scenario import ACCEPTS, Deal, Position, Start
from domain.games.leekha.state import Phase
from domain.options import BadOption, checked
from tests.domain.games.leekha.hands import SUITED, AnyOfBoth, both, chance, dealt, fold, match, position, settings


@both
def test_every_text_is_there_in_english_and_arabic_and_no_other(game: AnyOfBoth) -> None:
    minus = game is BINT_SBEET
    commands = ("play", "pass", "set_doubles", "ready", "announce")
    lines = ("queen", "ten", "hearts", *(("no_tricks", "minus_made", "minus_failed") if minus else ()))
    prompts = ("pass", "double", "turn", "hand_break", *(("minus",) if minus else ()))
    wanted = chain(
        ("game", "variant.standard"),
        (f"command.{name}" for name in commands),
        (f"refused.{code}" for code in game.refusals),
        (f"event.{kind(event)}" for event in game.events),
        (f"score.{line}" for line in lines),
        (f"phase.{phase}" for phase in Phase if minus or phase is not Phase.MINUS),
        (f"prompt.{name}" for name in prompts),
        (f"option.{option.name}" for option in game.options),
    )
    assert set(game.texts) == set(wanted)
    for english, arabic in game.texts.values():
        assert english.isascii()
        assert any("\u0600" <= letter <= "\u06ff" for letter in arabic)


@both
def test_texts_cover_whatever_a_match_shows(game: AnyOfBoth) -> None:
    for seed in range(3):
        for _, event, state in match(game, seed):
            assert f"event.{kind(type(event))}" in game.texts
            assert f"phase.{state.phase}" in game.texts
            prompt = game.prompt(state)
            if prompt is not None:
                assert f"prompt.{prompt.kind}" in game.texts
                assert all(f"command.{name}" in game.texts for name in prompt.commands)
            if isinstance(event, HandScored):
                assert all(f"score.{line.line}" in game.texts for line in event.lines)


def test_section_6_options_and_their_defaults() -> None:
    common = {
        "pass_cycle": ("left", "right"),
        "doubling": True,
        "talyeekh": "off",
        "pass_seconds": 30,
        "double_seconds": 15,
        "turn_seconds": 20,
        "hand_break_seconds": 10,
    }
    assert checked(BINT_SBEET.options, {}) == common | {
        "target": 151,
        "hearts_double_when_both": True,
        "minus": True,
        "minus_basis": "no_tricks",
        "minus_seconds": 15,
    }
    assert checked(LEEKHA.options, {}) == common | {"target": 101, "end_basis": "team_sum"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("target", 100),
        ("pass_cycle", ("up",)),
        ("pass_cycle", ()),
        ("talyeekh", "always"),
        ("turn_seconds", 4),
        ("turn_seconds", 121),
    ],
)
@both
def test_tbl_8_options_out_of_range_are_refused(game: AnyOfBoth, name: str, value: object) -> None:
    with pytest.raises(BadOption):
        checked(game.options, {name: value})


@pytest.mark.parametrize("name", ["minus", "minus_basis", "minus_seconds", "hearts_double_when_both"])
def test_lkh_8_10_what_is_fixed_in_leekha_is_no_option_of_it(name: str) -> None:
    with pytest.raises(BadOption):
        checked(LEEKHA.options, {name: True})


@both
def test_kinds_that_the_table_asks_for(game: AnyOfBoth) -> None:
    assert (game.opens_deal, game.closes_deal) == ((kind(HandDealt),), (kind(HandScored),))
    assert set(game.public) == {"leekha.hand_scored.v1", "leekha.match_ended.v1"}
    assert all(kind(event).startswith("leekha.") for event in game.events)


@pytest.mark.parametrize(
    "command", [Play("QS"), Pass(("QS", "TD", "2C")), SetDoubles(("QS",)), Ready(), Announce(minus=True)]
)
@both
def test_commands_travel_by_their_wire_names(game: AnyOfBoth, command: object) -> None:
    sent = msgspec.json.encode(command)
    assert msgspec.json.decode(sent, type=game.commands) == command
    assert msgspec.json.decode(sent)["do"] in {"play", "pass", "set_doubles", "ready", "announce"}


@pytest.mark.parametrize(
    "frame",
    [
        b'{"do":"play","card":"QS","seat":1}',
        b'{"do":"play"}',
        b'{"do":"play","card":"QQQQQQQQQ"}',
        b'{"do":"pass","cards":' + str(["2S"] * 65).replace("'", '"').encode() + b"}",
        b'{"do":"announce","minus":1}',
        b'{"do":"ready","cards":[]}',
    ],
)
@both
def test_frames_that_are_no_command_do_not_decode(game: AnyOfBoth, frame: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(frame, type=game.commands)


# Scenario hooks


@both
def test_a_stacked_deal_comes_out_by_deck_and_by_hands(game: AnyOfBoth) -> None:
    start = game.start(settings(game))
    (event,) = game.proceed(start, game.scenarios.stack(start, Deal(deck=" ".join(PACK), dealer=2)))
    assert isinstance(event, HandDealt)
    assert (event.deck, event.dealer) == (PACK, 2)
    facts = game.scenarios.facts(dealt(game, SUITED, dealer=1))
    assert facts["hands"] == [hand.split() for hand in SUITED]
    assert (facts["dealer"], facts["phase"], facts["turn"]) == (1, "pass", None)


@both
def test_a_later_hand_begins_from_totals_hand_number_and_dealer(game: AnyOfBoth) -> None:
    state = game.scenarios.begin(settings(game), Start(totals=(1, 2, 3, 4), hand_no=4, dealer=2))
    assert game.prompt(state) is None
    (event,) = game.proceed(state, chance(1))
    assert isinstance(event, HandDealt)
    assert (event.hand_no, event.dealer) == (4, 2)
    facts = game.scenarios.facts(fold(game, state, event))
    assert (facts["totals"], facts["pass_direction"]) == ([1, 2, 3, 4], "right")


@pytest.mark.parametrize(
    ("deal", "fault"),
    [
        (Deal(), "either"),
        (Deal(deck="AS", hands=SUITED), "either"),
        (Deal(deck=" ".join(PACK[1:])), "missing"),
        (Deal(deck=" ".join((*PACK[1:], "AC"))), "more than once"),
        (Deal(deck=(*PACK[1:], "JK1")), "no card"),
        (Deal(hands=("2S", " ".join(PACK[1:14]), " ".join(PACK[14:40]), " ".join(PACK[40:]))), "seat 0 has 1"),
    ],
)
@both
def test_a_deal_that_is_no_pack_is_named(game: AnyOfBoth, deal: Deal, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        game.scenarios.stack(game.start(settings(game)), deal)


@both
def test_a_dealer_whose_turn_it_is_not_is_named(game: AnyOfBoth) -> None:
    state = game.scenarios.begin(settings(game), Start(hand_no=2, dealer=1))
    assert game.scenarios.stack(state, Deal(hands=SUITED, dealer=1)).below(4) == 1
    with pytest.raises(ValueError, match="it is seat 1"):
        game.scenarios.stack(state, Deal(hands=SUITED, dealer=3))


REST = " ".join(code for code in PACK if code not in {"2C", "3C", "4C", "5C"})
FOUR = ("2C", "3C", "4C", "5C")
TAKEN = ("", "", "", REST)


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        (Position(hands=FOUR), "missing"),
        (Position(hands=("2C 6C", *FOUR[1:]), taken=("", "", "", REST.replace("6C ", ""))), "would go with the trick"),
        (Position(hands=("", "", "", ""), taken=("", "", "", " ".join(PACK))), "nobody"),
        (Position(hands=("", "", "", ""), trick="2C 3C 4C 5C", taken=TAKEN), "at most three"),
        (Position(hands=FOUR, taken=TAKEN, phase="pass"), "13 cards"),
        (Position(hands=FOUR, taken=TAKEN, doubled="AS"), "only QS and TD"),
        (Position(hands=FOUR, taken=TAKEN, doubled="XX"), "no card"),
        (Position(hands=SUITED, phase="double", doubled="QS"), "nothing is doubled"),
        (Position(hands=SUITED, phase="double", announced=(1,)), "announced"),
    ],
)
@both
def test_a_position_that_does_not_fit_is_named(game: AnyOfBoth, place: Position, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        game.scenarios.place(settings(game), place)


@pytest.mark.parametrize(
    ("game", "options", "place"),
    [
        (LEEKHA, {}, Position(hands=SUITED, phase="minus")),
        (BINT_SBEET, {"minus": False}, Position(hands=SUITED, phase="minus")),
        (BINT_SBEET, {"doubling": False}, Position(hands=SUITED, phase="double")),
        (LEEKHA, {"pass_cycle": ("none",)}, Position(hands=SUITED, phase="pass")),
        (LEEKHA, {}, Position(hands=FOUR, taken=TAKEN, announced=(0,))),
    ],
)
def test_a_position_in_a_phase_that_the_options_leave_out_is_named(
    game: AnyOfBoth, options: dict[str, object], place: Position
) -> None:
    with pytest.raises(ValueError, match=r"phase|announced|passed"):
        game.scenarios.place(settings(game, **options), place)


@both
def test_a_final_tie_for_the_first_place_is_no_end(game: AnyOfBoth) -> None:
    with pytest.raises(ValueError, match="tie"):
        game.scenarios.final(settings(game), (60, 60, 60, 60), Seat(0))


@both
def test_facts_are_all_announced_to_the_schema(game: AnyOfBoth) -> None:
    shared = {"phase", "turn", "hands", "deal_points", "totals", "team_totals", "places", "winner"}
    assert set(game.scenarios.facts(position(game, FOUR, taken=TAKEN))) == shared | set(ACCEPTS)


@both
def test_a_spectator_is_told_no_hand(game: AnyOfBoth) -> None:
    view = game.view(dealt(game), SPECTATOR)
    assert (view.hand, view.legal, view.hand_counts) == ((), (), (13, 13, 13, 13))  # type: ignore[attr-defined]


@both
def test_options_read_back_from_a_log_make_the_same_rules(game: AnyOfBoth) -> None:
    """A log holds a list where the option has a tuple."""
    fresh = settings(game, pass_cycle=("right", "none"))
    stored = msgspec.json.decode(msgspec.json.encode(fresh), type=Settings)
    assert game.start(stored) == game.start(fresh)
