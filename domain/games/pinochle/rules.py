"""The options of a pinochle match (section 2 of the rules) and the record a match keeps of them."""

from typing import Final

import msgspec

from domain.options import Option, Options

MAX_BID: Final = 2470  # no team can score more in one hand (PIN-19)
BID_STEP: Final = 10
BREAK_SECONDS: Final = 10  # pause after a hand is scored

OPTIONS: Final = (
    Option(name="target_score", default=1500, choices=(1500, 1000), about="points that win the match"),
    Option(name="opening_min", default=200, choices=(150, 200, 250, 300), about="lowest first bid"),
    Option(
        name="bid_jump",
        default="allowed",
        choices=("allowed", "step_only"),
        about="whether a bid may rise by more than 10",
    ),
    Option(
        name="all_pass",
        default="redeal",
        choices=("redeal", "dealer_forced"),
        about="what four passes lead to: a new deal, or the dealer plays at the lowest bid",
    ),
    Option(name="max_redeals", default=3, minimum=0, maximum=10, about="passed-out deals before the dealer is forced"),
    Option(
        name="pass_count",
        default=0,
        choices=(0, 3, 4),
        about="cards that declarer and partner exchange",
        fixed_against_computer=True,  # PIN-73
    ),
    Option(
        name="pass_style",
        default="sequential",
        choices=("sequential", "simultaneous"),
        about="partner first, or both at once",
    ),
    Option(name="trump_needs_marriage", default=False, about="bidding and trump need king and queen of one suit"),
    Option(name="dix", default=True, about="the nine of trump counts 10"),
    Option(
        name="double_values",
        default="tenfold",
        choices=("tenfold", "twice"),
        about="what double runs, arounds and pinochles count",
    ),
    Option(name="run_extras", default=False, about="a spare king or queen beside a single run counts 40"),
    Option(
        name="heading",
        default="always",
        choices=("always", "trump_led_only"),
        about="when a player must beat the winning card",
    ),
    Option(
        name="save_meld", default="trick", choices=("trick", "point"), about="what a team must take to keep its meld"
    ),
    Option(name="concede", default=False, about="the declarer may give up before the first lead"),
    Option(name="nines_redeal", default=False, about="five nines may ask for a new deal"),
    Option(
        name="mercy_limit",
        default=0,
        choices=(0, 1000, 1500),
        about="a team this far below zero loses the match; 0 is off",
    ),
    Option(name="auto_single_legal", default=False, about="the app plays an only legal card after a second"),
    Option(name="turn_seconds", default=40, minimum=15, maximum=90, about="time for each call, choice and card"),
    Option(name="meld_display_seconds", default=15, minimum=5, maximum=60, about="how long melds are shown"),
)


class Rules(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The options of one match, by their names."""

    target_score: int
    opening_min: int
    bid_jump: str
    all_pass: str
    max_redeals: int
    pass_count: int
    pass_style: str
    trump_needs_marriage: bool
    dix: bool
    double_values: str
    run_extras: bool
    heading: str
    save_meld: str
    concede: bool
    nines_redeal: bool
    mercy_limit: int
    auto_single_legal: bool
    turn_seconds: int
    meld_display_seconds: int


def rules_of(options: Options) -> Rules:
    """Return the record of a complete and checked set of options."""
    return msgspec.convert(options, Rules)
