"""What seats and spectators are shown after a commit: the one place where anything leaves a table.

Every viewer's events are counted from 1 as he is sent them, so a gap shows; the count is rebuilt by folding and never
betrays what he is not told of.
"""

from collections.abc import Sequence

import msgspec

from domain.game import SPECTATOR, Viewer
from domain.table.match import Match, Recorded
from domain.table.view import MatchView, redact, view, views
from events import subjects
from events.messages import SeatUpdate
from services.core import Message

_encode = msgspec.json.Encoder().encode
_NONE: tuple[msgspec.Raw, ...] = ()


class _Sent(msgspec.Struct, frozen=True, gc=False):
    """A :class:`SeatUpdate` before it is bytes: the view is encoded in place, once."""

    match: str
    version: int
    events: list[msgspec.Raw]
    view: MatchView


def viewers(match: Match) -> list[Viewer]:
    """Return every seat and, last, the spectators: the order of a table's version counts."""
    return [*map(Viewer, range(len(match.seats))), SPECTATOR]


def count(match: Match, steps: Sequence[Recorded], versions: list[int]) -> None:
    """Count the events that each viewer has been sent, without sending them."""
    for step in steps:
        for place, viewer in enumerate(viewers(match)):
            if redact(match.game, step.event, viewer) is not None:
                versions[place] += 1


def seat_update(match_id: str, match: Match, viewer: Viewer, versions: Sequence[int]) -> SeatUpdate:
    """Return the whole view of one viewer, without news."""
    return SeatUpdate(match_id, versions[viewer], _NONE, msgspec.Raw(_encode(view(match, viewer))))


def show(match_id: str, match: Match, steps: Sequence[Recorded], versions: list[int]) -> list[Message]:
    """Return what every seat, and the spectators where there may be any, are sent after these steps; count it.

    Who is told of none of them is sent nothing: that something has happened would tell of a sealed choice (TBL-29).
    Without steps everybody is shown the table as it stands.
    """
    told = _told(match, steps, versions)
    messages = []
    seats = range(len(match.seats))
    for seat, held, seen in zip(seats, match.seats, views(match, [Viewer(seat) for seat in seats]), strict=True):
        if steps and not told[seat]:
            continue
        update = _encode(_Sent(match_id, versions[seat], told[seat], seen))
        if held.human:
            messages.append(Message(subjects.seat_of_player(held.player, match_id), update))
        if held.bot:
            messages.append(Message(subjects.seat_of_bot(held.bot, match_id), update))
    if match.opened.spectators and not match.opened.stake and (told[SPECTATOR] or not steps):
        public = _Sent(match_id, versions[SPECTATOR], told[SPECTATOR], view(match, SPECTATOR))
        messages.append(Message(subjects.public(match_id), _encode(public)))
    return messages


def _told(match: Match, steps: Sequence[Recorded], versions: list[int]) -> list[list[msgspec.Raw]]:
    """Return the events that each viewer may see, as JSON; one that all see alike is encoded once."""
    game = match.game
    told: list[list[msgspec.Raw]] = [[] for _ in versions]
    everybody = list(enumerate(viewers(match)))
    for step in steps:
        event = step.event
        same: msgspec.Raw | None = None
        for place, viewer in everybody:
            seen = redact(game, event, viewer)
            if seen is None:
                continue
            if seen is event:
                same = msgspec.Raw(_encode(event)) if same is None else same
                told[place].append(same)
            else:
                told[place].append(msgspec.Raw(_encode(seen)))
            versions[place] += 1
    return told
