"""Play, scores and the end of the match: PIN-46 to PIN-72."""

import pytest

from domain.game import Seat
from domain.games.pinochle import GAME
from domain.games.pinochle.commands import Concede, PlayCard, PlayOn, Ready
from domain.games.pinochle.events import HandConceded, HandScored
from domain.games.pinochle.pack import codes
from domain.games.pinochle.scoring import Pair, score, winner
from domain.games.pinochle.state import Phase
from tests.domain.games.pinochle.tables import (
    SEATS,
    contracted,
    deal,
    everyone_ready,
    legal_cards,
    match,
    moved,
    playing,
    plays,
    position,
    refusal,
    rules,
)

FOLLOW, BEAT, TRUMP, OVERTRUMP = "MUST_FOLLOW", "MUST_BEAT", "MUST_TRUMP", "MUST_OVERTRUMP"


def test_pin_46_the_declarer_leads_then_each_winner() -> None:
    state = playing()
    assert state.turn == state.auction.bidder == 0
    assert moved(state, *plays("0:KC 1:AC 2:JC 3:KC")).turn == 1


def test_pin_47_the_leader_may_play_anything() -> None:
    state = playing()
    assert legal_cards(state, 0) == set(codes(state.hands[0]))
    assert refusal(state, 0, PlayCard("AS")) == "CARD_NOT_IN_HAND"
    assert refusal(state, 0, PlayCard("XX")) == "CARD_NOT_IN_HAND"
    assert refusal(state, 1, PlayCard("AS")) == "NOT_YOUR_TURN"


DUTIES = [
    # rule, options, trump, trick, hand, legal, refused
    ("48/49", {}, "S", "TD", "AD KD 9D 9S", "AD", {"KD": BEAT, "9D": BEAT, "9S": FOLLOW}),
    ("48", {}, "S", "AH KH", "TH 9H AS", "TH 9H", {"AS": FOLLOW}),
    ("49 any beating card", {}, "D", "9C JC", "TC QC 9C JD", "TC QC", {"9C": BEAT, "JD": FOLLOW}),
    ("49 trump led", {}, "H", "QH", "AH JH KS", "AH", {"JH": BEAT, "KS": FOLLOW}),
    ("49 partner winning", {}, "S", "TC 9C", "AC JC 9S", "AC", {"JC": BEAT, "9S": FOLLOW}),
    ("50 after a ruff", {}, "S", "KH 9S", "AH 9H AS", "AH 9H", {"AS": FOLLOW}),
    ("50 behind a ruff", {}, "H", "QS 9H QS", "KS JH", "KS", {"JH": FOLLOW}),
    ("51", {}, "S", "TC 9C QC", "TC JC AS", "TC JC", {"AS": FOLLOW}),
    ("52", {}, "S", "KH", "JS 9S AD", "JS 9S", {"AD": TRUMP}),
    ("53", {}, "S", "KH JS", "QS 9S AD", "QS", {"9S": OVERTRUMP, "AD": TRUMP}),
    ("54", {}, "S", "KH TS", "KS 9S AD", "KS 9S", {"AD": TRUMP}),
    ("54 equal", {}, "S", "KH TS", "TS 9S AD", "TS 9S", {"AD": TRUMP}),
    ("54 under the ace", {}, "C", "AD TC AC", "KC QC 9S", "KC QC", {"9S": TRUMP}),
    ("55", {}, "H", "QS", "AD 9C", "AD 9C", {}),
    ("55 trump led", {}, "H", "QH", "AD 9C", "AD 9C", {}),
    ("57", {"heading": "trump_led_only"}, "S", "KH", "AH 9H QS", "AH 9H", {"QS": FOLLOW}),
    ("57", {"heading": "trump_led_only"}, "S", "KH JS", "QS 9S AD", "QS 9S", {"AD": TRUMP}),
    ("57", {"heading": "trump_led_only"}, "S", "JS", "KS 9S AD", "KS", {"9S": BEAT, "AD": FOLLOW}),
]


@pytest.mark.parametrize(("rule", "options", "trump", "trick", "hand", "legal", "refused"), DUTIES)
def test_pin_48_to_58_the_duties_and_the_refusal_of_every_other_card(
    rule: str,
    options: dict[str, str],
    trump: str,
    trick: str,
    hand: str,
    legal: str,
    refused: dict[str, str],
) -> None:
    state, seat = position(trump, trick, hand, **options)
    assert legal_cards(state, seat) == set(legal.split()), rule
    assert {*legal.split(), *refused} == set(hand.split())
    for card, code in refused.items():
        assert refusal(state, seat, PlayCard(card)) == code


@pytest.mark.parametrize(
    ("trump", "trick", "hand", "card", "taker"),
    [
        ("S", "KD TD QD", "TD", "TD", 1),
        ("S", "QH JH AH", "AH", "AH", 2),
        ("S", "AH 9S TH", "AS", "AS", 3),
        ("C", "AH AD AS", "9H", "9H", 0),
        ("H", "9H JH QH", "KH", "KH", 3),
    ],
)
def test_pin_56_who_takes_the_trick(trump: str, trick: str, hand: str, card: str, taker: int) -> None:
    state, seat = position(trump, trick, hand)
    assert moved(state, (seat, PlayCard(card))).tricks.takers == (taker,)


def test_pin_60_all_twelve_tricks_are_played() -> None:
    for seed in range(3):
        for before, events, after in match(seed, deals=3):
            if any(isinstance(event, HandScored) for event in events):
                assert sum(after.tricks.taken) == 12
                assert sum(before.tricks.taken) == 11


def test_pin_61_the_declarer_may_give_up_before_the_first_lead() -> None:
    state = moved(contracted(concede=True), *everyone_ready())
    assert (state.phase, state.turn) == (Phase.CONCEDE, 0)
    assert refusal(state, 2, Concede()) == "NOT_YOUR_TURN"
    assert refusal(state, 1, PlayOn()) == "NOT_YOUR_TURN"
    conceded, scored = GAME.decide(state, Seat(0), Concede())
    assert conceded == HandConceded(Seat(0))
    assert isinstance(scored, HandScored)
    assert scored.scores == (-200, 60)
    assert moved(state, (0, PlayOn())).phase is Phase.PLAY
    assert refusal(playing(), 0, Concede()) == "WRONG_PHASE"
    assert refusal(playing(), 0, PlayOn()) == "WRONG_PHASE"


@pytest.mark.parametrize(
    ("rule", "bidders", "bid", "meld", "points", "tricks", "scores", "made"),
    [
        ("W-2", 0, 300, (290, 60), (140, 110), (7, 5), (430, 170), True),
        ("W-3", 0, 300, (290, 60), (10, 240), (1, 11), (300, 300), True),
        ("W-3", 0, 300, (290, 60), (0, 250), (1, 11), (-300, 310), False),
        ("PIN-64", 1, 250, (40, 110), (110, 140), (5, 7), (150, 250), True),
        ("PIN-65", 1, 250, (40, 110), (120, 130), (5, 7), (160, -250), False),
        ("PIN-66", 0, 300, (400, 20), (0, 250), (0, 12), (-300, 270), False),
        ("PIN-67", 0, 250, (60, 300), (250, 0), (12, 0), (310, 0), True),
        ("PIN-63", 0, 250, (60, 300), (250, 0), (11, 1), (310, 300), True),
    ],
)
def test_pin_62_to_67_the_score_of_a_hand(
    rule: str, bidders: int, bid: int, meld: Pair, points: Pair, tricks: Pair, scores: Pair, *, made: bool
) -> None:
    result = score(bidders=bidders, bid=bid, meld=meld, points=points, tricks=tricks, rules=rules())
    assert (result.scores, result.made) == (scores, made), rule


def test_pin_63_with_save_meld_point_a_trick_without_points_does_not_save_it() -> None:
    result = score(bidders=0, bid=250, meld=(60, 300), points=(250, 0), tricks=(11, 1), rules=rules(save_meld="point"))
    assert result.scores == (310, 0)


def test_pin_68_each_viewer_is_told_his_own_team() -> None:
    state = playing()
    teams = [GAME.view(state, viewer).team for viewer in (*SEATS, Seat(-1))]  # type: ignore[attr-defined]
    assert teams == [0, 1, 0, 1, None]
    assert GAME.texts["team.us"][1] == "نحن"
    assert GAME.texts["team.them"][1] == "هم"


@pytest.mark.parametrize(
    ("rule", "options", "totals", "bidders", "team"),
    [
        ("PIN-69", {}, (1490, 1520), 0, 1),
        ("PIN-69", {}, (1490, 1290), 1, None),
        ("PIN-69", {}, (1500, -300), 1, 0),
        ("PIN-70", {}, (1540, 1630), 0, 0),
        ("PIN-70", {"target_score": 1000}, (1180, 1150), 1, 1),
        ("PIN-71", {}, (1600, 1600), 1, 1),
        ("PIN-72", {}, (-1500, 0), 0, None),
        ("PIN-72", {"mercy_limit": 1000}, (-1000, 0), 0, 1),
        ("PIN-72", {"mercy_limit": 1000}, (-990, 0), 0, None),
        ("PIN-72", {"mercy_limit": 1000}, (-1000, -1200), 0, None),
        ("PIN-72", {"mercy_limit": 1500}, (1500, -1500), 1, 0),
        ("PIN-72", {"mercy_limit": 1500}, (0, -1500), 1, 0),
    ],
)
def test_pin_69_to_72_who_has_won(
    rule: str, options: dict[str, int], totals: Pair, bidders: int, team: int | None
) -> None:
    assert winner(totals, bidders, rules(**options)) == team, rule


def test_a_scored_hand_waits_for_ready_and_then_for_the_next_deal() -> None:
    state = moved(contracted(concede=True), *everyone_ready(), (0, Concede()))
    prompt = GAME.prompt(state)
    assert prompt is not None
    assert (prompt.kind, prompt.seats, prompt.commands, prompt.seconds) == ("hand_break", SEATS, ("ready",), 10)
    assert prompt.window
    assert refusal(moved(state, (1, Ready())), 1, Ready()) == "ALREADY_READY"
    ready = moved(state, *everyone_ready())
    assert (ready.phase, GAME.prompt(ready)) == (Phase.SCORED, None)
    assert refusal(ready, 0, Ready()) == "ALREADY_READY"
    following = deal(ready)
    assert (following.dealer, following.totals, following.passed_out) == (0, (-200, 60), 0)


def test_the_end_of_a_match_is_its_result_and_nothing_is_legal_any_more() -> None:
    *_, (_, _, last) = match(3, deals=200, mercy_limit=1000, target_score=1000)
    result = GAME.result(last)
    assert result is not None
    assert last.phase is Phase.MATCH_END
    assert GAME.prompt(last) is None
    assert all(GAME.legal(last, seat) == () for seat in SEATS)
    assert refusal(last, 0, Ready()) == "WRONG_PHASE"
    assert sorted(result.places) == [1, 1, 3, 3]
    assert result.places[last.champions] == result.places[last.champions + 2] == 1
    assert result.team_totals == last.totals
    assert result.first == (last.first_dealer + 1) % 4
    assert not result.draw
