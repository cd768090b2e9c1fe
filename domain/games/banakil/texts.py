"""Every word that players read, in English and Arabic."""

from collections.abc import Mapping
from typing import Final

_COMMANDS: Final = {
    "command.cut": ("Cut the pack", "اقطع الرزمة"),
    "command.draw": ("Draw from the stock", "اسحب من الكومة المغلقة"),
    "command.take": ("Take from the ground", "خذ من كومة الأرض"),
    "command.lay": ("Lay a meld", "أنزل نزلة"),
    "command.extend": ("Add to a meld", "شرّك على نزلة"),
    "command.throw": ("Throw a card", "ارمِ ورقة"),
}

_REFUSALS: Final = {
    "refused.TOO_LATE": ("Time was up before this arrived", "انتهى الوقت قبل وصول هذه الحركة"),
    "refused.NOT_IN_PHASE": ("This cannot be done now", "لا يمكن فعل هذا الآن"),
    "refused.NOT_YOUR_TURN": ("It is not your turn", "ليس دورك"),
    "refused.ALREADY_CUT": ("The pack has been cut already", "قُطعت الرزمة من قبل"),
    "refused.NOT_ROOM_OWNER": ("Only the owner of the room cuts", "القطع لصاحب الغرفة وحده"),
    "refused.CUT_OUT_OF_RANGE": ("Cut at a whole number from 1 to 105", "اقطع عند عدد صحيح من 1 إلى 105"),
    "refused.STARTER_DOES_NOT_DRAW": (
        "The starter has 19 cards and does not draw in the first turn",
        "لاعب البداية معه 19 ورقة ولا يسحب في دوره الأول",
    ),
    "refused.ALREADY_DREW": ("You have drawn already", "سحبت من قبل في هذا الدور"),
    "refused.DRAW_FIRST": ("Draw a card first", "اسحب ورقة أولًا"),
    "refused.GROUND_EMPTY": ("The ground is empty", "كومة الأرض فارغة"),
    "refused.GROUND_CARD_UNKNOWN": ("This card is not on the ground", "هذه الورقة ليست في كومة الأرض"),
    "refused.GROUND_COUNT_MISMATCH": (
        "That many cards do not end at this card: count again",
        "العدد لا يطابق هذه الورقة وما فوقها: عُدّ من جديد",
    ),
    "refused.NOT_YOUR_TEAM_MELD": ("Your team has no such meld", "هذه النزلة ليست لفريقك"),
    "refused.MUST_OPEN_FIRST": ("Lay a meld of your own first", "أنزل نزلة من يدك أولًا"),
    "refused.CARD_NOT_IN_HAND": ("You do not hold this card", "هذه الورقة ليست في يدك"),
    "refused.TAKEN_TOP_CARD": (
        "You may not throw back the only card that you took",
        "لا يجوز رمي الورقة الوحيدة التي أخذتها",
    ),
    "refused.NOTHING_ADDED": ("No card of your hand was added", "لم تُضف أي ورقة من يدك"),
    "refused.TOO_FEW_CARDS": ("A meld has at least three cards", "النزلة ثلاث أوراق على الأقل"),
    "refused.TOO_MANY_TWOS": ("A meld has at most one 2", "في النزلة بنكلة واحدة فقط"),
    "refused.TOO_MANY_JOKERS": ("A meld has at most one joker", "في النزلة جوكر واحد فقط"),
    "refused.NOT_A_MELD": ("These cards are neither a sequence nor a set", "هذه الأوراق ليست تسلسلًا ولا مجموعة"),
    "refused.TWO_IN_SET": ("A 2 works in sequences only", "البنكلة للتسلسلات فقط"),
    "refused.SET_RANK": ("Only aces and threes make sets", "المجموعة للآص والرقم 3 فقط"),
    "refused.SET_SUIT_REPEATED": ("The suits of a set are all different", "أشكال المجموعة كلها مختلفة"),
    "refused.SET_TOO_LARGE": ("A set has at most four cards", "المجموعة أربع أوراق على الأكثر"),
    "refused.SEQ_NOT_CONSECUTIVE": (
        "The cards do not follow one another, lowest first",
        "الأوراق غير متتابعة من الأصغر إلى الأكبر",
    ),
    "refused.REAL_CARD_MOVED": ("A card on the table keeps its place", "الورقة التي على الطاولة تبقى في مكانها"),
    "refused.JOKER_LOCKED": (
        "The joker is locked until the very card it stands for is placed",
        "الجوكر مقفول حتى توضع الورقة نفسها التي يمثّلها",
    ),
    "refused.BANKALA_LOCKED": (
        "The bankala moves only when the card it stands for is placed, and stays in the meld",
        "البنكلة لا تُنقل إلا عند نزول الورقة التي تقوم مقامها، وتبقى في النزلة",
    ),
}

_EVENTS: Final = {
    "event.banakil.pack_shuffled.v1": ("The pack is shuffled", "خُلطت الرزمة"),
    "event.banakil.pack_cut.v1": ("The pack is cut", "قُطعت الرزمة"),
    "event.banakil.starter_decided.v1": ("The cut decides the starter", "القطع حدّد لاعب البداية"),
    "event.banakil.hand_dealt.v1": ("The cards are dealt", "وُزّعت الأوراق"),
    "event.banakil.stock_drawn.v1": ("draws from the stock", "سحب من الكومة المغلقة"),
    "event.banakil.ground_taken.v1": ("takes from the ground", "أخذ من كومة الأرض"),
    "event.banakil.meld_laid.v1": ("lays a meld", "أنزل نزلة"),
    "event.banakil.meld_extended.v1": ("adds to a meld", "شرّك على نزلة"),
    "event.banakil.card_thrown.v1": ("throws a card", "رمى ورقة"),
    "event.banakil.stock_rebuilt.v1": (
        "The ground is shuffled and becomes the stock",
        "خُلطت كومة الأرض وصارت كومة سحب",
    ),
    "event.banakil.hand_ended.v1": ("The hand is over", "انتهت التوزيعة"),
    "event.banakil.hand_scored.v1": ("The hand is scored", "حُسبت التوزيعة"),
    "event.banakil.match_ended.v1": ("The match is won", "انتهت المباراة بفوز فريق"),
}

_SCORES: Final = {
    "score.laid": ("Laid on the table", "ما أُنزل على الطاولة"),
    "score.left": ("Left in the hand", "ما بقي في اليد"),
    "score.out": ("Bonus for going out", "مكافأة الإنهاء"),
    "score.not_opened": ("Did not open", "لم يفتح"),
    "score.points": ("Result of the hand", "نتيجة التوزيعة"),
    "score.totals": ("Total", "المجموع"),
    "score.how.meld": ("went out by a meld", "أنهى بالإنزال"),
    "score.how.throw": ("went out by a throw", "أنهى بالرمي"),
    "score.how.dead": ("dead hand", "توزيعة ميتة"),
}

_PHASES: Final = {
    "phase.dealing": ("Dealing", "التوزيع"),
    "phase.cut": ("The owner cuts", "صاحب الغرفة يقطع"),
    "phase.turn_draw": ("Draw", "السحب"),
    "phase.turn_play": ("Lay, add, throw", "الإنزال والتشريك والرمي"),
    "phase.turn_end": ("The stock has run out", "نفدت الكومة المغلقة"),
    "phase.hand_scored": ("End of the hand", "نهاية التوزيعة"),
    "phase.match_over": ("End of the match", "نهاية المباراة"),
    "prompt.cut": ("Cut the pack", "قطع الرزمة"),
    "prompt.turn": ("Your turn", "دورك"),
}

_OPTIONS: Final = {
    "option.target": ("Points that win", "حد الفوز"),
    "option.deciding_margin": ("Lead needed when both teams reach the target", "الفارق المطلوب إذا وصل الفريقان معًا"),
    "option.add_requires_open": ("Open before adding to melds", "الفتح قبل التشريك"),
    "option.bankala_free_move": ("The bankala moves freely", "نقل البنكلة حر"),
    "option.own_suit_two_is_natural": ("A 2 at its own place is no bankala", "الورقة 2 في مكانها ليست بنكلة"),
    "option.return_taken_top": ("Throwing back the card just taken", "رمي الورقة المأخوذة وحدها"),
    "option.all_at_once_bonus": ("Bonus for going out all at once", "مكافأة الإنهاء دفعة واحدة"),
    "option.dead_hand": ("Score of a dead hand", "حساب التوزيعة الميتة"),
    "option.credit_additions_to": ("Who is credited for added cards", "لمن تُحسب أوراق التشريك"),
    "option.reshuffles": ("Reshuffles of the ground", "مرات خلط كومة الأرض"),
    "option.turn_seconds": ("Seconds for a turn", "ثواني الدور"),
    "option.cut_seconds": ("Seconds for the cut", "ثواني القطع"),
}

_WORDS: Final = {
    "meld.sequence": ("Sequence", "تسلسل"),
    "meld.set": ("Set", "مجموعة بنفس الرقم"),
    "card.two": ("Bankala", "بنكلة"),
    "card.joker": ("Joker", "جوكر"),
    "pile.stock": ("Stock", "كومة السحب المغلقة"),
    "pile.ground": ("Ground", "كومة الأرض"),
    "view.opened": ("Opened", "فاتح"),
    "view.deciding": ("Deciding hand", "توزيعة فاصلة"),
    "view.reshuffles": ("Reshuffles", "مرات الخلط"),
}

TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    "game": ("Banakil", "بنكيل"),
    "variant.standard": ("Banakil", "بنكيل"),
    **_COMMANDS,
    **_REFUSALS,
    **_EVENTS,
    **_SCORES,
    **_PHASES,
    **_OPTIONS,
    **_WORDS,
}
