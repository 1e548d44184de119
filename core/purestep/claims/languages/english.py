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


_BENIGN: Final = tuple([
    f"{denial} {thing}"
    for denial in ("no", "any", "not any", "without", "without any", "don t", "do not", "needn t", "nothing",
    "no other")
    for thing in (
        "problem", "problems", "worries", "worry", "hesitate", "forget", "further", "additional", "more", "longer",
        "errors", "issues", "issue", "trouble", "hitch", "downtime", "need", "else", "changes", "conflicts", "charge",
        "cost", "action", "rush", "delay", "extra", "miss", "be late", "warnings", "hassle", "doubt", "data was lost",
    )
])  # fmt: skip
"""Denials of trouble, of more to do, and of what the reader has to do."""

ENGLISH: Final = ClaimWords(
    name="english",
    acts={
        "send": _act(
            "email mail message notify inform forward reply text ping invite alert contact dispatch post share",
            "send resend tell",
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
                "extend prolong reopen assign rename correct replace amend resolve transition fix repair",
            "set raise lower swap turn",
            "set swapped",
        ),
        "switch": _act("switch turn activate deactivate enable disable toggle dim", "put shut", "lit on off"),
        "lock": _act("lock block freeze suspend disable secure", "ban shut", "banned frozen"),
        "unlock": _act("unlock unblock open", "", ""),
        "approve": _act("approve accept confirm authorize grant", "", ""),
        "reject": _act("reject decline deny refuse", "", ""),
        "buy": _act("order purchase", "buy checkout", "bought"),
        "run": _act("execute perform trigger process", "run", "ran"),
        "stop": _act("kill pause halt terminate end mute", "stop", "stopped"),
        "merge": _act("merge commit push squash", "", ""),
        "install": _act("install", "", ""),
        "play": _act("play playback skip resume", "", "playing"),
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
        tell reply text message ping mail announce copy rename switch sign hold contact alert remove clear drop start
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
        not don didn doesn t never if unless whether how why what which who when should would without
        pretend imagine suppose before until
        """
    ),
    doers=words("i we ive"),
    addressed=words("you they he she he someone somebody who"),
    auxiliaries=words("is are was were been being be has have s ve re got get gets went goes now"),
    modals=words("will would can could should must may might shall ll to cannot needs need"),
    leaving=words("left kept"),
    conditions=words("if when unless whether"),
    denials=words(
        """
        not no none nothing never cannot cant couldn couldnt wasn isn aren weren hasn haven didn doesn wouldn t
        unable fail failed fails failing failure error errors refused rejected denied impossible unclear unknown unsure
        rules prevents prevented
        uncertain might perhaps possibly probably timed unfortunately sorry without neither nor unreachable
        unavailable missing blocked forbidden incomplete interrupted still pending awaiting waiting unless instead
        declined bounced opted locked invalid insufficient lack lacks except broke crashed unsuccessful
        """
    ),
    harmless=(
        *_BENIGN,
        "no problem", "no problems", "no worries", "not a problem", "no issues", "no errors",
        "without errors", "without issues", "without any issues", "without any problems", "without problems",
        "without a hitch", "don t worry", "nothing else", "nothing more", "nothing left", "nothing remains",
        "waiting for you", "no longer",
        "now be rejected", "now be refused", "now be declined", "now be denied", "now be blocked",
        "no further", "no more", "not only", "no need", "don t need", "do not need", "needn t",
         "won t", "will not",  "don t have to", "do not have to", "why not",
        "stay safe", "stay tuned", "stay warm", "stay dry", "stay calm",
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
        "if you need anything", "if you have any", "sound good", "is that right", "is this right",
        "let me know if", "feel free",
        "happy to help",
        "whenever you",
    ),
    offers=(
        "go ahead", "to proceed", "has to", "have to", "must", "needs to", "would", "requires", "may have",
        "may be", "may not", "may already", "reply yes", "reply with", "say yes", "i can", "i could",
        "i would", "i ll wait", "if you", "once you", "once i", "once it", "once they", "until you",
        "when you", "as soon as you", "before i", "waiting for", "i m ready to", "i am ready to", "we re ready to",
        "we are ready to", "you re ready to", "ready to proceed", "do you", "confirm",
    ),
    separable=(
        ("check", "out", "buy"),
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
        renewed assign assigned reschedule rescheduled install installed extend extended scale scaled play playing
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
    participles=("[a-z]{2,}ed",),
    irregular=words(
        """
        went sent resent made remade put set reset done redone gone paid repaid bought sold held built rebuilt begun
        bound
        broken brought cast caught cut dealt drawn drew driven fed filed flown forgiven forwarded frozen given gave
        grown hidden hit kept laid lent let lit lost meant met moved overwritten overridden risen run ran rerun shipped
        shown shut slid spent split spun stolen struck swapped swept switched taken took taught thrown torn turned
        undone wiped withdrawn withdrew won woken wound wrote written complete successful
        """
    ),
    unlike=words(
        """
        need indeed speed feed bed red hundred seed weed shed embed led fed bleed breed creed proceed succeed exceed
        agreed unlimited limited interested related based called named supposed allowed detailed advanced red
        """
    ),
    private=words(
        """
        checked looked searched found reviewed read seen saw listed calculated computed counted compared translated
        explained summarized summarised noticed understood meant decided got received retrieved fetched drafted prepared
        composed written wrote rewritten rewrote suggested recommended proposed tried attempted heard learned learnt
        asked said told mentioned considered assumed picked chosen chose identified located collected gathered analyzed
        analysed examined verified inspected included outlined described provided given gave shown showed answered left
        kept waited needed wanted hoped pleased delighted excited happened expected required used
        known thought noted looked listed made worked helped enjoyed liked loved guessed estimated felt talked
        attached spoke
        expired failed occurred crashed discussed corrected rephrased shortened proofread designed trained
        """
    ),
    attributes=words(
        """
        a an the this that these those my your our its their his her any some no each every of by in with as
        """
    ),
    present=words("now live underway yours"),
    hedges=words(
        """
        no still instead without missing might perhaps possibly probably sorry unfortunately pending waiting
        awaiting rules except unclear unknown
        """
    ),
    troubles=(
        "ran out of", "out of stock", "out of paper", "out of order", "out of reach", "out of range", "out of office",
        "out of what", "outside of", "seem", "seems", "appears", "and i ll", "sold out", "is down", "are down",
        "fully booked", "booked out", "in use", "is full", "are full",
        "is closed on", "is busy", "is offline", "are offline", "is taken", "is occupied", "is jammed", "too many",
        "too long", "too large", "too late", "too old", "keeps", "remains", "remain", "stays", "stay", "as it is",
        "as they are", "a conflict", "conflicts with", "read only", "reports", "refuses", "declines",
        "rejects", "expired", "answered with", "belongs to", "only the", "can only", "i only", "maintenance",
        "exceeds", "limit", "go up to", "goes up to", "at most", "maximum", "not until", "in the way",
        "problem", "trouble", "busy", "hosts", "occupies", "is owned", "draft", "suggestion", "a plan",
        "i need", "i ll need", "i d need", "needs your", "please attach", "switched off", "is open in",
        "are open in", "is protected", "are protected", "write protected", "too low", "of that name", "with that name",
    ),
    polite=words("please pls plz kindly want need needs like should must"),
    subjects=words(
        """
        i we he she they you it this that these those there my our your his their what which who whom whose when where
        why how is are was were does did do has have had should shall am if yes no not never thanks thank thx hello hi
        hey good great nice cool ok okay sorry well hmm oh wow so because since can could would will may might
        """
    ),
    showing=words(
        """
        show list find search check look tell explain describe summarize summarise read get fetch give compare count
        calculate compute convert estimate translate write draft compose suggest recommend propose imagine pretend play
        say spell define rewrite rephrase review analyze analyse inspect verify test view display see watch help
        brainstorm plan outline answer guess repeat sing recite quote proofread discuss evaluate simulate
        """
    ),
    drafts=words("draft drafts suggestion suggestions proposal preview template outline example"),
    failures=words(
        "error errors conflict conflicts failed failure rejected denied refused declined "
        "invalid forbidden unauthorized unsuccessful insufficient_funds not_found timed_out err exception"
    ),
    failing=(
        "error", "errors", "failed", "failure", "exception", "traceback", "cannot", "can t", "could not", "couldn t",
        "unable to", "permission denied", "access denied", "access is denied", "not found", "no such", "not allowed",
        "not permitted", "not authenticated", "not authorized", "timeout", "time out", "timed out", "unauthorized",
        "forbidden", "rejected", "declined", "refused", "connection refused", "invalid", "quota exceeded",
        "internal server error", "bad request", "bad gateway", "service unavailable", "too many requests",
        "payment required", "conflict", "command not found", "nothing was", "you are not", "you re not",
    ),
    deadlines=words("before until"),
    readers=words("you i we me us"),
    intents=(
        "i want to", "i need to", "i would like to", "i d like to", "i have to",
        "i m going to", "i am going to", "i plan to", "i intend to", "i wish to",
    ),
    reasons=words("because since as"),
    places=words("in from"),
    reads=words(
        """
        get gets list lists search searches find finds read reads fetch fetches show shows lookup look looks query
        queries describe describes view views check checks count counts retrieve retrieves returns browse inspect
        status stats statistics log logs info information details history balance availability summary track tracks
        tracking
        preview estimate validate display displays see detect monitor forecast freebusy whoami provides
        """
    ),
    becomes=words("s re are is was were m am been being"),
    invites=("me to", "us to",),
    handing=words("get give tell bring"),
    gone=("doesn t exist", "does not exist", "not exist", "don t exist", "do not exist",),
    progress=("[a-z]{2,}ing|way",),
    idle=words(
        """
        looking searching checking reading working waiting thinking going trying asking having being seeing missing
        pending running during nothing something anything everything morning evening meeting according regarding
        following including depending using listing being awaiting happening building string thing ring king spring
        remaining existing facing requiring reporting failing holding keeping saying telling showing offering
        suggesting containing sharing outstanding interesting exciting amazing living dining booking pricing billing
        training warning heading setting
        """
    ),
    outcomes=words("approved passed succeeded finished completed delivered ready arrived landed"),
    on=words("on activate enable"),
    off=words("off deactivate disable"),
    degrees=words("degree degrees"),
    completed=words("done complete completed finished"),
    assents=(
        "yes please", "yes", "yep", "yeah", "ok", "okay", "sure", "go ahead", "do it", "do that", "please do",
        "please", "sounds good", "go for it", "of course", "great", "perfect", "alright",
    ),
    again=(
        "try again", "try it again", "retry", "do it again", "try once more", "give it another try",
    ),
    ands=words("and"),
    most=("at most", "maximum", "go up to", "goes up to"),
    perfect=words("ve ive have has"),
    wording=words("write draft compose suggest rewrite summarize summarise translate brainstorm"),
    yours=words("your"),
    titles=words("mr mrs ms dr"),
    days=words(
        """
        clock monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight yesterday noon midnight
        """
    ),
    interjections=words("ok okay great perfect sure yes alright good right well hi hello thanks so just"),
    limits=words("only"),
    things_too=words("post book charge block copy notify share schedule"),
    months=("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november", "december"),
    numbers=("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
)  # fmt: skip
