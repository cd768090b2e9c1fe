"""A bot's throw, chosen from its seat's view alone.

Every throw is judged by what it takes, less what the next player may be expected to take from the floor it leaves,
less the worth of the card itself: a sweeper is kept for a full floor.
"""

from collections.abc import Sequence
from typing import Final

from domain.cards import CARDS, PACK, RANKS, Card
from domain.game import Randomness
from domain.games.basra.capture import JACK, KOMI, POINTS, Cards, capture
from domain.games.basra.commands import PLAYS, Play
from domain.games.basra.rules import EQUAL_GROUPS_LE_10, UNION, Rules
from domain.games.basra.scoring import BASRA_POINTS, MAJORITY_CARDS
from domain.games.basra.view import View

CARD_WORTH: Final = 0.8  # of one more card towards the majority, in points
FEAR: Final = 0.8  # share of the next player's expected gain that counts against a throw
KEEP_JACK: Final = 5.0  # what a sweeper is worth in the hand while batches are still to come
KEEP_KOMI: Final = 5.0
KEEP_LAST: Final = 1.0  # share of that in the last batch


def bot(view: View, randomness: Randomness) -> Play:  # noqa: ARG001 - it plays the best throw, not a mixture
    """Return the throw that promises most; the view is of the seat to act."""
    if len(view.legal) == 1:
        return view.legal[0]
    judge = _Judge(view)
    hand = [CARDS[code] for code in view.hand]
    return PLAYS[max(hand, key=judge.promise)]


class _Judge:
    """What a bot makes of one view."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.rules = _rules(view)
        self.floor: Cards = tuple([CARDS[code] for code in view.floor])
        self.last_batch = view.stock == 0
        seen = {*view.hand, *view.floor, *view.gone}
        if not self.last_batch:
            seen.update(view.returned)  # they lie at the bottom of the stock
        self.unseen = [CARDS[code] for code in PACK if code not in seen]
        following = (view.seat + 1) % len(view.hand_counts)
        self.following = view.hand_counts[following]
        settled = max(view.pile_counts) >= MAJORITY_CARDS
        self.card_worth = 0.0 if settled else CARD_WORTH

    def promise(self, card: Card) -> float:
        """Return the points that throwing the card promises."""
        thrown = capture(self.rules, card, self.floor)
        gain = self.gain(card, thrown.taken, basra=thrown.basra, bonus=thrown.jack_bonus)
        if thrown.taken:
            floor = tuple([other for other in self.floor if other not in thrown.taken])
        else:
            floor = (*self.floor, card)
        return gain - FEAR * self.threat(floor, card) - self.keep(card)

    def gain(self, card: Card, taken: Cards, *, basra: bool, bonus: int) -> float:
        """Return what a capture is worth to the side that makes it."""
        if not taken:
            return 0.0
        points = POINTS[card] + sum([POINTS[other] for other in taken])
        return self.card_worth * (1 + len(taken)) + points + BASRA_POINTS * basra + bonus

    def keep(self, card: Card) -> float:
        """Return what a card is worth in the hand rather than on the table."""
        worth = KEEP_KOMI if card == KOMI else KEEP_JACK if card % RANKS == JACK else 0.0
        return worth * KEEP_LAST if self.last_batch else worth

    def threat(self, floor: Cards, thrown: Card) -> float:
        """Return the next player's expected best gain on a floor: his cards are so many of those unseen."""
        known: dict[int, float] = {}
        gains = []
        for card in self.unseen:
            kind = card if POINTS[card] > 1 or card == KOMI else card % RANKS
            if kind not in known:
                reply = capture(self.rules, card, floor)
                gain = self.gain(card, reply.taken, basra=reply.basra, bonus=reply.jack_bonus)
                known[kind] = max(0.0, gain - self.keep(card))
            gains.append(known[kind])
        assert thrown not in self.unseen
        return expected_best(gains, self.following)


def expected_best(gains: Sequence[float], drawn: int) -> float:
    """Return the mean of the greatest of ``drawn`` gains, drawn without putting back."""
    ordered = sorted(gains, reverse=True)
    total = len(ordered)
    expected = 0.0
    none_better = 1.0  # the chance that no greater gain was drawn
    for place, gain in enumerate(ordered):
        left = total - place
        if gain <= 0.0 or left < drawn:
            break
        chance = drawn / left
        expected += none_better * chance * gain
        none_better *= 1.0 - chance
    return expected


def _rules(view: View) -> Rules:
    return Rules(
        players=len(view.hand_counts),
        single_hand=view.target is None,
        target=view.target or 0,
        union=view.capture_overlap == UNION,
        equal_groups=view.komi_basra == EQUAL_GROUPS_LE_10,
        jack_on_jack=view.jack_on_jack,
        turn_seconds=0,
        hand_break_seconds=0,
    )
