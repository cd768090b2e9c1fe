"""What the lobby allows: pure decisions on requests and rooms (TBL-1 to TBL-7, TBL-20)."""

from collections.abc import Mapping

from domain.game import AnyGame
from domain.game import Settings as GameSettings
from domain.options import BadOption, OptionValue, checked
from domain.stakes import can_be_staked
from events.messages import JoinRoom, OpenRoom, QuickPlay
from services.lobby.events import Holder, MatchPrepared, RoomOpened
from services.lobby.refusals import Refusal, Refused
from services.lobby.rooms import Phase, Room
from services.lobby.settings import LobbySettings

BOT_PREFIX = "bot-"  # no player's id begins so


def game_of(games: Mapping[str, AnyGame], name: str) -> AnyGame:
    """Return the game of a request."""
    if name not in games:
        raise Refused(Refusal.GAME_UNKNOWN)
    return games[name]


def opened(request: OpenRoom, game: AnyGame, settings: LobbySettings, room: str, code: str) -> RoomOpened:
    """Return the first event of the room that a player asks for; raise Refused.

    ``code`` is what the room's join code will be if it is private.
    """
    variant = request.variant or game.variants[0]
    if variant not in game.variants:
        raise Refused(Refusal.VARIANT_UNKNOWN)
    private = request.private or request.against_computer
    if request.options and not private:
        raise Refused(Refusal.NO_OPTIONS_IN_PUBLIC_ROOM)
    if request.stake and request.against_computer:
        raise Refused(Refusal.NO_STAKE_AGAINST_COMPUTER)
    if request.pace != "human" and not (request.pace == "max" and settings.fast_pace):
        raise Refused(Refusal.PACE_NOT_ALLOWED)
    options = _options(game, request.options, against_computer=request.against_computer)
    seats = game.seats(GameSettings(variant=variant, options=options))
    if len(request.seats) > seats or len(set(request.seats)) != len(request.seats):
        raise Refused(Refusal.BAD_SEATS)
    return RoomOpened(
        room=room,
        game=game.name,
        variant=variant,
        options=options,
        seats=seats,
        owner=request.actor,
        stake=request.stake,
        rake_bps=settings.rake_bps,
        code=code if private else "",
        reserved=request.seats,
        bots=request.bots or request.against_computer,
        against_computer=request.against_computer,
        spectators=request.spectators and not private,
        pace=request.pace,
    )


def quick(request: QuickPlay, game: AnyGame, settings: LobbySettings, room: str, now: int) -> RoomOpened:
    """Return the first event of a room of quick play (TBL-4)."""
    variant = game.quick_variant or game.variants[0]
    options = _options(game, {})
    return RoomOpened(
        room=room,
        game=game.name,
        variant=variant,
        options=options,
        seats=game.seats(GameSettings(variant=variant, options=options)),
        stake=request.stake,
        rake_bps=settings.rake_bps,
        quick=True,
        until=now + settings.span(settings.fill_seconds),
    )


def _options(game: AnyGame, given: Mapping[str, object], *, against_computer: bool = False) -> dict[str, OptionValue]:
    try:
        return checked(game.options, given, against_computer=against_computer)
    except BadOption as fault:
        raise Refused(Refusal.BAD_OPTION, str(fault)) from fault


def check_join(room: Room, request: JoinRoom) -> None:
    """Raise Refused if a player may not enter the room at all."""
    if room.seat_of(request.actor) is not None:
        raise Refused(Refusal.ALREADY_SEATED)
    if room.opened.quick:  # its seats are dealt by quick play alone
        raise Refused(Refusal.ROOM_UNKNOWN)
    if room.opened.code != request.code and room.opened.code:
        raise Refused(Refusal.WRONG_CODE)
    if room.phase is not Phase.WAITING:
        raise Refused(Refusal.ROOM_NOT_WAITING)
    if room.opened.against_computer:
        raise Refused(Refusal.ROOM_FULL)


def seat_for(room: Room, player: str, wanted: int | None = None) -> int:
    """Return the seat that a player gets: the one he wants, the one kept for him, or the first free; raise Refused."""
    if wanted is not None:
        if wanted >= len(room.players):
            raise Refused(Refusal.SEAT_UNKNOWN)
        if room.players[wanted] is not None:
            raise Refused(Refusal.SEAT_TAKEN)
        if room.keeper(wanted) not in ("", player):
            raise Refused(Refusal.NOT_YOUR_SEAT)
        return wanted
    free = [seat for seat, holder in enumerate(room.players) if holder is None]
    if not free:
        raise Refused(Refusal.ROOM_FULL)
    for keeper in (player, ""):
        for seat in free:
            if room.keeper(seat) == keeper:
                return seat
    raise Refused(Refusal.NOT_YOUR_SEAT)


def can_start(room: Room) -> bool:
    """Say whether everybody who sits is ready, and no seat stays empty."""
    if room.phase is not Phase.WAITING or not room.seated:
        return False
    if room.opened.quick:
        return None not in room.players
    everybody = all(ready for player, ready in zip(room.players, room.ready, strict=True) if player is not None)
    return everybody and (room.opened.bots or None not in room.players)


def prepared(room: Room, game: AnyGame, match: str, ordinal: int) -> MatchPrepared:
    """Return the match of a room that can start: bots fill the empty seats; too few stakers play for nothing."""
    options = GameSettings(variant=room.opened.variant, options=room.opened.options)
    people = [player is not None for player in room.players]
    staked = room.opened.stake > 0 and can_be_staked(people, game.teams(options))
    seats: list[Holder] = []
    bots = 0
    for player in room.players:
        if player is None:
            bots += 1
            seats.append(Holder(f"{BOT_PREFIX}{bots}", bot=True))
        else:
            seats.append(Holder(player, staker=staked))
    return MatchPrepared(
        match=match,
        ordinal=ordinal,
        seats=tuple(seats),
        stake=room.opened.stake if staked else 0,
        rake_bps=room.opened.rake_bps,
        owner=room.seat_of(room.opened.owner),
        first=room.first,
    )


def deadline(room: Room, settings: LobbySettings) -> int | None:
    """Return when a waiting room has waited enough, in milliseconds, or None."""
    if room.phase is not Phase.WAITING:
        return None
    return room.until or room.touched + settings.idle_seconds * 1000
