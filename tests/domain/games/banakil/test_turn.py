import pytest

from domain.games.banakil import GAME
from domain.games.banakil.events import CardThrown, GroundTaken, StockDrawn, StockRebuilt
from domain.games.banakil.pack import CODES
from tests.domain.games.banakil.tables import (
    DRAW,
    S0,
    S1,
    S2,
    S3,
    at,
    chance,
    extend,
    fold,
    hand,
    lay,
    play,
    proceeded,
    refused,
    settings,
    take,
    throw,
)

GROUND = "AS KD 5H 9C 3D"


def test_bnk_24_draw_then_lay_then_throw_then_the_next_seat() -> None:
    state = at("7D 8D KC QC", "3S", turn=0, phase="turn_draw", stock="9D 4C", ground=None)
    for command in (lay("7D 8D 9D"), extend("m1", "7D 8D 9D"), throw("KC")):
        refused(state, S0, command, "DRAW_FIRST")
    state = play(state, (S0, DRAW), (S0, lay("7D 8D 9D")), (S0, throw("KC")))
    assert (state.phase, state.turn) == ("turn_draw", S1)


@pytest.mark.parametrize("phase", ["turn_draw", "turn_play"])
def test_bnk_25_only_the_seat_on_turn_acts(phase: str) -> None:
    state = at("KC", "QC 7D 8D 9D", "JC", "TC", phase=phase, ground=GROUND)
    for command in (DRAW, take("AS", 1), lay("7D 8D 9D"), extend("m1", "AS"), throw("QC")):
        refused(state, S1, command, "NOT_YOUR_TURN")
    assert GAME.legal(state, S1) == ()


def test_bnk_26_one_draw_a_turn() -> None:
    state = play(at("KC QC", phase="turn_draw", ground=GROUND), (S0, DRAW))
    refused(state, S0, DRAW, "ALREADY_DREW")
    refused(state, S0, take("AS", 1), "ALREADY_DREW")
    state = play(at("KC QC", phase="turn_draw", ground=GROUND), (S0, take("KD", 2)))
    refused(state, S0, DRAW, "ALREADY_DREW")


def test_bnk_27_28_the_starter_draws_nothing_in_his_first_turn_but_may_lay() -> None:
    state = at("7D 8D 9D KC QC", first_turn=True)
    refused(state, S0, DRAW, "STARTER_DOES_NOT_DRAW")
    refused(state, S0, take("AS", 1), "STARTER_DOES_NOT_DRAW")
    state = play(state, (S0, lay("7D 8D 9D")), (S0, throw("KC")))
    assert (state.turn, state.phase, len(state.ground)) == (S1, "turn_draw", 1)
    dealt = proceeded(GAME.start(settings(first=S1)))
    assert (dealt.phase, dealt.turn) == ("turn_play", S1)


def test_bnk_29_the_top_card_of_the_stock() -> None:
    state = at("KC", phase="turn_draw", stock="9D 4C")
    (drawn,) = GAME.decide(state, S0, DRAW)
    assert drawn == StockDrawn(seat=S0, card="9D")
    assert hand(play(state, (S0, DRAW)), S0) == ["9D", "KC"]


@pytest.mark.parametrize("count", range(1, 6))
def test_bnk_30_the_chosen_card_and_all_above_it(count: int) -> None:
    state = at("KC", phase="turn_draw", ground=GROUND)
    cards = GROUND.split()
    (taken,) = GAME.decide(state, S0, take(cards[count - 1], count))
    assert taken == GroundTaken(seat=S0, cards=tuple(cards[:count]))
    after = GAME.evolve(state, taken)
    assert [CODES[card] for card in after.ground] == cards[count:]
    assert sorted(hand(after, S0)) == sorted(["KC", *cards[:count]])


def test_bnk_31_the_number_guards_against_a_miscount_and_picks_the_copy() -> None:
    state = at("KC", phase="turn_draw", ground="AS.1 KD AS.2 9C")
    for wrong in (0, 2, 4, 5, -3):
        refused(state, S0, take("AS", wrong), "GROUND_COUNT_MISMATCH")
    for code in ("QS", "KD.2", "??", "AS.3"):
        refused(state, S0, take(code, 1), "GROUND_CARD_UNKNOWN")
    refused(state, S0, take("AS.2", 1), "GROUND_COUNT_MISMATCH")
    assert hand(play(state, (S0, take("AS", 1))), S0) == ["AS", "KC"]
    assert play(state, (S0, take("AS", 3))) == play(state, (S0, take("AS.2", 3)))
    refused(at("KC", phase="turn_draw", ground=""), S0, take("AS", 1), "GROUND_EMPTY")


def test_bnk_32_33_ground_cards_need_no_opening_and_need_not_be_laid() -> None:
    state = at("KC", phase="turn_draw", ground="2S JK1 AS")
    state = play(state, (S0, take("AS", 3)), (S0, throw("KC")))
    assert hand(state, S0) == ["AS", "2S", "JK1"]
    assert state.opened == 0


def test_bnk_36_no_minimum_to_open() -> None:
    state = play(at("3D 4D 5D KC"), (S0, lay("3D 4D 5D")))
    assert state.opened == 1


def test_bnk_37_a_turn_ends_by_a_throw_alone() -> None:
    state = play(at("3D 4D 5D KC QC"), (S0, lay("3D 4D 5D")))
    assert (state.turn, state.phase) == (S0, "turn_play")
    assert play(state, (S0, throw("KC"))).turn == S1


def test_bnk_84_85_any_card_may_be_thrown_also_a_2_or_a_joker() -> None:
    for code in ("KC", "2D", "JK2"):
        state = at("KC 2D JK2", ground="9C 3D")
        (thrown,) = GAME.decide(state, S0, throw(code))
        assert thrown == CardThrown(seat=S0, card=code)
        assert CODES[GAME.evolve(state, thrown).ground[0]] == code
    for code in ("QC", "KC.2", "nonsense", "??", ""):
        refused(at("KC 2D"), S0, throw(code), "CARD_NOT_IN_HAND")


def test_bnk_86_the_top_card_just_taken_may_be_thrown_again() -> None:
    state = play(at("KC", phase="turn_draw", ground=GROUND), (S0, take("AS", 1)), (S0, throw("AS")))
    assert CODES[state.ground[0]] == "AS"


def test_copies_a_face_alone_is_the_lower_copy_in_the_hand() -> None:
    state = at("KC.1 KC.2 QC.2 9D")
    assert GAME.decide(state, S0, throw("KC")) == (CardThrown(seat=S0, card="KC"),)
    assert GAME.decide(state, S0, throw("KC.1")) == (CardThrown(seat=S0, card="KC"),)
    assert GAME.decide(state, S0, throw("KC.2")) == (CardThrown(seat=S0, card="KC.2"),)
    assert GAME.decide(state, S0, throw("QC")) == (CardThrown(seat=S0, card="QC.2"),)
    refused(state, S0, throw("QC.1"), "CARD_NOT_IN_HAND")


def test_bnk_87_out_by_a_meld_leaves_the_ground_alone() -> None:
    events = GAME.decide(at("7D 8D 9D", ground=GROUND), S0, lay("7D 8D 9D"))
    assert [type(event).__name__ for event in events] == ["MeldLaid", "HandEnded", "HandScored"]
    state = fold(at("7D 8D 9D", ground=GROUND), events)
    assert (state.phase, len(state.ground)) == ("hand_scored", 5)
    assert GAME.prompt(state) is None
    assert GAME.legal(state, S0) == ()


def test_bnk_87_out_by_an_addition_or_by_the_last_throw() -> None:
    melds = [{"cards": "7D 8D 9D", "laid_by": 2}]
    state = play(at("TD", melds=melds), (S0, extend("m1", "7D 8D 9D TD")))
    assert state.score is not None
    assert (state.score.how, state.score.out) == ("meld", S0)
    state = play(at("TD", melds=melds), (S0, throw("TD")))
    assert state.score is not None
    assert (state.score.how, state.score.out) == ("throw", S0)


def test_bnk_88_going_out_needs_no_opening() -> None:
    assert play(at("TD"), (S0, throw("TD"))).phase == "hand_scored"


def test_bnk_89_90_the_ground_but_its_top_is_shuffled_at_the_end_of_the_turn() -> None:
    state = play(at("KC QC", "3S", phase="turn_draw", stock="9D"), (S0, DRAW), (S0, throw("KC")))
    assert (state.phase, GAME.prompt(state)) == ("turn_end", None)
    refused(state, S1, DRAW, "NOT_IN_PHASE")
    (rebuilt,) = GAME.proceed(state, chance())
    assert isinstance(rebuilt, StockRebuilt)
    assert sorted(rebuilt.stock) == sorted(CODES[card] for card in state.ground[1:])
    assert len(rebuilt.salts) == len(rebuilt.stock)
    after = GAME.evolve(state, rebuilt)
    assert (after.phase, after.turn, after.reshuffles) == ("turn_draw", S1, 1)
    assert [CODES[card] for card in after.ground] == ["KC"]


def test_bnk_91_the_third_time_the_hand_is_dead() -> None:
    state = at("KC QC", "3S", "4S", "5S", phase="turn_draw", stock="9D", reshuffles=2)
    state = play(state, (S0, DRAW), (S0, throw("KC")))
    assert state.score is not None
    assert (state.phase, state.score.how, state.score.out) == ("hand_scored", "dead", None)


def test_bnk_92_out_in_the_turn_that_emptied_the_stock_is_no_dead_hand() -> None:
    state = at("7D 8D", phase="turn_draw", stock="9D", reshuffles=2)
    state = play(state, (S0, DRAW), (S0, lay("7D 8D 9D")))
    assert state.score is not None
    assert (state.score.how, state.score.out) == ("meld", S0)
    thrown = play(at("7D", phase="turn_play", stock="", reshuffles=2), (S0, throw("7D")))
    assert thrown.score is not None
    assert thrown.score.how == "throw"


def test_bnk_93_a_ground_of_one_card_makes_no_stock() -> None:
    rest = "KC QC"
    state = at(rest, "3S", stock="", ground=None)
    assert state.ground
    bare = at(rest, " ".join(code for code in CODES if code not in rest.split()), stock="", ground="")
    events = GAME.decide(bare, S0, throw("KC"))
    assert fold(bare, events).score is not None
    assert fold(bare, events).score.how == "dead"  # type: ignore[union-attr]


def test_bnk_113_one_number_for_the_whole_turn_and_a_new_one_for_the_next() -> None:
    state = at("7D 8D KC QC", "3S", phase="turn_draw", stock="9D 4C")
    first = GAME.prompt(state)
    assert first is not None
    assert (first.kind, first.seconds, first.commands) == ("turn", 40, ("draw", "take"))
    for command in (DRAW, lay("7D 8D 9D")):
        state = play(state, (S0, command))
        now = GAME.prompt(state)
        assert now is not None
        assert (now.number, now.commands) == (first.number, ("lay", "extend", "throw"))
    following = GAME.prompt(play(state, (S0, throw("KC"))))
    assert following is not None
    assert (following.number, following.seats) == (first.number + 1, (S1,))


def test_seats_follow_one_another() -> None:
    state = at("KC QC", "KD QD", "KH QH", "KS QS")
    for seat, following in ((S0, S1), (S1, S2), (S2, S3), (S3, S0)):
        if state.phase == "turn_draw":
            state = play(state, (seat, DRAW))
        state = play(state, (seat, throw(hand(state, seat)[0])))
        assert state.turn == following
