"""Setup, deal and bidding: PIN-1 to PIN-26."""

import pytest

from domain.game import Seat
from domain.games.pinochle import GAME
from domain.games.pinochle.commands import AskRedeal, Bid, NameTrump, PassBid, PlayCard
from domain.games.pinochle.events import BidPassed, ContractMade, DealPassedOut, HandDealt
from domain.games.pinochle.pack import CODES, KINDS, PACK, VALUES, codes, pack, size
from domain.games.pinochle.state import Phase
from domain.options import BadOption, checked
from tests.domain.games.pinochle.tables import (
    HANDS,
    SEATS,
    calls,
    chance,
    deal,
    dealt,
    fold,
    moved,
    playing,
    refusal,
    settings,
    started,
)

NINES = (
    "AS AS TS TS KS KS QS QS JS JS AH AH",
    "TH TH KH KH QH QH JH JH AD AD TD TD",
    "KD KD QD QD JD JD AC AC TC TC KC KC",
    "QC QC JC JC 9S 9S 9H 9H 9D 9D 9C 9C",
)


def test_pin_1_and_2_four_seats_and_facing_partners() -> None:
    assert GAME.seats(settings()) == 4
    assert GAME.teams(settings()) == (0, 1, 0, 1)


def test_pin_3_eldest_calls_first_and_play_goes_to_the_next_seat() -> None:
    state = dealt(dealer=1)
    assert state.turn == 2
    assert moved(state, (2, PassBid())).turn == 3
    assert moved(playing(), (0, PlayCard("AH"))).turn == 1


def test_pin_4_the_pack_has_two_of_each_of_24_cards() -> None:
    assert len(PACK) == 48
    assert all(PACK.count(code) == 2 for code in CODES)
    assert {code[0] for code in PACK} == set("9JQKTA")


def test_pin_5_the_ten_ranks_above_the_king_and_hands_are_shown_from_the_ace_down() -> None:
    assert [code for code in CODES if code[1] == "H"] == ["9H", "JH", "QH", "KH", "TH", "AH"]
    assert KINDS["TH"] > KINDS["KH"]
    hand = ["9C", "KD", "TD", "AD", "9S", "AS"]
    assert codes(pack(hand)) == ("AS", "9S", "AD", "TD", "KD", "9C")


def test_pin_6_aces_tens_and_kings_count_ten() -> None:
    values = {code: value for code, value in zip(CODES, VALUES, strict=True) if value}
    assert set(values.values()) == {10}
    assert {code[0] for code in values} == set("ATK")
    assert sum(VALUES) * 2 + 10 == 250


def test_pin_7_playing_one_copy_leaves_the_other() -> None:
    state = playing("C")
    assert codes(state.hands[0]).count("JH") == 2
    assert codes(moved(state, (0, PlayCard("JH"))).hands[0]).count("JH") == 1


def test_pin_8_the_first_dealer_is_drawn_from_all_four_and_recorded() -> None:
    drawn = set()
    for seed in range(40):
        (event,) = GAME.proceed(started(), chance(seed))
        assert isinstance(event, HandDealt)
        drawn.add(event.dealer)
        assert fold(started(), [event]).first_dealer == event.dealer
    assert drawn == set(SEATS)


def test_pin_9_the_deal_holds_the_whole_shuffled_deck_and_a_salt_a_card() -> None:
    (event,) = GAME.proceed(started(), chance(1))
    assert isinstance(event, HandDealt)
    assert sorted(event.deck) == sorted(PACK)
    assert len(set(event.salts)) == 48


def test_pin_11_and_12_packets_of_three_go_round_four_times_from_eldest() -> None:
    (event,) = GAME.proceed(started(), chance(2))
    assert isinstance(event, HandDealt)
    state = fold(started(), [event])
    for seat in SEATS:
        cards = [code for k, code in enumerate(event.deck) if (event.dealer + 1 + k // 3) % 4 == seat]
        assert size(state.hands[seat]) == 12
        assert state.hands[seat] == pack(cards)


def test_pin_13_the_dealer_moves_on_after_a_passed_out_deal_too() -> None:
    state = moved(dealt(dealer=3), *calls("0:P 1:P 2:P 3:P"))
    assert GAME.prompt(state) is None
    assert deal(state).dealer == 0


def test_pin_14_five_nines_may_replace_the_deal_by_the_same_dealer() -> None:
    state = dealt(NINES, 2, nines_redeal=True)
    prompt = GAME.prompt(state)
    assert prompt is not None
    assert "ask_redeal" in prompt.commands
    asked = moved(state, (3, AskRedeal()))
    assert asked.phase is Phase.DEAL
    again = deal(asked)
    assert (again.dealer, again.passed_out, again.deals) == (2, 0, 2)


def test_pin_14_refused_when_off_out_of_turn_after_a_call_or_with_fewer_nines() -> None:
    assert refusal(dealt(NINES, 2), 3, AskRedeal()) == "WRONG_PHASE"
    state = dealt(NINES, 2, nines_redeal=True)
    assert refusal(state, 0, AskRedeal()) == "NOT_YOUR_TURN"
    called = moved(state, *calls("3:200 0:210 1:P 2:P"))
    assert refusal(called, 3, AskRedeal()) == "WRONG_PHASE"
    assert refusal(moved(state, (3, PassBid())), 0, AskRedeal()) == "NO_FIVE_NINES"


def test_pin_15_and_16_a_pass_is_final_and_passed_seats_are_skipped() -> None:
    state = moved(dealt(), *calls("0:200 1:P 2:210 3:P 0:220"))
    assert state.turn == 2
    assert refusal(state, 1, Bid(230)) == "NOT_YOUR_TURN"


@pytest.mark.parametrize(("minimum", "low"), [(150, 140), (200, 190), (250, 240), (300, 290)])
def test_pin_17_the_first_bid_is_at_least_the_opening_minimum(minimum: int, low: int) -> None:
    state = dealt(opening_min=minimum)
    assert refusal(state, 0, Bid(low)) == "BID_TOO_LOW"
    assert moved(state, (0, Bid(minimum))).auction.bid == minimum


@pytest.mark.parametrize(
    ("amount", "code"),
    [(195, "BID_STEP"), (200, "BID_TOO_LOW"), (205, "BID_STEP"), (190, "BID_TOO_LOW"), (2475, "BID_STEP")],
)
def test_pin_17_bids_rise_by_tens(amount: int, code: str) -> None:
    assert refusal(moved(dealt(), (0, Bid(200))), 1, Bid(amount)) == code


def test_pin_18_step_only_allows_one_bid() -> None:
    state = dealt(bid_jump="step_only")
    assert [command for command in GAME.legal(state, Seat(0)) if isinstance(command, Bid)] == [Bid(200)]
    assert refusal(state, 0, Bid(210)) == "BID_STEP"
    assert refusal(state, 0, Bid(190)) == "BID_TOO_LOW"
    assert refusal(moved(state, (0, Bid(200))), 1, Bid(220)) == "BID_STEP"


def test_pin_19_2470_is_the_highest_bid() -> None:
    assert refusal(dealt(), 0, Bid(2480)) == "BID_TOO_HIGH"
    state = moved(dealt(), (0, Bid(2470)))
    assert GAME.legal(state, Seat(1)) == (PassBid(),)
    assert refusal(state, 1, Bid(2480)) == "BID_TOO_HIGH"


def test_pin_20_a_partner_may_be_outbid() -> None:
    assert moved(dealt(), *calls("0:200 1:P 2:210")).auction.bidder == 2


def test_pin_21_the_auction_ends_when_the_three_others_have_passed() -> None:
    state = moved(dealt(), *calls("0:200 1:P 2:P"))
    assert GAME.decide(state, Seat(3), PassBid()) == (
        BidPassed(Seat(3)),
        ContractMade(Seat(0), 200, forced=False),
    )


def test_pin_22_the_dealer_calls_after_three_passes_and_his_bid_ends_the_auction() -> None:
    state = moved(dealt(), *calls("0:P 1:P 2:P"))
    assert (state.phase, state.turn) == (Phase.BIDDING, 3)
    bid = moved(state, (3, Bid(230)))
    assert (bid.phase, bid.turn, bid.auction.bid) == (Phase.TRUMP, 3, 230)


def test_pin_23_four_passes_void_the_deal_and_score_nothing() -> None:
    state = moved(dealt(), *calls("0:P 1:P 2:P"))
    assert GAME.decide(state, Seat(3), PassBid()) == (BidPassed(Seat(3)), DealPassedOut(Seat(3), 1))
    assert moved(state, (3, PassBid())).totals == (0, 0)


def test_pin_24_with_dealer_forced_he_plays_at_the_minimum() -> None:
    state = moved(dealt(all_pass="dealer_forced", opening_min=250), *calls("0:P 1:P 2:P 3:P"))
    assert (state.phase, state.auction.bidder, state.auction.bid, state.auction.forced) == (Phase.TRUMP, 3, 250, True)


@pytest.mark.parametrize("cap", [0, 1, 3])
def test_pin_25_after_the_cap_of_passed_out_deals_the_dealer_is_forced(cap: int) -> None:
    state = started(max_redeals=cap)
    for number in range(cap + 1):
        state = deal(state, dealer=None if number else 3)
        assert GAME.view(state, Seat(0)).dealer_forced == (number == cap)  # type: ignore[attr-defined]
        for _ in SEATS:
            state = moved(state, (state.turn, PassBid()))
    assert state.phase is Phase.TRUMP
    assert state.auction.bidder == state.dealer == (3 + cap) % 4


def test_pin_26_calls_are_public_at_once() -> None:
    event = GAME.decide(dealt(), Seat(0), Bid(200))[0]
    assert all(GAME.redact(event, viewer) == event for viewer in (*SEATS, Seat(-1)))


def test_the_phase_is_looked_at_before_the_turn() -> None:
    state = dealt()
    assert refusal(state, 2, NameTrump("H")) == "WRONG_PHASE"
    assert refusal(state, 2, PlayCard("AH")) == "WRONG_PHASE"
    assert refusal(playing(), 2, Bid(300)) == "WRONG_PHASE"
    assert refusal(playing(), 2, PassBid()) == "WRONG_PHASE"


def test_section_2_every_option_has_its_default_and_its_other_values() -> None:
    defaults = checked(GAME.options, {})
    assert defaults == {
        "target_score": 1500,
        "opening_min": 200,
        "bid_jump": "allowed",
        "all_pass": "redeal",
        "max_redeals": 3,
        "pass_count": 0,
        "pass_style": "sequential",
        "trump_needs_marriage": False,
        "dix": True,
        "double_values": "tenfold",
        "run_extras": False,
        "heading": "always",
        "save_meld": "trick",
        "concede": False,
        "nines_redeal": False,
        "mercy_limit": 0,
        "auto_single_legal": False,
        "turn_seconds": 40,
        "meld_display_seconds": 15,
    }
    for wrong in ({"pass_count": 2}, {"opening_min": 210}, {"turn_seconds": 14}, {"meld_display_seconds": 61}):
        with pytest.raises(BadOption):
            checked(GAME.options, wrong)


def test_pin_84_playing_an_only_card_by_itself_is_left_to_the_client() -> None:
    with_it, without = playing(auto_single_legal=True), playing()
    assert GAME.prompt(with_it) == GAME.prompt(without)
    assert GAME.legal(with_it, Seat(0)) == GAME.legal(without, Seat(0))


def test_the_hands_of_the_tests_are_the_pack() -> None:
    assert sorted(" ".join(HANDS).split()) == sorted(PACK)


def test_pin_73_the_computer_passes_no_cards() -> None:
    for target in (1500, 1000):
        assert checked(GAME.options, {"target_score": target, "pass_count": 0}, against_computer=True)
    with pytest.raises(BadOption, match="pass_count stays 0"):
        checked(GAME.options, {"pass_count": 3}, against_computer=True)
