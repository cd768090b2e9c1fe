"""What the gateway itself tells people, in both languages."""

from collections.abc import Mapping
from typing import Final

from domain.game import AnyGame
from services.lobby.refusals import TEXTS as LOBBY_TEXTS

UNAVAILABLE: Final = "UNAVAILABLE"
MALFORMED: Final = "MALFORMED"
TOO_LARGE: Final = "TOO_LARGE"
UNKNOWN_COMMAND: Final = "UNKNOWN_COMMAND"
NOT_SIGNED_IN: Final = "NOT_SIGNED_IN"
BAD_TOKEN: Final = "BAD_TOKEN"  # noqa: S105 - a code, not a token
NO_GUESTS: Final = "NO_GUESTS"
RATE_LIMITED: Final = "RATE_LIMITED"
TOO_MANY_CONNECTIONS: Final = "TOO_MANY_CONNECTIONS"
FORBIDDEN: Final = "FORBIDDEN"

GATEWAY_TEXTS: Final[dict[str, tuple[str, str]]] = {
    UNAVAILABLE: ("The service does not answer. Send it again.", "الخدمة لا تستجيب. أعد الإرسال."),
    MALFORMED: ("The frame cannot be read.", "الرسالة غير مفهومة."),
    TOO_LARGE: ("The frame is too large.", "الرسالة كبيرة جدًا."),
    UNKNOWN_COMMAND: ("There is no such command.", "لا يوجد أمر كهذا."),
    NOT_SIGNED_IN: ("Say hello with a session token first.", "سجّل الدخول أولاً."),
    BAD_TOKEN: ("The token is not accepted.", "الرمز غير مقبول."),
    NO_GUESTS: ("Guests are not admitted here.", "لا يُسمح بدخول الضيوف هنا."),
    RATE_LIMITED: ("Too many messages. Slow down.", "رسائل كثيرة. تمهّل."),
    TOO_MANY_CONNECTIONS: ("You have too many connections open.", "لديك اتصالات كثيرة مفتوحة."),
    FORBIDDEN: ("You may not do that.", "لا يُسمح لك بذلك."),
    "MATCH_OVER": ("The match is over.", "انتهت المباراة."),
    "UNKNOWN_MATCH": ("There is no such match.", "لا توجد مباراة كهذه."),
    "NOT_SEATED": ("You have no seat here.", "ليس لك مقعد هنا."),
    "LEFT_THE_MATCH": ("You have left this match.", "لقد غادرت هذه المباراة."),
    "TOO_LATE": ("Too late: your time was up.", "فات الأوان: انتهى وقتك."),
    "BAD_COMMAND": ("The command cannot be read.", "الأمر غير مفهوم."),
    "NO_SPECTATORS": ("This table cannot be watched.", "لا يمكن مشاهدة هذه الطاولة."),
    "INSUFFICIENT_FUNDS": ("There is not enough money for the stake.", "الرصيد لا يكفي للرهان."),
}


def refusal_texts(games: Mapping[str, AnyGame]) -> dict[str, tuple[str, str]]:
    """Return the English and the Arabic of every refusal that a player can meet, by code."""
    texts: dict[str, tuple[str, str]] = {}
    for game in games.values():
        for key, text in game.texts.items():
            kind, _, code = key.partition(".")
            if kind == "refused":
                texts.setdefault(code, text)
    return texts | LOBBY_TEXTS | GATEWAY_TEXTS
