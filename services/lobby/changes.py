"""What one decision does to a room: it folds as it goes, and tells what to store, to show and to ask."""

from events.messages import HoldStakes, OpenMatch, ReleaseStakes, Reply, SeatTaken, Watch, encode
from events.subjects import SCORING, partition_of, seat_of_player, table
from services.core import Ask, Decision, Draft, Message
from services.lobby.events import Event, RoomClosed, RoomOpened
from services.lobby.rooms import Phase, Room, begin, evolve, shown


class Changes:
    """The changes of one room by one decision."""

    __slots__ = ("before", "drafts", "now", "room")

    def __init__(self, room: Room, now: int, drafts: tuple[Draft, ...] = ()) -> None:
        """Begin from a room as it stands."""
        self.before = room
        self.room = room
        self.now = now
        self.drafts = list(drafts)

    @classmethod
    def opening(cls, event: RoomOpened, now: int, actor: str, command: str) -> "Changes":
        """Begin with a new room."""
        cause = "player"
        first = Draft(event.room, event, now, actor=actor, cause=cause, command=command, deadline=event.until)
        return cls(begin(event, now), now, (first,))

    def add(self, event: Event, actor: str = "", command: str = "") -> None:
        """Record one event; without an actor it is the system's own."""
        self.room = evolve(self.room, event, self.now)
        self.drafts.append(
            Draft(
                self.room.id,
                event,
                self.now,
                actor=actor or "system",
                cause="player" if actor else "system",
                command=command,
                deadline=getattr(event, "until", 0),
                last=isinstance(event, RoomClosed),
            )
        )

    def decision(self, reply: Reply | None = None) -> Decision:
        """Return what follows: everybody who sits or sat is shown the room, and a new step is asked for."""
        if not self.drafts:
            return Decision(reply=reply)
        people = dict.fromkeys(self.before.seated + self.room.seated)
        asks: tuple[Ask, ...] = ()
        if (self.room.phase, self.room.match) != (self.before.phase, self.before.match):
            asks = asked(self.room)
        return Decision(drafts=self.drafts, reply=reply, messages=messages(self.room, tuple(people)), asks=asks)


def messages(room: Room, people: tuple[str, ...]) -> tuple[Message, ...]:
    """Return the messages that show a room to people."""
    body = encode(shown(room))
    return tuple(Message(seat_of_player(player, "room"), body) for player in people)


def asked(room: Room) -> tuple[Ask, ...]:
    """Return what a room waits to hear from another service; the same at every restart."""
    prepared = room.prepared
    if prepared is None:
        return ()
    match room.phase:
        case Phase.HOLDING:
            stakers = tuple(holder.player for holder in prepared.seats if holder.staker)
            body = encode(HoldStakes(prepared.match, prepared.stake, stakers))
            return (Ask(f"hold.{prepared.match}", SCORING, body),)
        case Phase.OPENING:
            where = table(partition_of(prepared.match))
            return (Ask(f"open.{prepared.match}", where, encode(open_match(room))),)
        case Phase.RELEASING:
            return (Ask(f"release.{prepared.match}", SCORING, encode(ReleaseStakes(prepared.match))),)
    return ()


def still_running(room: Room) -> tuple[Ask, ...]:
    """Return the question whether a room's match is still on: the fact of its end may have been lost."""
    return (Ask(f"running.{room.match}", table(partition_of(room.match)), encode(Watch(room.match))),)


def open_match(room: Room) -> OpenMatch:
    """Return the request that opens a prepared match at its table."""
    opened, prepared = room.opened, room.prepared
    assert prepared is not None
    return OpenMatch(
        match=prepared.match,
        game=opened.game,
        variant=opened.variant,
        options=opened.options,
        seats=tuple(SeatTaken(holder.player, holder.bot, holder.staker) for holder in prepared.seats),
        stake=prepared.stake,
        rake_bps=prepared.rake_bps,
        room=opened.room,
        owner=prepared.owner,
        owner_absent=bool(opened.owner) and prepared.owner is None,
        first=prepared.first,
        against_computer=opened.against_computer,
        spectators=opened.spectators and not prepared.stake,
        pace=opened.pace,
        ordinal=prepared.ordinal,
    )
