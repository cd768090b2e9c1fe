"""Why the lobby refuses, in both languages of the players."""

from enum import StrEnum
from typing import Final

from events.messages import Reply


class Refusal(StrEnum):
    """The codes; they are names on the wire and stay for ever."""

    GAME_UNKNOWN = "GAME_UNKNOWN"
    VARIANT_UNKNOWN = "VARIANT_UNKNOWN"
    BAD_OPTION = "BAD_OPTION"
    NO_OPTIONS_IN_PUBLIC_ROOM = "NO_OPTIONS_IN_PUBLIC_ROOM"
    NO_STAKE_AGAINST_COMPUTER = "NO_STAKE_AGAINST_COMPUTER"
    PACE_NOT_ALLOWED = "PACE_NOT_ALLOWED"
    BAD_SEATS = "BAD_SEATS"
    TOO_MANY_ROOMS = "TOO_MANY_ROOMS"
    ROOM_UNKNOWN = "ROOM_UNKNOWN"
    ROOM_FULL = "ROOM_FULL"
    ROOM_NOT_WAITING = "ROOM_NOT_WAITING"
    WRONG_CODE = "WRONG_CODE"
    ALREADY_SEATED = "ALREADY_SEATED"
    NOT_SEATED = "NOT_SEATED"
    SEAT_UNKNOWN = "SEAT_UNKNOWN"
    SEAT_TAKEN = "SEAT_TAKEN"
    NOT_YOUR_SEAT = "NOT_YOUR_SEAT"


TEXTS: Final[dict[str, tuple[str, str]]] = {
    "GAME_UNKNOWN": ("There is no such game.", "لا توجد لعبة بهذا الاسم."),
    "VARIANT_UNKNOWN": ("The game has no such variant.", "ليس للعبة هذا النوع."),
    "BAD_OPTION": ("An option is not allowed.", "أحد الخيارات غير مسموح به."),
    "NO_OPTIONS_IN_PUBLIC_ROOM": (
        "Only private rooms may set options.",
        "الخيارات للغرف الخاصة فقط.",
    ),
    "NO_STAKE_AGAINST_COMPUTER": (
        "There is no stake against the computer.",
        "لا رهان في اللعب ضد الحاسوب.",
    ),
    "PACE_NOT_ALLOWED": ("That pace is not allowed here.", "هذه السرعة غير مسموح بها هنا."),
    "BAD_SEATS": ("The list of seats does not fit the game.", "قائمة المقاعد لا تناسب اللعبة."),
    "TOO_MANY_ROOMS": ("You sit in too many rooms.", "أنت في غرف كثيرة جدًا."),
    "ROOM_UNKNOWN": ("There is no such room.", "لا توجد غرفة كهذه."),
    "ROOM_FULL": ("The room is full.", "الغرفة ممتلئة."),
    "ROOM_NOT_WAITING": ("The room's match has begun.", "بدأت مباراة هذه الغرفة."),
    "WRONG_CODE": ("The code is wrong.", "الرمز غير صحيح."),
    "ALREADY_SEATED": ("You already have a seat.", "لديك مقعد بالفعل."),
    "NOT_SEATED": ("You have no seat in this room.", "ليس لك مقعد في هذه الغرفة."),
    "SEAT_UNKNOWN": ("There is no such seat.", "لا يوجد مقعد كهذا."),
    "SEAT_TAKEN": ("The seat is taken.", "المقعد مشغول."),
    "NOT_YOUR_SEAT": ("The seat is kept for somebody else.", "المقعد محجوز لغيرك."),
}


class Refused(Exception):
    """A request that the lobby refuses; nothing has changed."""

    def __init__(self, reason: Refusal, text: str = "") -> None:
        """Keep the code, and a text more exact than the code's own."""
        super().__init__(reason.value)
        self.reply = Reply(ok=False, refused=reason.value, text=text or TEXTS[reason.value][0])
