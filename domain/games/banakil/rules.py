"""The options of a private room, and the rules of a match as they follow from them."""

from typing import Final

from msgspec import Struct

from domain.game import Seat, Settings
from domain.options import Option

OPTIONS: Final = (
    Option(name="target", default=202, choices=(202, 150, 222, 303), about="points that win the match"),
    Option(
        name="deciding_margin",
        default="5",
        choices=("5", "off"),
        about="when both teams reach the target: the lead that must be exceeded; off: any lead wins",
    ),
    Option(name="add_requires_open", default=False, about="only who has laid a meld may add to his team's"),
    Option(name="bankala_free_move", default=False, about="a bankala may move whenever a card is added to its meld"),
    Option(name="own_suit_two_is_natural", default=False, about="a 2 between ace and 3 of its suit is no bankala"),
    Option(
        name="return_taken_top",
        default="allowed",
        choices=("allowed", "forbidden"),
        about="whether who took only the top card of the ground may throw it again",
    ),
    Option(
        name="all_at_once_bonus",
        default="none",
        choices=("none", "jawaker", "home"),
        about="bonus for going out in one turn with nothing laid before: 51 or 102 points, or 40",
    ),
    Option(
        name="dead_hand",
        default="score_without_bonus",
        choices=("score_without_bonus", "no_score"),
        about="what a hand counts that ends because the stock ran out",
    ),
    Option(
        name="credit_additions_to",
        default="sharer",
        choices=("sharer", "meld_owner"),
        about="for whom a card counts that was added to the partner's meld",
    ),
    Option(name="reshuffles", default=2, minimum=0, maximum=2, about="how often the ground becomes the stock"),
    Option(name="turn_seconds", default=40, minimum=5, maximum=120, about="time for a turn"),
    Option(name="cut_seconds", default=15, minimum=5, maximum=120, about="time for the cut"),
)


class Rules(Struct, frozen=True, gc=False, kw_only=True):
    """What a match needs of its settings; scores in half-points."""

    owner: Seat | None
    owner_absent: bool
    first: Seat | None
    target: int
    margin: int  # a lead must be greater than this when both have reached the target
    add_requires_open: bool
    free_move: bool
    natural: bool  # a 2 of the suit at its own place is a real card
    keep_taken_top: bool
    bonus: str
    dead_hand_scores: bool
    credit_sharer: bool
    reshuffles: int
    turn_seconds: int
    cut_seconds: int


def rules_of(settings: Settings) -> Rules:
    """Read the rules of a match from its settings."""
    options = settings.options
    return Rules(
        owner=settings.owner,
        owner_absent=settings.owner_absent,
        first=settings.first,
        target=2 * options["target"],
        margin=10 if options["deciding_margin"] == "5" else 0,
        add_requires_open=options["add_requires_open"],
        free_move=options["bankala_free_move"],
        natural=options["own_suit_two_is_natural"],
        keep_taken_top=options["return_taken_top"] == "forbidden",
        bonus=options["all_at_once_bonus"],
        dead_hand_scores=options["dead_hand"] == "score_without_bonus",
        credit_sharer=options["credit_additions_to"] == "sharer",
        reshuffles=options["reshuffles"],
        turn_seconds=options["turn_seconds"],
        cut_seconds=options["cut_seconds"],
    )
