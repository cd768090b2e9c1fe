"""What people read, in English and Arabic, by key. Each game has the texts of what it has and no others."""

from collections.abc import Mapping
from typing import Final

Texts = Mapping[str, tuple[str, str]]

_COMMON: Final[Texts] = {
    "variant.standard": ("Standard", "عادية"),
    "command.play": ("Play a card", "ارمِ ورقة"),
    "command.pass": ("Pass three cards", "مرّر ثلاث أوراق"),
    "command.set_doubles": ("Choose what to double", "اختر ما تدبّله"),
    "command.ready": ("Ready", "جاهز"),
    "command.announce": ("Announce a minus or decline", "أعلن الماينس أو امتنع"),
    "refused.MATCH_OVER": ("The match is over.", "انتهت اللعبة."),
    "refused.TOO_LATE": ("Time has run out for this.", "انتهى وقت هذه الحركة."),
    "refused.WRONG_PHASE": ("That cannot be done now.", "لا يمكن فعل ذلك الآن."),
    "refused.NOT_YOUR_TURN": ("It is not your turn.", "ليس دورك."),
    "refused.ALREADY_READY": ("You have confirmed already.", "لقد أكّدت اختيارك من قبل."),
    "refused.BAD_PASS_COUNT": ("Pass exactly three different cards.", "مرّر ثلاث أوراق مختلفة بالضبط."),
    "refused.CARD_NOT_IN_HAND": ("You do not hold that card.", "هذه الورقة ليست في يدك."),
    "refused.NOT_DOUBLABLE": (
        "Only the queen of spades and the ten of diamonds can be doubled, each once.",
        "لا تُدبّل إلا بنت البستوني وعشرة الديناري، كلٌّ منهما مرة واحدة.",
    ),
    "refused.MUST_FOLLOW_SUIT": ("You must follow suit.", "عليك أن ترمي من النوع نفسه."),
    "refused.MUST_TALYEEKH": (
        "You must throw the queen of spades or the ten of diamonds now.",
        "عليك أن تلخّ الآن: ارمِ بنت البستوني أو عشرة الديناري.",
    ),
    "event.leekha.hand_dealt.v1": ("The cards are dealt", "وُزّعت الأوراق"),
    "event.leekha.pass_chosen.v1": ("You chose the cards to pass", "اخترت أوراق التمرير"),
    "event.leekha.seat_ready.v1": ("A player is ready", "لاعب جاهز"),
    "event.leekha.cards_passed.v1": ("The passed cards change hands", "مُرّرت الأوراق"),
    "event.leekha.doubles_chosen.v1": ("You chose what to double", "اخترت ما تدبّله"),
    "event.leekha.doubles_shown.v1": ("The doublings are shown", "كُشف التدبيل"),
    "event.leekha.card_played.v1": ("A card is played", "رُميت ورقة"),
    "event.leekha.trick_taken.v1": ("The trick is taken", "أُكلت اللمّة"),
    "event.leekha.hand_scored.v1": ("The hand is scored", "حُسبت نقاط الجولة"),
    "event.leekha.match_ended.v1": ("The match is over", "انتهت اللعبة"),
    "score.queen": ("Queen of spades", "بنت البستوني"),
    "score.ten": ("Ten of diamonds", "عشرة الديناري"),
    "score.hearts": ("Hearts", "أوراق الكبة"),
    "phase.deal": ("Deal", "التوزيع"),
    "phase.pass": ("Pass", "التمرير"),
    "phase.double": ("Doubling", "التدبيل"),
    "phase.play": ("Play", "اللعب"),
    "phase.hand_score": ("Score of the hand", "نقاط الجولة"),
    "phase.match_end": ("End of the match", "نهاية اللعبة"),
    "prompt.pass": ("Choose three cards to pass", "اختر ثلاث أوراق لتمريرها"),
    "prompt.double": (
        "Double the queen of spades or the ten of diamonds if you like, then press ready",
        "دبّل بنت البستوني أو عشرة الديناري إن شئت، ثم اضغط جاهز",
    ),
    "prompt.turn": ("Play a card", "دورك: ارمِ ورقة"),
    "prompt.hand_break": ("The next hand is about to begin", "الجولة التالية على وشك أن تبدأ"),
    "option.target": ("Points that end the match", "النقاط التي تنتهي عندها اللعبة"),
    "option.pass_cycle": ("Direction of the pass, hand by hand", "اتجاه التمرير في كل جولة"),
    "option.doubling": ("Doubling", "التدبيل"),
    "option.talyeekh": ("Queen and ten are forced out (talyeekh)", "إلزام رمي البنت والعشرة (التلييخ)"),
    "option.pass_seconds": ("Seconds for the pass", "ثواني التمرير"),
    "option.double_seconds": ("Seconds for doubling", "ثواني التدبيل"),
    "option.turn_seconds": ("Seconds for a card", "ثواني رمي الورقة"),
    "option.hand_break_seconds": ("Seconds between hands", "الثواني بين الجولات"),
}

BINT_TEXTS: Final[Texts] = {
    "game": ("Bint al-Sbeet", "بنت السبيت"),
    **_COMMON,
    "event.leekha.minus_answered.v1": ("You answered about the minus", "أجبت عن الماينس"),
    "event.leekha.minus_shown.v1": ("The announcements of a minus are shown", "كُشف إعلان الماينس"),
    "score.no_tricks": ("Nothing eaten", "لم يأكل شيئاً"),
    "score.minus_made": ("Announced minus, made", "ماينس معلن ناجح"),
    "score.minus_failed": ("Announced minus, failed: points doubled", "ماينس معلن فاشل: تُضاعف النقاط"),
    "phase.minus": ("Minus", "الماينس"),
    "prompt.minus": (
        "Will you take no trick at all? Announce a minus or decline",
        "هل تستطيع ألّا تأكل أي لمّة؟ أعلن الماينس أو امتنع",
    ),
    "option.hearts_double_when_both": (
        "Hearts are doubled when queen and ten both are",
        "تُضاعف الكبة إذا دُبّلت البنت والعشرة معاً",
    ),
    "option.minus": ("Minus rule", "قانون الماينس"),
    "option.minus_basis": ("What a minus must avoid", "ما يجب تجنّبه في الماينس"),
    "option.minus_seconds": ("Seconds for announcing a minus", "ثواني إعلان الماينس"),
}

LEEKHA_TEXTS: Final[Texts] = {
    "game": ("Leekha", "الليخة"),
    **_COMMON,
    "option.end_basis": ("Whose points end the match", "نقاط مَن تُنهي اللعبة"),
}
