"""English: the words by which requests are split, grounded and routed."""

from typing import Final

from .clock import Clock
from .denials import Denials
from .english_kin import KIN, SLOTS, VERB_KIN
from .language import Language, words

ENGLISH: Final = Language(
    name="english",
    stop_words=words(
        """
        a an the this that these those my your our their his her its me you i we it us them he she they is
        are was were be been am do does did done have has had can could will would shall should may might
        must please to of in on at for from with by as into about and or but if so then than there here what
        whats which who whom whose when where why how much many not no yes just also too very some any all
        each let lets use using want wants need needs like tell know okay ok now give up out s t re ll ve d
        m
        """
    ),
    clause_words=(
        "and after that", "and then", "after that", "afterwards", "and finally", "and also", "then", "finally", "next",
        "and", "also", "plus also", "before you", "but",
    ),
    backward_words=words(
        """
        it its that this same result answer them those output sum total value
        """
    ),
    number_words={
        "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
        "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
        "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
        "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1000, "dozen": 12,
    },
    operators={
        "plus": "+", "minus": "-", "times": "*", "multiplied by": "*", "divided by": "/", "x": "*",
        "to the power of": "**", "less": "-", "added to": "+",
    },
    number_joints=words("and by with to from"),
    folded={
        "sum of": "+", "add": "+", "total of": "+", "adding": "+", "product of": "*", "multiply": "*",
        "multiplying": "*", "divide": "/", "dividing": "/", "quotient of": "/", "difference between": "-",
        "difference of": "-", "sum up": "+",
    },
    reversed={"subtract": ("from", "-"), "take": ("from", "-"), "deduct": ("from", "-"), "take away": ("from", "-")},
    percent=("percent of", "per cent of", "% of"),
    closing=words(
        "today now please again currently tonight right thanks already here there online yet too me plz pls rn thx asap"
    ),
    content=words(
        "note text message body content comment description task todo reminder question query sql reply status caption"
    ),
    musing=(
        "why", "what is a", "what is an", "what makes", "explain", "can you explain", "could you explain",
        "is it a good idea", "is it ok", "is it okay", "is it better", "is it bad", "should i", "should we", "do you",
        "do people", "how do", "how does", "how can i", "how should", "what does it mean", "who was", "who wrote",
        "who invented", "who painted", "what do you think", "tell me a joke", "what is the difference", "are you",
        "what are you", "who are you", "what can you", "what is the meaning", "what s the difference", "what s a",
        "what does the word", "what is the word", "what s the word", "what is the meaning of",
        "what is your", "what s your", "have you", "would you rather", "write me a poem", "tell me a story",
        "i wonder if", "i wonder whether", "i wonder why", "i wonder how", "tell me why", "what happens if",
        "what happens when", "how come", "what are your", "what would you", "who made you",
        "who invented", "who discovered", "who founded", "who composed", "do i sound", "did you know", "will you ever",
        "when was the first", "write a poem", "write a short poem", "write me a short poem", "tell me about yourself",
        "tell me something", "say something", "sing me", "cheer me up", "make me laugh", "tell me another",
        "what is it like", "how would you", "why", "what is the best", "what s the best", "what is a good",
        "what s a good", "which is the best", "is there a good way", "what kind of", "what sort of", "is it still",
        "is it true", "should one", "should people", "can people", "can one",
    ),
    courtesies=(
        "congrats", "congratulations", "well done", "good luck", "good job", "happy birthday", "thanks for",
        "thank you for", "hopefully",
    ),
    opinion=(
        "in your opinion", "in your view", "do you think", "do you prefer", "do you like", "do you believe",
        "would you say", "your favourite", "your favorite", "your opinion", "do you feel", "would you recommend",
        "in simple words", "in simple terms", "in general", "generally speaking", "tools do you", "tools can you",
        "functions do you", "your tools", "tools you have", "tools are available", "the tool", "this tool",
    ),
    ability=("can you", "could you", "are you able to", "do you know how to", "can i", "is it possible to"),
    pointing=words(
        """
        the a an my our your his her their its this that these those it them all every each me us some any now today
        tomorrow yesterday tonight there here
        """
    ),
    subjects=words(
        """
        i we he she they you it this that these those there my our your his her their the a an people everyone everybody
        someone somebody nobody most some many both
        """
    ),
    persons=words("i we he she they"),
    pronouns=words("i we he she they you it there this that"),
    finite=words(
        """
        am is are was were been has have had m re ve ain isn aren wasn weren hasn haven hadn can could cannot will would
        may might shall do does did don doesn didn won feel feels felt like likes liked love loves loved hate hates
        hated enjoy enjoys enjoyed prefer think thinks thought believe knew hope hoped sound sounds sounded look looks
        looked
        seem seems seemed taste tastes tasted smell smells became become becomes got gets makes made goes went comes
        came
        work works worked
        heard saw met grew taught said says told wonder wondered worry remember remembered miss missed
        """
    ),
    wishes=words(
        """
        please need needs want wants wanted wish wanna must should let d looking searching trying interested pls plz too
        """
    ),
    tags=(
        "isn t it", "aren t they", "aren t we", "aren t you", "don t they", "don t you", "don t you think",
        "doesn t it", "wasn t it", "weren t they", "won t it", "isn t that so", "innit", "haven t they", "hasn t it",
    ),
    telling=words("that saying says say reading"),
    leads=words(
        """
        that saying says say called named titled entitled reading labeled labelled word words phrase text
        message string sentence sayings
        """
    ),
    places=words(
        """
        in for to about of on from with at into regarding near as under by containing mentioning via
        """
    ),
    short={
        "organization": "org", "organisation": "org", "repository": "repo", "directory": "dir", "database": "db",
        "namespace": "ns", "environment": "env", "application": "app", "message": "msg", "channel": "chan",
    },
    money={
        "euro": "EUR", "euros": "EUR", "dollar": "USD", "dollars": "USD", "bucks": "USD", "pound": "GBP",
        "pounds": "GBP", "sterling": "GBP", "franc": "CHF", "francs": "CHF", "yen": "JPY", "yuan": "CNY",
        "rupees": "INR",
    },
    counts={
        "tail": ("last", "final"), "head": ("first", "top"), "last": ("last",), "first": ("first",),
        "limit": ("first", "top", "last", "latest", "newest"), "count": ("first", "top", "last", "latest", "newest"),
        "max": ("first", "top", "last", "latest", "newest"), "n": ("first", "top", "last", "latest", "newest"),
    },
    slots=SLOTS,
    opening=words(
        """
        please could can you would kindly i want need to like hey hi hello me my for us a an the also now
        then and new short quick down just
        """
    ),
    suffixes=(
        "izations", "ization", "ations", "ation", "ators", "ator", "ating", "ings", "ing", "ions", "ion", "ers", "er",
        "ors", "or", "ies", "ied", "ates", "ated", "ate", "ized", "izes", "ize", "ments", "ment", "es", "ed", "ly",
        "s", "e", "y",
    ),
    kin=KIN,
    polite=words(
        """
        can could would will please may
        """
    ),
    acting=words(
        """
        add append approve archive assign ban block book buy cancel charge clear close commit copy create delete deploy
        disable drop edit enable grant insert install invite kill make merge move notify pay post publish purchase push
        put refund reject remind remove rename reply reserve reset restart revoke save schedule send set share stop
        store submit subscribe switch transfer trigger turn uninstall unsubscribe update upload write
        """
    ),
    reading=words(
        """
        get list search find read fetch show lookup look query count describe view check calculate compute convert
        translate summarize compare browse explain inspect preview estimate validate retrieve measure evaluate
        """
    ),
    verb_kin=VERB_KIN,
    order_openings=(
        "please", "kindly", "can you", "could you", "would you", "will you", "can i", "may i", "i want to",
        "i want you to", "i need to", "i need you to", "i d like to", "i d like you to", "i would like to",
        "i would like you to", "i wish to", "let s", "let us", "hey", "hi", "hello", "ok", "okay", "now", "then", "and",
        "also", "next", "finally", "first", "just", "so", "go ahead and", "make sure to", "be sure to", "quickly",
        "you should", "you need to", "after that", "thanks", "now please",
    ),
    doubt=words(
        """
        not don doesn didn won wouldn shouldn dont doesnt didnt wont cannot cant never no nobody none neither nor
        without instead unless whether if avoid already except pretend imagine suppose hypothetical hypothetically
        refuse stop prevent unlike how why explain describe was were had denied rejected failed
        """
    ),
    denials=Denials(
        openings=("but", "stop", "no", "nope", "careful", "wait", "whatever you do", "instead", "i said", "by the way"),
        begins=(
            "do not", "don t", "dont", "never", "avoid", "you must not", "must not", "no need to", "you should not",
            "you shouldn t", "you mustn t", "you can t", "you cannot", "under no circumstances", "i don t want you to",
            "i do not want you to", "i don t want it", "i do not want it", "i didn t ask you to",
            "i did not ask you to", "there is no need to", "there s no need to", "refrain from",
            "you don t need to", "you do not need to",
            "you don t have to", "you do not have to", "not", "let s not", "let us not", "better not", "nobody should",
            "nobody may", "i d rather you didn t", "i would rather you didn t", "i d prefer you didn t",
        ),
        first=words("leave keep"),
        second=words("alone untouched unchanged intact"),
        within=(
            "must not be", "mustn t be", "should not be", "shouldn t be", "may not be", "shall not be",
            "is not to be", "are not to be", "must never be", "should never be",
        ),
        undone=words("forget hesitate"),
    ),
    withdrawing=words("no nope nevermind mind forget cancel stop abort nothing later hi hello thanks"),
    inflected=("ed", "ing"),
    verb_last=False,
    asking=words("what which who whom whose where when why how is are was were does did whats hows wheres whos"),
    looking=words("show list find search look read get view display print fetch see check browse count summarize"),
    acting_first=words(
        """
        abort announce assemble complete dim dispatch draft duplicate escalate execute feed fill finish forward hire
        ignite join launch leave lock mark mute pause play promote record redeploy register reschedule resume retry
        rollback skip spend start tip trash unlock vote wipe
        """
    ),
    capitals=True,
    naming=words("called named titled entitled"),
    stops=words(
        """
        is are was were has have had will would can could should must do does did because since so who which when while
        if but though until unless or s
        """
    ),
    units=words(
        """
        percent degree degrees celsius fahrenheit euro euros dollar dollars eur usd gbp pound pounds cent cents second
        seconds minute minutes hour hours day days week weeks month months year years km kilometers miles kg replicas
        """
    ),
    not_looking=("get rid", "check in", "check out", "get me", "look after", "list it", "check off"),
    joints=words("and also next but"),
    series=words("and"),
    alternatives=words("or"),
    pairing=words("between"),
    articles=words("the a an"),
    paths=("folder", "directory", "dir", "file"),
    single=words(
        """
        city town place location country region state airport station destination origin user username person member
        employee customer contact patient student player assignee name currency symbol ticker stock coin target language
        timezone zone room device sensor server service branch species plant
        """
    ),
    joint_names=words(
        """
        artist band song track album title movie film show book company organization organisation brand team dish recipe
        product group project list file event playlist
        """
    ),
    joined_names=frozenset({
        "trinidad and tobago", "bosnia and herzegovina", "antigua and barbuda", "saint kitts and nevis",
        "st kitts and nevis", "sao tome and principe", "turks and caicos", "brighton and hove", "tyne and wear",
    }),
    times=words(
        """
        today tomorrow yesterday tonight noon midnight monday tuesday wednesday thursday friday saturday sunday
        """
    ),
    small_talk=words(
        """
        hi hello hey thanks thank you bye goodbye good morning evening night how are you there yo greetings
        cheers nice great cool welcome haha lol thx ty thats perfect awesome wow amazing
        """
    ),
    clock=Clock(
        months={
            "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
            "september": 9, "october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4,
            "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
        },
        ordinals=("st", "nd", "rd", "th"),
        of=words("of"),
        minutes={"half past": 30, "quarter past": 15, "a quarter past": 15, "quarter to": -15, "a quarter to": -15},
        early=("am", "in the morning"),
        late=("pm", "in the afternoon", "in the evening", "at noon"),
        hours=frozenset(),
        seconds={
            "second": 1, "seconds": 1, "sec": 1, "secs": 1, "minute": 60, "minutes": 60, "min": 60, "mins": 60,
            "hour": 3600, "hours": 3600, "day": 86400, "days": 86400, "week": 604800, "weeks": 604800,
        },
        parts={
            "three quarters of an hour": 2700, "quarter of an hour": 900, "half an hour": 1800, "half hour": 1800,
            "half a minute": 30, "half a day": 43200,
        },
        halves=("and a half",),
        one=words("a an one"),
    ),
    measures={
        "kilometer": "km", "kilometers": "km", "kilometre": "km", "kilometres": "km", "kms": "km", "mile": "mi",
        "miles": "mi", "meter": "m", "meters": "m", "metre": "m", "metres": "m", "foot": "ft", "feet": "ft",
        "inch": "in", "inches": "in", "yard": "yd", "yards": "yd", "centimeter": "cm", "centimeters": "cm",
        "centimetre": "cm", "centimetres": "cm", "millimeter": "mm", "millimeters": "mm", "millimetre": "mm",
        "millimetres": "mm", "kilogram": "kg", "kilograms": "kg", "kilo": "kg", "kilos": "kg", "kgs": "kg",
        "gram": "g", "grams": "g", "pound": "lb", "pounds": "lb", "lbs": "lb", "ounce": "oz", "ounces": "oz",
        "liter": "l", "liters": "l", "litre": "l", "litres": "l", "milliliter": "ml", "milliliters": "ml",
        "millilitre": "ml", "millilitres": "ml", "gallon": "gal", "gallons": "gal", "celsius": "c",
        "fahrenheit": "f", "kelvin": "k",
    },
    compositions=words(
        """
        poem poems rhyme rhymes limerick haiku joke jokes story stories song verse essay riddle wish wishes toast
        slogan compliment paragraph greeting sonnet tagline pun puns
        """
    ),
    frequent_verbs=words(
        """
        take give bring get let have make put tell ask keep hold use try help see look say go come do turn pick spell
        leave work think
        """
    ),
    told_by={
        "gave me": "add", "put together": "add", "together": "add", "altogether": "add",
        "in total": "add", "more": "add", "in each": "multiply", "apiece": "multiply", "of each": "multiply",
        "each of": "multiply", "each with": "multiply",
    },
    before_pronouns=words("each every which this that the any another other no some have has had need want got"),
    single_leads=words("word"),
    referring=words("he she they him her them his hers theirs one ones each"),
    letter="letter",
    composing=words("write compose make create give tell draft invent come"),
    placing=words("as into under save send post store note file email mail"),
    general=(("is", "it"), "to", words("going about supposed expected likely due set ready on")),
    back="it",
    contents=words("text content contents page"),
    fetching=words("read fetch open load download get retrieve visit"),
    looking_phrases=frozenset({"give me", "tell me", "let me see"}),
    removing=words("delete remove erase discard trash wipe unlink cancel uninstall revoke unsubscribe"),
    making=words("add append create insert install make post publish put record save send store submit upload write"),
    opposites={
        "append": ("write", "overwrite", "replace", "set"), "on": ("off",), "off": ("on",), "up": ("down",),
        "down": ("up",), "out": ("in",), "open": ("close", "shut"), "close": ("open",), "shut": ("open",),
        "lock": ("unlock",), "unlock": ("lock",), "start": ("stop", "end"), "stop": ("start", "run"),
        "mute": ("unmute",), "unmute": ("mute",), "subscribe": ("unsubscribe",), "unsubscribe": ("subscribe",),
        "enable": ("disable",), "disable": ("enable",), "add": ("remove",), "remove": ("add",), "block": ("unblock",),
        "unblock": ("block",), "assign": ("unassign",), "unassign": ("assign",), "archive": ("unarchive",),
        "unarchive": ("archive",), "install": ("uninstall",), "uninstall": ("install",), "follow": ("unfollow",),
        "unfollow": ("follow",), "pin": ("unpin",), "unpin": ("pin",), "increase": ("decrease", "lower"),
        "decrease": ("increase", "raise"), "raise": ("lower", "decrease"), "lower": ("raise", "increase"),
        "accept": ("decline", "reject"), "approve": ("reject", "decline"), "reject": ("accept", "approve"),
        "decline": ("accept", "approve"), "deny": ("approve", "accept"), "buy": ("sell",), "sell": ("buy",),
        "deposit": ("withdraw",), "withdraw": ("deposit",), "connect": ("disconnect",), "disconnect": ("connect",),
        "publish": ("unpublish",), "unpublish": ("publish",), "activate": ("deactivate",), "deactivate": ("activate",),
        "grant": ("revoke",), "revoke": ("grant",), "hide": ("show",), "encrypt": ("decrypt",), "decrypt": ("encrypt",),
        "freeze": ("unfreeze",), "unfreeze": ("freeze",), "undelete": ("delete",), "restore": ("delete", "archive"),
        "undo": ("do",),
    },
    thousands=",",
    subunits=words("cent cents penny pence"),
    quantities=words(
        """
        everything something anything nothing all some any none both either each every everyone everybody someone
        somebody anyone anybody nobody whatever whoever whomever whichever another other others rest thing things stuff
        myself yourself himself herself itself ourselves yourselves themselves half most several few many much more less
        one ones same lot lots bunch couple
        """
    ),
    universals=words("all every everything"),
    fillers=words(
        """
        quickly immediately straight away permanently completely entirely fully really simply over down along ahead
        guys folks sir madam mate buddy dear well indeed definitely certainly absolutely urgently urgent
        promptly alright yes yep yeah sure kindly only old whole entire following id ids number nr name
        code with called named value again directly
        """
    ),
    around=words("in inside under within near of from about behind beside by next off"),
    backward_phrases=("the number", "the amount", "the figure", "the whole thing", "what you get", "what you find"),
)  # fmt: skip
