"""English: the words by which orders to act, claims of effects and denials are told."""

from typing import Final

from ...carry import words
from .language import Act, ClaimWords

_VOWELS: Final = "aeiou"
_SHORT_VERB: Final = 4
"""Letters of verbs whose last one is doubled: "logged", "planned", and not "opened"."""


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return f"{verb[:-1]}ied"
    doubles = (
        len(verb) <= _SHORT_VERB and verb[-2] in _VOWELS and verb[-3] not in _VOWELS and verb[-1] not in "aeiouwxy"
    )
    return f"{verb}{verb[-1]}ed" if doubles else f"{verb}ed"


def _act(regular: str, irregular: str = "", past: str = "") -> Act:
    """Give an act by its regular verbs, and by others with the words of their past."""
    verbs = words(regular)
    return Act(verbs | words(irregular), frozenset([_past(verb) for verb in verbs]) | words(past))


ENGLISH: Final = ClaimWords(
    name="english",
    acts={
        "send": _act(
            "email mail message notify inform forward reply text ping invite alert contact dispatch post share",
            "send resend",
            "sent resent informed notified reminded submitted transmitted",
        ),
        "delete": _act(
                "delete remove erase trash wipe purge clear uninstall kill terminate destroy unpublish discard "
                "cancel revoke abort unsubscribe",
            "drop rid undo cancel call",
            "dropped cancelled canceled gone",
        ),
        "make": _act(
                "create add schedule book reserve register insert generate append record save store log note upload "
                "jot enroll enrol sign hold "
            "file open draft enter import comment label tag download",
            "make write set put",
            "up held made wrote written put scheduled stored saved",
        ),
        "pay": _act("pay transfer wire settle deposit charge remit", "", "paid transferred"),
        "refund": _act("refund reimburse compensate", "", "refunded"),
        "publish": _act("publish post announce share release tweet broadcast", "", "live"),
        "deploy": _act("deploy release promote launch", "ship roll", "shipped live"),
        "restart": _act("restart reboot start relaunch reload reset", "", "running"),
        "rollback": _act("rollback revert restore", "roll undo", "undone"),
        "move": _act("move rename copy transition relocate reschedule postpone", "put", "put"),
        "change": _act(
                "update change edit modify adjust mark close scale resize assign delegate hand reschedule renew "
                "extend prolong reopen assign rename correct replace amend resolve transition",
            "set raise lower swap turn",
            "set swapped",
        ),
        "switch": _act("switch turn activate deactivate enable disable toggle dim", "put shut", "lit on off"),
        "lock": _act("lock block freeze suspend disable secure", "ban shut", "banned frozen"),
        "unlock": _act("unlock unblock open", "", ""),
        "approve": _act("approve accept confirm authorize grant", "", ""),
        "reject": _act("reject decline deny refuse", "", ""),
        "buy": _act("order purchase", "buy", "bought"),
        "run": _act("execute perform trigger process", "run", "ran"),
        "stop": _act("kill pause halt terminate end mute", "stop", "stopped"),
        "merge": _act("merge commit push squash", "", ""),
        "install": _act("install", "", ""),
    },
    openings=(
        "i would like you to", "i d like you to", "i would like to", "i want you to", "i need you to", "i d like to",
        "go ahead and", "make sure to", "be sure to", "i want to", "i need to", "after that", "can you", "could you",
        "would you", "will you", "you should", "you can", "please", "pls", "plz", "kindly", "now", "then", "and",
            "also", "next",
        "finally", "first", "just", "so", "hey", "hi", "hello", "ok", "okay", "thanks", "quickly", "yes", "let s",
    ),
    things={
        "mail": ("email",), "message": ("email", "text"), "meeting": ("event", "appointment"),
            "appointment": ("event",),
        "calendar": ("event",), "bill": ("invoice",), "folder": ("dir", "directory", "file"), "document": ("file",),
        "lamp": ("light",), "lights": ("light",), "temperature": ("thermostat", "degrees"), "heating": ("thermostat",),
        "degrees": ("thermostat",), "reservation": ("booking", "table"), "memo": ("note",), "ticket": ("issue",),
        "number": ("phone",), "pr": ("pull", "request"), "mr": ("merge", "request"), "money": ("amount",),
            "slack": ("message",),
    },
    loose=words(
        """
        reply text message ping mail announce copy rename switch sign hold contact alert remove clear drop start
        reset end open undo call write draft make turn order log note share post run
        """
    ),
    composing=words(
        """
        summarize summarise translate explain rewrite proofread correct improve draft compose paraphrase rephrase
        describe shorten classify extract
        """
    ),
    doubts=words(
        """
        not don didn doesn won never if unless whether how why what which who when should would without instead
        pretend imagine suppose before until
        """
    ),
    doers=words("i we ive"),
    addressed=words("you they he she he someone somebody who"),
    auxiliaries=words("is are was were been being be has have s ve got get gets went goes now"),
    modals=words("will would can could should must may might shall ll to cannot needs need"),
    conditions=words("if when unless whether"),
    denials=words(
        """
        not no none nothing never cannot cant couldn couldnt wasn isn aren weren hasn haven didn doesn don won wouldn
        unable fail failed fails failing failure error errors refused rejected denied impossible unclear unknown unsure
        rules prevents prevented only
        uncertain might perhaps possibly probably timed unfortunately sorry without neither nor unreachable
        unavailable missing blocked forbidden incomplete interrupted still pending awaiting waiting unless instead
        declined locked invalid insufficient lack lacks except broke crashed unsuccessful
        """
    ),
    harmless=(
        "no problem", "no problems", "no worries", "no longer", "not a problem", "no issues", "no errors",
        "without errors", "without issues", "without any issues", "without any problems", "without problems",
        "without a hitch", "don t worry", "nothing else", "nothing more", "nothing left", "nothing remains",
        "no further", "no more", "not only", "no need", "don t need", "do not need", "needn t", "doesn t exist",
        "does not exist", "won t", "will not", "not exist", "don t have to", "do not have to", "why not",
        "sorry for the delay", "sorry for the wait", "never again", "in no time", "as promised", "still today",
    ),
    already=words("already earlier previously before"),
    finished=(
        "done", "all done", "all set", "it s done", "it is done", "that s done", "this is done", "finished",
        "completed", "task completed", "task complete", "complete", "mission accomplished", "taken care of",
        "consider it done", "you re all set", "you are all set", "everything is done", "all taken care of",
        "all sorted", "sorted", "handled", "taken care", "took care of", "there you go", "here you go",
            "as requested", "as you asked", "success", "successfully done", "it worked", "ok done",
    ),
    asking=(
        "please give", "please provide", "please tell", "please specify", "please confirm", "please clarify",
        "please choose", "please send me", "please share", "please let me know", "could you", "can you", "would you",
        "do you want", "shall i", "should i", "which one", "i need your", "i need the", "i need a", "i need more",
        "i need to know", "let me know which", "let me know what", "tell me", "need your confirmation", "say so",
        "do you mean", "i d need", "i would need", "give me", "is required", "are required", "please check with",
    ),
    courtesy=(
        "anything else", "something else", "else i can", "can i help", "may i help", "how can i", "what else",
        "need more help", "any questions", "is there more", "let me know if you need", "let me know if you have",
        "if you need anything", "if you have any", "sound good", "right",
    ),
    offers=(
        "go ahead", "to proceed", "has to", "have to", "must", "needs to", "would", "requires", "may have",
        "may be", "may not", "may already", "reply yes", "reply with", "say yes", "i can", "i could",
        "i would", "i ll wait", "if you", "once you", "once i", "once it", "once they", "until you",
        "when you", "as soon as you", "before i", "waiting for", "ready to", "do you", "confirm",
    ),
    separable=(
        ("take", "offline", "delete"), ("take", "down", "delete"), ("call", "off", "delete"),
        ("roll", "back", "rollback"),
    ),
    joints=words("and but while then though although however because or"),
    mine=words("me us"),
    texts=words(
        """
        sentence sentences paragraph word words line lines comma commas text typo typos space spaces letter
        letters poem story list answer duplicates look break
        """
    ),
    ends=words("on off up"),
    firm=words(
        """
        schedule scheduled book booked reserve reserved register registered upload uploaded enroll enrolled renew
        renewed assign assigned reschedule rescheduled install installed extend extended scale scaled
        """
    ),
    preludes=words(
        """
        that this it everything all is s has been now i ve have already sure ok okay great perfect yes alright
        just
        """
    ),
    general=words("set put mark switch turn make take sign"),
    figures=words("numbers sum sums integers"),
    units=words("second seconds minute minutes hour hours day days week weeks month months year years times percent"),
)  # fmt: skip
