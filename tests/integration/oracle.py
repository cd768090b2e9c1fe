"""An oracle for the secrecy of Trix: which cards each viewer may have been told of, and when.

It is written from the rules alone (TRX-12, 17, 23 to 25, 41, 42, 46, 91, 136 to 141) and shares no code with the game.
It reads a match's full log as plain JSON. The seat of a spectator is None.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

Event = dict[str, Any]

_CARD: Final = re.compile(rb"(?<![0-9A-Za-z])[2-9TJQKA][SHDC](?![0-9A-Za-z])")
_NUMBER: Final = re.compile(rb"(?<![0-9A-Za-z_.\"-])\d{7,}(?![0-9A-Za-z_.])")
_SALT: Final = re.compile(rb"[0-9a-f]{16,}")
_TIMES: Final = range(1_600_000_000_000, 3_000_000_000_000)  # milliseconds, from 2020 to 2065
_HAND: Final = 13


class Shown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table shows a viewer, as it stands on the bus; no other field may be in it."""

    match: str
    version: int
    events: tuple[msgspec.Raw, ...]
    view: msgspec.Raw


def named(message: bytes) -> set[str]:
    """Return every card that a message names, anywhere in it."""
    return {code.decode() for code in _CARD.findall(message)}


def large_numbers(message: bytes) -> list[int]:
    """Return the numbers in a message that might be a set of cards: the large ones that are no times."""
    return [number for number in map(int, _NUMBER.findall(message)) if number not in _TIMES]


class Knowledge:
    """What one viewer may know after each event of a match."""

    def __init__(self, log: Sequence[Event], seat: int | None) -> None:
        """Go through the log."""
        self.kinds: list[str] = []  # of the events that the viewer is told of, in order
        self.cards: list[frozenset[str]] = []  # what he may know after each of these; before them, nothing
        self.after: list[frozenset[str]] = []  # the same after every event of the log
        self._seat = seat
        self._hand: frozenset[str] = frozenset()
        self._known: frozenset[str] = frozenset()
        for event in log:
            told = self._take(event)
            self.after.append(self._known)
            if told:
                self.kinds.append(event["kind"])
                self.cards.append(self._known)

    def _take(self, event: Event) -> bool:
        """Take an event of the full log; say whether the viewer is told of it at all."""
        kind = event["kind"].removeprefix("trix.").removesuffix(".v1")
        if kind == "dealt":
            self._deal(event)
        elif kind == "contract_chosen":
            self._known |= self._hand  # each seat's own cards turn up, for it alone
        elif kind == "card_played":
            self._known |= {event["card"]}
        elif kind == "doubles_revealed":
            self._known |= _all(event["doubled"])
        elif kind == "twos_shown":
            self._known |= _all(event["twos"])
        elif kind == "doubles_selected":
            return bool(event["seat"] == self._seat)
        return True

    def _deal(self, event: Event) -> None:
        deck = event["deck"]
        assert sorted(deck) == sorted(rank + suit for rank in "23456789TJQKA" for suit in "SHDC")
        hands = [frozenset(deck[_HAND * seat : _HAND * (seat + 1)]) for seat in range(4)]
        self._hand = frozenset() if self._seat is None else hands[self._seat]
        self._known = self._hand if event["owner"] == self._seat else frozenset()
        if event["deal"] == 1:
            assert "7H" in hands[event["owner"]]
            self._known |= {"7H"}


def _all(cards_by_seat: Sequence[Sequence[str]]) -> set[str]:
    return {card for cards in cards_by_seat for card in cards}


class Oracle:
    """Judges what was sent of one match."""

    def __init__(self, log: Sequence[Event]) -> None:
        """Take the match's full log."""
        assert log[0]["kind"] == "table.match_opened.v1"
        self.players = [holder["player"] for holder in log[0]["seats"]]
        self.judged = 0  # messages
        self.cards = 0  # cards named in them
        self._knows = {seat: Knowledge(log, seat) for seat in (0, 1, 2, 3, None)}
        self._salts = {salt.encode() for event in log for salt in event.get("salts", ())}
        assert all(_SALT.fullmatch(salt) for salt in self._salts)
        self._bots = {event["bot"]: event["seat"] for event in log if event["kind"] == "table.bot_seated.v1"}

    def seat_of(self, actor: str) -> int:
        """Return the seat of a player, or of a bot that acted for one."""
        return self._bots[actor] if actor in self._bots else self.players.index(actor)

    def judge_update(self, seat: int | None, message: bytes) -> None:
        """Judge what the table published for a viewer: its events, and the view after them."""
        shown = msgspec.json.decode(message, type=Shown)
        first = shown.version - len(shown.events) + 1
        for version, event in enumerate(shown.events, start=first):
            self.judge_event(seat, version, bytes(event))
        self.judge_view(seat, shown.version, bytes(shown.view))

    def judge_event(self, seat: int | None, version: int, event: bytes) -> None:
        """Judge an event that a viewer was sent as his one of that number."""
        knows = self._knows[seat]
        assert msgspec.json.decode(event)["kind"] == knows.kinds[version - 1]
        self._judge(event, knows.cards[version - 1])

    def judge_view(self, seat: int | None, version: int, view: bytes) -> None:
        """Judge a view that a viewer was sent after his event of that number."""
        assert msgspec.json.decode(view)["seat"] == seat
        self._judge(view, self._knows[seat].cards[version - 1] if version else frozenset())

    def judge_public(self, version: int, message: bytes) -> None:
        """Judge a fact that stands at a version of the log: everybody may read it."""
        self._judge(message, self._knows[None].after[version - 1])

    def judge_nothing(self, message: bytes) -> None:
        """Judge a message that has no business with cards."""
        self._judge(message, frozenset())

    def judge_frame(self, seat: int | None, frame: bytes) -> None:
        """Judge a frame that the gateway sent to whoever sits there: an event, a view, a room, an answer."""
        content: dict[str, msgspec.Raw] = msgspec.json.decode(frame, type=dict[str, msgspec.Raw])
        if "table" not in content:
            self.judge_nothing(frame)
            return
        assert content.keys() <= {"table", "version", "event", "view"}
        version = msgspec.json.decode(content["version"], type=int)
        if "event" in content:
            self.judge_event(seat, version, bytes(content["event"]))
        if "view" in content:
            self.judge_view(seat, version, bytes(content["view"]))

    def _judge(self, message: bytes, allowed: frozenset[str]) -> None:
        told = named(message)
        assert told <= allowed, f"told of {sorted(told - allowed)}: {message.decode()}"
        assert not large_numbers(message), message.decode()
        assert self._salts.isdisjoint(_SALT.findall(message)), message.decode()
        self.judged += 1
        self.cards += len(told)
