"""The rules: what a command leads to, or why it is refused. And the system's own steps."""

from typing import assert_never

from domain.game import CommandRejected, Prompt, Randomness, Seat
from domain.games.banakil import moves
from domain.games.banakil.commands import Command, Cut, Draw, Extend, Lay, Take, Throw
from domain.games.banakil.events import (
    CardThrown,
    Event,
    GroundTaken,
    HandDealt,
    HandEnded,
    HandScored,
    MatchEnded,
    MeldExtended,
    MeldLaid,
    PackCut,
    PackShuffled,
    StarterDecided,
    StockDrawn,
    StockRebuilt,
)
from domain.games.banakil.melds import from_hand, resolved, returned_joker, shape_of, stands_for
from domain.games.banakil.pack import CODES, FACE, HIDDEN, NAMES, SIZE, codes_of, is_joker, mask_of
from domain.games.banakil.refusals import Refusal
from domain.games.banakil.scoring import laid_values, left_values, points, verdict
from domain.games.banakil.state import SEATS, Phase, State, evolve, team_totals


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """Return what follows from a seat's command; raise CommandRejected if the rules refuse it."""
    match command:
        case Throw(card=card):
            return _throw(state, seat, card)
        case Draw():
            _check_draw(state, seat)
            shown = len(state.stock) <= state.tail
            return (StockDrawn(seat=seat, card=CODES[state.stock[0]], shown=shown),)
        case Take():
            return _take(state, seat, command)
        case Lay(cards=cards):
            return _lay(state, seat, cards)
        case Extend():
            return _extend(state, seat, command)
        case Cut(position=position):
            return _cut(state, seat, position)
        case _:
            assert_never(command)


def _check_turn(state: State, seat: Seat) -> None:
    if state.phase is not Phase.TURN_DRAW and state.phase is not Phase.TURN_PLAY:
        raise CommandRejected(Refusal.NOT_IN_PHASE)
    if seat != state.turn:
        raise CommandRejected(Refusal.NOT_YOUR_TURN)


def _check_draw(state: State, seat: Seat) -> None:
    _check_turn(state, seat)
    if state.turns == 1:
        raise CommandRejected(Refusal.STARTER_DOES_NOT_DRAW)
    if state.phase is Phase.TURN_PLAY:
        raise CommandRejected(Refusal.ALREADY_DREW)


def _check_play(state: State, seat: Seat) -> None:
    _check_turn(state, seat)
    if state.phase is Phase.TURN_DRAW:
        raise CommandRejected(Refusal.DRAW_FIRST)


def _take(state: State, seat: Seat, command: Take) -> tuple[Event, ...]:
    """Take from the ground: the number picks the copy, and guards against a miscount (BNK-31)."""
    _check_draw(state, seat)
    ground = state.ground
    if not ground:
        raise CommandRejected(Refusal.GROUND_EMPTY)
    face, exact = NAMES.get(command.card, (HIDDEN, HIDDEN))
    if not any(card == exact or (exact == HIDDEN and FACE[card] == face) for card in ground):
        raise CommandRejected(Refusal.GROUND_CARD_UNKNOWN)
    if not 1 <= command.count <= len(ground):
        raise CommandRejected(Refusal.GROUND_COUNT_MISMATCH)
    chosen = ground[command.count - 1]
    if chosen != exact and (exact != HIDDEN or FACE[chosen] != face):
        raise CommandRejected(Refusal.GROUND_COUNT_MISMATCH)
    return (GroundTaken(seat=seat, cards=tuple(CODES[card] for card in ground[: command.count])),)


def _lay(state: State, seat: Seat, codes: tuple[str, ...]) -> tuple[Event, ...]:
    _check_play(state, seat)
    hand = state.hands[seat]
    cards = from_hand(hand, codes)
    shape = shape_of(cards, natural=state.rules.natural)
    laid = MeldLaid(
        seat=seat,
        meld=f"m{len(state.melds) + 1}",
        cards=tuple(CODES[card] for card in cards),
        stands_for=stands_for(cards, shape, natural=state.rules.natural),
    )
    return _after_meld(state, laid) if hand == mask_of(cards) else (laid,)


def _extend(state: State, seat: Seat, command: Extend) -> tuple[Event, ...]:
    _check_play(state, seat)
    rules = state.rules
    number = command.meld[1:]
    index = int(number) - 1 if number.isascii() and number.isdigit() else -1
    if command.meld != f"m{index + 1}" or not 0 <= index < len(state.melds):
        raise CommandRejected(Refusal.NOT_YOUR_TEAM_MELD)
    meld = state.melds[index]
    if (meld.owner ^ seat) & 1:
        raise CommandRejected(Refusal.NOT_YOUR_TEAM_MELD)
    if rules.add_requires_open and not state.opened >> seat & 1:
        raise CommandRejected(Refusal.MUST_OPEN_FIRST)
    hand = state.hands[seat]
    cards = resolved(hand, meld.cards, meld.start, command.result)
    added = tuple(card for card in cards if hand >> card & 1)
    if not added:
        raise CommandRejected(Refusal.NOTHING_ADDED)
    shape = shape_of(cards, natural=rules.natural)
    joker = returned_joker(meld, cards, shape, rules)
    extended = MeldExtended(
        seat=seat,
        meld=command.meld,
        cards=tuple(CODES[card] for card in cards),
        stands_for=stands_for(cards, shape, natural=rules.natural),
        added=tuple(CODES[card] for card in added),
        joker=None if joker is None else CODES[joker],
    )
    return _after_meld(state, extended) if joker is None and hand == mask_of(added) else (extended,)


def _after_meld(state: State, event: MeldLaid | MeldExtended) -> tuple[Event, ...]:
    """Return the event and the end of the hand: the last card went to the table (BNK-87)."""
    return (event, *_end(evolve(state, event), "meld", event.seat))


def _throw(state: State, seat: Seat, code: str) -> tuple[Event, ...]:
    _check_play(state, seat)
    hand = state.hands[seat]
    (card,) = from_hand(hand, (code,))
    last = hand == 1 << card
    if state.rules.keep_taken_top and card == state.taken_top and not last:
        raise CommandRejected(Refusal.TAKEN_TOP_CARD)
    thrown = CardThrown(seat=seat, card=CODES[card])
    if last:
        return (thrown, *_end(evolve(state, thrown), "throw", seat))
    if state.stock or (state.reshuffles < state.rules.reshuffles and state.ground):
        return (thrown,)
    return (thrown, *_end(evolve(state, thrown), "dead", None))


def _end(state: State, how: str, out: Seat | None) -> tuple[Event, ...]:
    """Return the end of a hand, its score, and the end of the match if it is won (BNK-87 … BNK-112)."""
    ended = HandEnded(how=how, seat=out, hands=tuple(codes_of(hand) for hand in state.hands))
    result = points(state, out)
    totals = tuple(total + more for total, more in zip(state.totals, result, strict=True))
    winner, deciding = verdict(totals, state.rules, deciding=state.deciding)
    scored = HandScored(
        hand=state.hand,
        opened=tuple(bool(state.opened >> seat & 1) for seat in range(SEATS)),
        laid=laid_values(state),
        left=left_values(state),
        points=result,
        totals=totals,
        deciding=deciding,
    )
    if winner is None:
        return ended, scored
    return ended, scored, MatchEnded(team=winner, team_totals=team_totals(totals))


def _cut(state: State, seat: Seat, position: float) -> tuple[Event, ...]:
    if state.phase is not Phase.CUT:
        raise CommandRejected(Refusal.NOT_IN_PHASE if state.cut is None else Refusal.ALREADY_CUT)
    if seat != state.rules.owner:
        raise CommandRejected(Refusal.NOT_ROOM_OWNER)
    if not isinstance(position, int) or isinstance(position, bool) or not 1 <= position < SIZE:
        raise CommandRejected(Refusal.CUT_OUT_OF_RANGE)
    return _after_cut(state, state.deck, position)


def _after_cut(state: State, deck: tuple[int, ...], position: int) -> tuple[Event, ...]:
    """Cut the pack, let its end decide the starter, and deal (BNK-15 … BNK-17, BNK-23)."""
    owner = state.rules.owner
    pack = deck[position:] + deck[:position]
    shown = 1
    while is_joker(pack[-shown]):
        shown += 1
    suit = FACE[pack[-shown]] // 13
    starter = Seat(((owner or 0) + suit) % SEATS)
    return (
        PackCut(position=position, seat=owner),
        StarterDecided(shown=tuple(CODES[card] for card in pack[-shown:]), starter=starter),
        _deal(1, starter, pack, shown),
    )


def deal_order(starter: int) -> tuple[int, ...]:
    """Return the seat that each of the first 73 cards goes to: nine rounds of two, then one (BNK-23)."""
    one_round = [(starter + step) % SEATS for step in range(SEATS) for _ in range(2)]
    return (*one_round * 9, starter)


def _deal(hand: int, starter: Seat, pack: tuple[int, ...], shown: int) -> HandDealt:
    order = deal_order(starter)
    hands = tuple(
        codes_of(mask_of(card for card, to in zip(pack, order, strict=False) if to == seat)) for seat in range(SEATS)
    )
    stock = tuple(CODES[card] for card in pack[len(order) :])
    return HandDealt(hand=hand, starter=starter, hands=hands, stock=stock, shown=shown)


def proceed(state: State, randomness: Randomness) -> tuple[Event, ...]:
    """Return the system's step: a deal (with the cut, where the room has no owner), a cut, or the stock rebuilt."""
    if state.phase is Phase.TURN_END:
        stock = tuple(CODES[card] for card in randomness.shuffled(state.ground[1:]))
        return (StockRebuilt(stock=stock, number=state.reshuffles + 1, salts=randomness.salts(len(stock))),)
    if state.phase is Phase.CUT:  # its owner does not sit, and his time is up (BNK-14)
        return _after_cut(state, state.deck, 1 + randomness.below(SIZE - 1))
    assert state.phase in {Phase.DEALING, Phase.HAND_SCORED}
    deck = randomness.shuffled(range(SIZE))
    hand = state.hand + 1
    shuffled = PackShuffled(hand=hand, deck=tuple(CODES[card] for card in deck), salts=randomness.salts(SIZE))
    starter = next_starter(state)
    if starter is not None:
        return shuffled, _deal(hand, starter, deck, 0)
    if state.rules.owner is not None or state.rules.owner_absent:
        return (shuffled,)
    return (shuffled, *_after_cut(state, deck, 1 + randomness.below(SIZE - 1)))


def next_starter(state: State) -> Seat | None:
    """Return who starts the hand that is owed; None if the cut decides it (BNK-11, BNK-18, BNK-19)."""
    if state.starter is not None:
        return Seat((state.starter + 1) % SEATS)
    return state.rules.first


def prompt(state: State) -> Prompt | None:
    """Return whom the match waits for: the owner to cut, or the seat on turn, one clock for a whole turn."""
    match state.phase:
        case Phase.TURN_DRAW:
            return Prompt(state.number, "turn", (state.turn,), ("draw", "take"), state.rules.turn_seconds)
        case Phase.TURN_PLAY:
            return Prompt(state.number, "turn", (state.turn,), ("lay", "extend", "throw"), state.rules.turn_seconds)
        case Phase.CUT if state.rules.owner is not None:
            owner = (state.rules.owner,)
            return Prompt(state.number, "cut", owner, ("cut",), state.rules.cut_seconds, personal=True)
        case Phase.CUT if state.rules.owner_absent:
            return Prompt(state.number, "cut", (), (), state.rules.cut_seconds)
        case _:
            return None


_CUTS: tuple[Cut, ...] = tuple(Cut(position=position) for position in range(1, SIZE))


def legal(state: State, seat: Seat) -> tuple[Command, ...]:
    """Return what a seat may do now, as :mod:`domain.games.banakil.moves` says; empty when it is not asked."""
    if state.phase is Phase.CUT:
        return _CUTS if seat == state.rules.owner else ()
    if seat != state.turn:
        return ()
    if state.phase is Phase.TURN_DRAW:
        return tuple(moves.draws(state))
    if state.phase is Phase.TURN_PLAY:
        return tuple(moves.throws(state) + moves.melds(state))
    return ()
