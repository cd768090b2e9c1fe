"""How scenario files deal, begin and look at a match of Trix."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, TypeVar

import msgspec

from domain.cards import CARDS, FULL, PACK, SUITS, CardSet, card_set, codes, of_suit
from domain.game import Randomness, Result, Scenarios, Seat, Settings
from domain.games.trix.contracts import HAND, JACKS, KINGDOMS, SEATS, TERMS, Contract
from domain.games.trix.decide import next_owner
from domain.games.trix.rows import playable
from domain.games.trix.scoring import place_points, result_of, team_totals
from domain.games.trix.state import Phase, State, start
from domain.games.trix.view import face_up, rows

T = TypeVar("T")
Cards = str | tuple[str, ...]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=3)]


class Deal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One deal: four hands of 13 by seat, or the deck from the top."""

    hands: tuple[Cards, Cards, Cards, Cards] | None = None
    deck: Cards | None = None
    owner: SeatNumber | None = None  # checked: the rules say who it is


class Start(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match that owes a later deal than its first."""

    owner: SeatNumber
    kingdom: Annotated[int, msgspec.Meta(ge=1, le=KINGDOMS)] = 2
    contracts_played: tuple[Contract, ...] = ()
    totals: tuple[int, int, int, int] = (0, 0, 0, 0)


class Position(Start, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deal in its middle. Cards in no hand and not in the trick have been played; in TRIX they are the rows."""

    contract: Contract
    hands: tuple[Cards, Cards, Cards, Cards]
    turn: SeatNumber
    trick: Cards = ()  # in the order played
    doubled: tuple[Cards, Cards, Cards, Cards] = ((), (), (), ())
    points: tuple[int, int, int, int] = (0, 0, 0, 0)  # of the tricks before
    rows: tuple[Cards, Cards, Cards, Cards] | None = None  # by suit S H D C; must agree with the hands
    twos: tuple[Cards, Cards, Cards, Cards] = ((), (), (), ())  # those shown
    out: tuple[SeatNumber, ...] = ()  # seats without cards, in the order of running out


class Stacked:
    """The chance that makes one given deal come out."""

    def __init__(self, deck: tuple[str, ...]) -> None:
        """Take the deck, top first."""
        self._deck = deck

    def below(self, bound: int) -> int:
        """Draw nothing: a deal of Trix holds no other chance."""
        assert bound > 0
        return 0

    def shuffled(self, pack: Sequence[T]) -> tuple[T, ...]:
        """Return the given deck, made of the pack's own cards."""
        return tuple(pack[PACK.index(code)] for code in self._deck)

    def salts(self, count: int) -> tuple[str, ...]:
        """Return salts that only a scenario may have: all alike."""
        return ("00" * 16,) * count


def stack(state: State, deal: Deal) -> Randomness:
    """Return what makes the deal come out."""
    if (deal.hands is None) == (deal.deck is None):
        raise ValueError("deal: give either hands or deck")
    hands = [_listed("hands", hand) for hand in deal.hands or ()]
    if any(len(hand) != HAND for hand in hands):
        message = f"hands: each has {HAND} cards"
        raise ValueError(message)
    deck = tuple(code for hand in hands for code in hand) or _listed("deck", deal.deck or ())
    _whole_pack("deal", deck)
    owner = next_owner(state, deck)
    if deal.owner not in (None, owner):
        message = f"owner: seat {owner} owns this deal, not seat {deal.owner}"
        raise ValueError(message)
    return Stacked(deck)


def begin(settings: Settings, at: Start) -> State:
    """Return a match that owes the deal in which the owner chooses, or is left with, his next contract."""
    state = start(settings)
    contracts = state.table.contracts
    _check_contracts(at.contracts_played, contracts)
    if len(at.contracts_played) == len(contracts):
        raise ValueError("contracts_played: the kingdom is over")
    if at.kingdom == 1 and not at.contracts_played:
        raise ValueError("start: the first deal has no owner but the holder of 7H")
    fresh = not at.contracts_played  # then the kingdom before is the last thing played
    return msgspec.structs.replace(
        state,
        phase=Phase.DEAL_SCORED,
        deal=len(contracts) * (at.kingdom - 1) + len(at.contracts_played),
        kingdom=at.kingdom - fresh,
        first=Seat((at.owner - at.kingdom + 1) % SEATS),
        owner=Seat((at.owner - fresh) % SEATS),
        chosen=contracts if fresh else at.contracts_played,
        totals=at.totals,
    )


def place(settings: Settings, at: Position) -> State:
    """Return a match in the middle of a deal; it conserves the pack but need not be reachable."""
    state = start(settings)
    _check_contracts((*at.contracts_played, at.contract), state.table.contracts)
    hands = [_listed("hands", hand) for hand in at.hands]
    trick = _listed("trick", at.trick)
    _no_repeats("position", tuple(code for cards in (*hands, trick) for code in cards))
    sets = tuple(_set(hand) for hand in hands)
    played = CardSet(FULL & ~(sets[0] | sets[1] | sets[2] | sets[3]))
    if len(trick) >= SEATS:
        raise ValueError("trick: three cards at most are in progress")
    doubled = _by_seat("doubled", at.doubled)
    _check_held("doubled", doubled, sets)
    if any(cards & ~TERMS[at.contract].doublable for cards in doubled):
        raise ValueError("doubled: a card that cannot be doubled in this contract")
    twos = _by_seat("twos", at.twos)
    _check_held("twos", twos, sets)
    in_layout = at.contract is Contract.TRIX
    if in_layout:
        _check_layout(at, sets, played)
    elif len({len(hand) + (seat in _in_trick(at, trick)) for seat, hand in enumerate(hands)}) != 1:
        raise ValueError("hands: with the trick in progress every seat has the same number of cards")
    if not (playable(sets[at.turn], played) if in_layout else sets[at.turn]):
        raise ValueError("turn: the seat to play has no card to play")
    return msgspec.structs.replace(
        state,
        phase=Phase.LAYOUT if in_layout else Phase.TRICKS,
        deal=len(state.table.contracts) * (at.kingdom - 1) + len(at.contracts_played) + 1,
        kingdom=at.kingdom,
        first=Seat((at.owner - at.kingdom + 1) % SEATS),
        owner=Seat(at.owner),
        chosen=(*at.contracts_played, at.contract),
        totals=at.totals,
        contract=at.contract,
        hands=sets,
        doubled=doubled,
        twos=twos,
        turn=Seat(at.turn),
        played=played,
        leader=Seat((at.turn - len(trick)) % SEATS),
        trick=tuple(CARDS[code] for code in trick),
        out=tuple(map(Seat, at.out)),
        points=place_points(tuple(map(Seat, at.out))) if in_layout else at.points,
    )


def _check_held(name: str, shown: Sequence[CardSet], hands: Sequence[CardSet]) -> None:
    """See that every card is shown by one seat, which holds it or has played it."""
    for seat, cards in enumerate(shown):
        for other in range(SEATS):
            if other != seat and cards & (hands[other] | shown[other]):
                message = f"{name}: seat {seat} shows a card of seat {other}"
                raise ValueError(message)


def final(settings: Settings, totals: tuple[int, ...], first: Seat) -> Result:
    """Return the result of a match with these totals by seat."""
    return result_of(totals, first, partnership="partnership" in settings.variant)


def facts(state: State) -> Mapping[str, object]:
    """Return what a scenario may expect."""
    result = state.result
    partnership = state.table.partnership
    return {
        "phase": state.phase.value,
        "deal": state.deal,
        "kingdom": state.kingdom,
        "owner": state.owner,
        "contract": state.contract,
        "contracts_played": state.chosen if state.contract is None else state.chosen[:-1],
        "contracts_open": state.open,
        "turn": state.turn,
        "leader": state.leader,
        "hands": [codes(hand) for hand in state.hands],
        "trick": [PACK[card] for card in state.trick],
        "tricks": len(state.tricks),
        "ready": [seat for seat, ready in enumerate(state.ready) if ready],
        "doubled": [codes(cards) for cards in state.doubled],
        "shown": face_up(state),
        "rows": rows(state),
        "out": state.out,
        "passes": sum(move.card is None for move in state.moves),
        "deal_points": state.points,
        "deal_team_points": team_totals(state.points) if partnership else None,
        "totals": state.totals,
        "team_totals": team_totals(state.totals) if partnership else None,
        "places": None if result is None else result.places,
        "winner": None if result is None else winner(result),
    }


ACCEPTS: Final = (
    "deal",
    "kingdom",
    "owner",
    "contract",
    "contracts_played",
    "contracts_open",
    "leader",
    "trick",
    "tricks",
    "ready",
    "doubled",
    "shown",
    "rows",
    "out",
    "passes",
    "deal_team_points",
)


def winner(result: Result) -> int | None:
    """Return the winning seat, in a partnership the team's lower one; None if the first place is shared."""
    winners = [seat for seat, at in enumerate(result.places) if at == 1]
    alone = len(winners) == 1 or (result.team_totals is not None and not result.draw)
    return winners[0] if alone else None


def _listed(field: str, cards: Cards) -> tuple[str, ...]:
    listed = tuple(cards.split()) if isinstance(cards, str) else cards
    for code in listed:
        if code not in CARDS:
            message = f"{field}: {code!r} is no card"
            raise ValueError(message)
    _no_repeats(field, listed)
    return listed


def _no_repeats(field: str, listed: tuple[str, ...]) -> None:
    for code in listed:
        if listed.count(code) > 1:
            message = f"{field}: {code} is there twice"
            raise ValueError(message)


def _whole_pack(field: str, listed: tuple[str, ...]) -> None:
    _no_repeats(field, listed)
    missing = [code for code in PACK if code not in listed]
    if missing:
        message = f"{field}: {' '.join(missing)} missing"
        raise ValueError(message)


def _set(listed: tuple[str, ...]) -> CardSet:
    return card_set(CARDS[code] for code in listed)


def _by_seat(field: str, cards: tuple[Cards, ...]) -> tuple[CardSet, ...]:
    return tuple(_set(_listed(field, part)) for part in cards)


def _check_contracts(chosen: tuple[Contract, ...], contracts: tuple[Contract, ...]) -> None:
    for contract in chosen:
        if contract not in contracts or chosen.count(contract) > 1:
            message = f"contracts_played: {contract.value} is not played here, or twice"
            raise ValueError(message)


def _in_trick(at: Position, trick: tuple[str, ...]) -> set[int]:
    return {(at.turn - back) % SEATS for back in range(1, len(trick) + 1)}


def _check_layout(at: Position, hands: tuple[CardSet, ...], table: CardSet) -> None:
    if at.rows is not None and _by_seat("rows", at.rows) != tuple(of_suit(table, suit) for suit in range(SEATS)):
        raise ValueError("rows: together with the hands they are not the pack")
    for suit in SUITS:
        row = table & suit
        if row and not (row & JACKS and (row // (row & -row) + 1).bit_count() == 1):
            raise ValueError("rows: a row is a run of cards with its jack in it")
    if sorted(at.out) != [seat for seat, hand in enumerate(hands) if not hand]:
        raise ValueError("out: list the seats without cards, in the order of running out")


HOOKS: Final = Scenarios(
    deal=Deal,
    start=Start,
    position=Position,
    stack=stack,
    begin=begin,
    place=place,
    final=final,
    facts=facts,
    accepts=ACCEPTS,
)
