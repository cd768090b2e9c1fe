"""How scenario files set Basra up and look at it."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from domain.cards import CARDS, PACK, Card, card_set, codes
from domain.game import Randomness, Result, Scenarios, Seat, Settings
from domain.games.basra.given import Codes, Stacked, check_once, check_seat, check_size, check_whole, read_cards
from domain.games.basra.rules import PACKET, SIDES, Rules, dealing_order, rules_of
from domain.games.basra.scoring import outcome, result
from domain.games.basra.state import Phase, State, names
from domain.games.basra.state import start as fresh
from domain.games.basra.view import deal_points


class Deal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One hand's cards: ``deck`` top first; or four cards by seat, the floor as dealt, and the stock, top first.

    Without ``stock`` the cards not named follow in the order of the pack. The first dealer is the last seat.
    """

    deck: Codes | None = None
    hands: tuple[Codes, ...] | None = None
    floor: Codes | None = None
    stock: Codes | None = None
    dealer: int | None = None


class Start(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match whose next hand is number ``hand_number``, dealt by ``dealer``; totals by seat, or by team."""

    totals: tuple[int, ...] | None = None
    team_totals: tuple[int, ...] | None = None
    hand_number: int = 2
    dealer: int = 0
    carry: int = 0


class Position(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The middle of a hand: hands by seat in the order dealt, the floor as it lies, oldest first, the stock top first.

    Piles are by side (a seat where two play, a team where four do). Without ``piles`` the cards not named lie in the
    pile of ``last_capturer``, which is seat 0 unless said. Without ``turn`` and ``dealer`` they follow from the number
    of cards in the hands; where those are equal, seat 0 is to play.
    """

    hands: tuple[Codes, ...]
    floor: Codes = ()
    stock: Codes = ()
    piles: tuple[Codes, ...] | None = None
    returned: Codes = ()
    turn: int | None = None
    dealer: int | None = None
    last_capturer: int | None = None
    basra: tuple[int, ...] | None = None
    jack_bonus: tuple[int, ...] | None = None
    carry: int = 0
    totals: tuple[int, ...] | None = None
    team_totals: tuple[int, ...] | None = None
    hand_number: int = 1


def stack(state: State, deal: Deal) -> Randomness:
    """Return what makes the next hand come out as given; raise ``ValueError`` where it cannot."""
    players = state.rules.players
    due = (state.dealer + 1) % players if state.dealer >= 0 else None
    usual = players - 1 if due is None else due
    dealer = usual if deal.dealer is None else check_seat("dealer", deal.dealer, players)
    if due not in {None, dealer}:
        message = f"dealer: it is seat {due}'s deal"
        raise ValueError(message)
    deck = _deck(deal, dealer, players)
    check_whole("deck" if deal.deck is not None else "deal", deck)
    return Stacked(dealer, names(deck))


def _deck(deal: Deal, dealer: int, players: int) -> tuple[Card, ...]:
    if deal.deck is not None:
        if not deal.hands is deal.floor is deal.stock is None:
            message = "deck: hands, floor and stock go without it"
            raise ValueError(message)
        return read_cards("deck", deal.deck)
    if deal.hands is None or deal.floor is None:
        message = "deal: a deck, or hands and floor are needed"
        raise ValueError(message)
    check_size("hands", deal.hands, players)
    hands = [read_cards(f"hands[{seat}]", hand) for seat, hand in enumerate(deal.hands)]
    floor = read_cards("floor", deal.floor)
    for where, packet in (*((f"hands[{seat}]", hand) for seat, hand in enumerate(hands)), ("floor", floor)):
        check_size(where, packet, PACKET)
    dealt = (*(card for seat in dealing_order(dealer, players) for card in hands[seat]), *floor)
    if deal.stock is None:
        return (*dealt, *(card for card in CARDS.values() if card not in dealt))
    return (*dealt, *read_cards("stock", deal.stock))


def _totals(rules: Rules, totals: tuple[int, ...] | None, team_totals: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return totals by side from those by seat or by team."""
    if team_totals is not None:
        check_size("team_totals", team_totals, SIDES)
        return team_totals
    if totals is None:
        return (0,) * SIDES
    check_size("totals", totals, rules.players)
    if totals != rules.by_seat(totals[:SIDES]):
        message = "totals: partners share one total"
        raise ValueError(message)
    return totals[:SIDES]


def begin(settings: Settings, given: Start) -> State:
    """Return a match that owes a later hand than its first."""
    state = fresh(settings)
    players = state.rules.players
    before = Seat((check_seat("dealer", given.dealer, players) - 1) % players)
    return msgspec.structs.replace(
        state,
        number=given.hand_number - 1,
        dealer=before,
        carry=given.carry,
        totals=_totals(state.rules, given.totals, given.team_totals),
    )


def place(settings: Settings, given: Position) -> State:
    """Return a match in the middle of a hand; raise ``ValueError`` where the cards do not make up the pack."""
    state = fresh(settings)
    rules = state.rules
    check_size("hands", given.hands, rules.players)
    hands = tuple(read_cards(f"hands[{seat}]", hand) for seat, hand in enumerate(given.hands))
    dealer, turn = _dealer_and_turn(given, hands)
    floor = read_cards("floor", given.floor)
    stock = read_cards("stock", given.stock)
    if len(stock) % (PACKET * rules.players):
        message = f"stock: not a multiple of {PACKET * rules.players} cards"
        raise ValueError(message)
    piles, capturer = _piles(rules, given, (*(card for hand in hands for card in hand), *floor, *stock))
    none = (0,) * rules.players
    basra, bonus = given.basra or none, given.jack_bonus or none
    check_size("basra", basra, rules.players)
    check_size("jack_bonus", bonus, rules.players)
    return msgspec.structs.replace(
        state,
        phase=Phase.TURN,
        clock=1,
        number=given.hand_number,
        dealer=dealer,
        turn=turn,
        batch=len(PACK) // (PACKET * rules.players) - len(stock) // (PACKET * rules.players),
        hands=hands,
        floor=floor,
        stock=stock,
        returned=read_cards("returned", given.returned),
        piles=tuple(card_set(pile) for pile in piles),
        basra=basra,
        jack_bonus=bonus,
        last_capturer=capturer,
        carry=given.carry,
        totals=_totals(rules, given.totals, given.team_totals),
    )


def _dealer_and_turn(given: Position, hands: tuple[tuple[Card, ...], ...]) -> tuple[Seat, Seat]:
    """Return the dealer and the seat to play: all run out of cards together, the dealer last."""
    players = len(hands)
    counts = [len(hand) for hand in hands]
    if given.turn is not None:
        turn = check_seat("turn", given.turn, players)
    elif min(counts) == max(counts):
        turn = Seat(0) if given.dealer is None else Seat((given.dealer + 1) % players)
    else:
        turn = Seat(next(seat for seat in range(players) if counts[seat - 1] < counts[seat]))
    most = counts[turn]
    holding = next((step for step in range(players) if counts[(turn + step) % players] < most), players)
    expected = [most if (seat - turn) % players < holding else most - 1 for seat in range(players)]
    if most == 0 or counts != expected:
        message = f"hands: with seat {turn} to play, those after it hold as many cards as it, the rest one fewer"
        raise ValueError(message)
    dealer = Seat((turn + holding - 1) % players)
    if given.dealer not in {None, dealer}:
        message = f"dealer: by the number of cards in the hands it is seat {dealer}"
        raise ValueError(message)
    return dealer, turn


def _piles(rules: Rules, given: Position, named: Sequence[Card]) -> tuple[list[tuple[Card, ...]], Seat]:
    """Return the piles by side and the last capturer (-1 for none)."""
    check_once("position", named)
    capturer = None if given.last_capturer is None else check_seat("last_capturer", given.last_capturer, rules.players)
    piles: list[tuple[Card, ...]] = [()] * SIDES
    if given.piles is None:
        rest = tuple(card for card in CARDS.values() if card not in named)
        owner = Seat(0) if capturer is None else capturer
        piles[rules.side(owner)] = rest
    else:
        check_size("piles", given.piles, SIDES)
        piles = [read_cards(f"piles[{side}]", pile) for side, pile in enumerate(given.piles)]
    check_whole("position", (*named, *piles[0], *piles[1]))
    if capturer is None:
        capturer = Seat(next((side for side, pile in enumerate(piles) if pile), -1))
    return piles, capturer


def final(settings: Settings, totals: tuple[int, ...], first: Seat) -> Result:
    """Return the result of a match that ended with these totals by seat."""
    rules = rules_of(settings)
    return outcome(rules, _totals(rules, totals, None), first)


def facts(state: State) -> Mapping[str, object]:
    """Return what a scenario may expect, in points and codes."""
    ended = result(state)
    last = state.last_play
    return {
        "phase": state.phase.value,
        "turn": state.turn if state.turn >= 0 else None,
        "hands": [list(names(hand)) for hand in state.hands],
        "deal_points": list(deal_points(state)),
        "totals": list(state.rules.by_seat(state.totals)),
        "team_totals": list(state.totals) if state.rules.players == 4 else None,
        "places": list(ended.places) if ended else None,
        "winner": ended.places.index(1) if ended else None,
        "floor": list(names(state.floor)),
        "stock": list(names(state.stock)),
        "piles": [list(codes(pile)) for pile in state.piles],
        "pile_counts": [pile.bit_count() for pile in state.piles],
        "returned": list(names(state.returned)),
        "basra": list(state.basra),
        "jack_bonus": list(state.jack_bonus),
        "last_basra": bool(last and last.basra),
        "last_taken": list(last.taken) if last else [],
        "last_capturer": state.last_capturer if state.last_capturer >= 0 else None,
        "carry": state.carry,
        "dealer": state.dealer if state.dealer >= 0 else None,
        "hand_number": state.number,
        "batch": state.batch,
    }


SCENARIOS: Final[Scenarios[State]] = Scenarios(
    deal=Deal,
    start=Start,
    position=Position,
    stack=stack,
    begin=begin,
    place=place,
    final=final,
    facts=facts,
    accepts=(
        "floor",
        "stock",
        "piles",
        "pile_counts",
        "returned",
        "basra",
        "jack_bonus",
        "last_basra",
        "last_taken",
        "last_capturer",
        "carry",
        "dealer",
        "hand_number",
        "batch",
    ),
)
