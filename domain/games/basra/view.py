"""What one seat or a spectator may see (BSR-60 to BSR-62), and the canonical form that a state hash covers."""

import msgspec
from msgspec.structs import replace

from domain.cards import BACK, CardSet, codes
from domain.game import SPECTATOR, Seat, Viewer
from domain.games.basra.commands import Play
from domain.games.basra.decide import legal
from domain.games.basra.events import BatchDealt, CardPlayed, Event, HandDealt, SideScore
from domain.games.basra.rules import DISJOINT_MAX, EQUAL_GROUPS_LE_10, PACKET, SUM_LE_10, UNION, dealing_order
from domain.games.basra.state import State, names


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A match as one viewer sees it. Cards are codes; ``floor`` and ``hand`` are in the order dealt, oldest first."""

    seat: int | None  # the viewer's; None for a spectator
    phase: str
    hand_number: int
    dealer: int | None
    turn: int | None
    batch: int
    hand: tuple[str, ...]
    hand_counts: tuple[int, ...]  # by seat
    floor: tuple[str, ...]
    stock: int  # cards left in it
    returned: tuple[str, ...]  # sweepers put under the stock of this hand, the last one lowest
    gone: tuple[str, ...]  # cards captured in this hand, by anybody
    pile_counts: tuple[int, ...]  # by side: a seat where two play, a team where four do
    last_capturer: int | None
    last_play: CardPlayed | None
    basra: tuple[int, ...]  # count of this hand by seat
    jack_bonus: tuple[int, ...]  # points of this hand by seat
    carry: int
    scores: tuple[SideScore, ...]  # by side, once a hand is counted
    deal_points: tuple[int, ...]  # by seat, of the hand just counted
    totals: tuple[int, ...]  # by seat; partners both have their team's
    team_totals: tuple[int, ...] | None
    target: int | None  # None where the match is a single hand
    capture_overlap: str
    komi_basra: str
    jack_on_jack: int
    legal: tuple[Play, ...]


def view(state: State, viewer: Viewer) -> View:
    """Show a match to a seat or to :data:`SPECTATOR`."""
    rules = state.rules
    seated = viewer != SPECTATOR
    return View(
        seat=viewer if seated else None,
        phase=state.phase.value,
        hand_number=state.number,
        dealer=_seat(state.dealer),
        turn=_seat(state.turn),
        batch=state.batch,
        hand=names(state.hands[viewer]) if seated else (),
        hand_counts=tuple([len(hand) for hand in state.hands]),
        floor=names(state.floor),
        stock=len(state.stock),
        returned=names(state.returned),
        gone=codes(CardSet(state.piles[0] | state.piles[1])),
        pile_counts=tuple([pile.bit_count() for pile in state.piles]),
        last_capturer=_seat(state.last_capturer),
        last_play=state.last_play,
        basra=state.basra,
        jack_bonus=state.jack_bonus,
        carry=state.carry,
        scores=state.scores,
        deal_points=deal_points(state),
        totals=rules.by_seat(state.totals),
        team_totals=state.totals if rules.players == 4 else None,
        target=None if rules.single_hand else rules.target,
        capture_overlap=UNION if rules.union else DISJOINT_MAX,
        komi_basra=EQUAL_GROUPS_LE_10 if rules.equal_groups else SUM_LE_10,
        jack_on_jack=rules.jack_on_jack,
        legal=legal(state, viewer) if seated else (),
    )


def deal_points(state: State) -> tuple[int, ...]:
    """Return the points by seat of the hand just counted, zeros while one is played (BSR-41)."""
    return state.rules.by_seat(tuple(score.points for score in state.scores) or (0, 0))


def _seat(seat: Seat) -> int | None:
    return seat if seat >= 0 else None


def redact(event: Event, viewer: Viewer) -> Event | None:
    """Return an event as a viewer may see it: his own cards and the floor, every other dealt card a back."""
    match event:
        case HandDealt(dealer=dealer, players=players, deck=deck):
            floor = PACKET * players
            seen = [BACK] * len(deck)
            seen[floor : floor + PACKET] = deck[floor : floor + PACKET]
            if viewer != SPECTATOR:
                at = PACKET * dealing_order(dealer, players).index(viewer)
                seen[at : at + PACKET] = deck[at : at + PACKET]
            return replace(event, deck=tuple(seen), salts=())
        case BatchDealt(hands=hands):
            return replace(
                event, hands=tuple(hand if seat == viewer else (BACK,) * len(hand) for seat, hand in enumerate(hands))
            )
        case _:
            return event


def canonical(state: State) -> dict[str, object]:
    """Return the whole state in wire names, settings apart: what a state hash covers."""
    return {
        "phase": state.phase.value,
        "clock": state.clock,
        "hand_number": state.number,
        "dealer": _seat(state.dealer),
        "turn": _seat(state.turn),
        "batch": state.batch,
        "hands": [list(names(hand)) for hand in state.hands],
        "floor": list(names(state.floor)),
        "stock": list(names(state.stock)),
        "returned": list(names(state.returned)),
        "piles": [list(codes(pile)) for pile in state.piles],
        "basra": list(state.basra),
        "jack_bonus": list(state.jack_bonus),
        "last_capturer": _seat(state.last_capturer),
        "last_play": msgspec.to_builtins(state.last_play),
        "carry": state.carry,
        "scores": msgspec.to_builtins(state.scores),
        "totals": list(state.totals),
    }
