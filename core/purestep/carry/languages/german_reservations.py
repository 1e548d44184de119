"""German: the words that tie an order to a condition, put it off, or take it back."""

from typing import Final

from .reservations import Reservations

GERMAN_RESERVATIONS: Final = Reservations(
    conditions=(
        "wenn", "falls", "sobald", "sofern", "solange", "bis", "nachdem", "bevor", "ehe", "erst", "außer", "ausser",
        "sonst", "ansonsten", "aber", "jedoch", "allerdings", "vorausgesetzt", "vielleicht", "eventuell", "evtl",
        "womöglich", "möglicherweise", "vermutlich", "ob", "während", "unter der bedingung", "für den fall",
        "je nachdem", "im falle", "oder so", "und so weiter", "usw", "etc", "oder mehr", "oder weniger", "glaube ich",
        "denke ich", "ich glaube", "ich denke", "ich weiß nicht", "unsicher", "vorbehaltlich",
    ),
    delays=(
        "morgen", "übermorgen", "später", "nachher", "bald", "irgendwann", "demnächst", "heute abend", "heute nacht",
        "morgens", "vormittags", "mittags", "nachmittags", "abends", "nachts", "vormittag", "mittag", "nachmittag",
        "abend", "nacht", "mitternacht", "wochenende", "montag", "dienstag", "mittwoch", "donnerstag", "freitag",
        "samstag", "sonnabend", "sonntag", "nächste woche", "nächster woche", "kommende woche", "nächsten monat",
        "nächstes jahr", "nächstes mal", "in kürze", "kommenden", "eines tages", "feierabend", "täglich", "wöchentlich",
        "monatlich", "jeden tag", "jede woche",
    ),
    told=(
        "frag mich vorher", "frage mich vorher", "fragen sie mich vorher", "frag vorher", "frage vorher",
        "frag mich erst", "frage mich erst", "frag erst", "frage erst", "frag mich zuerst", "frage mich zuerst",
        "frag zuerst", "frag mich noch", "frage mich noch", "frag nochmal", "vorher fragen", "erst fragen",
        "zuerst fragen", "frag aber", "frag mich aber", "zeig mir vorher", "zeig es mir vorher", "zeig es mir erst",
        "warte auf mein", "warte auf mich", "warte bis ich", "warte noch", "noch nicht", "jetzt nicht", "doch nicht",
        "lieber nicht", "besser nicht", "wenn ich es sage", "wenn ich das sage", "wenn ich s sage", "wenn ich bescheid",
        "wenn ich zustimme", "wenn ich bestätige", "wenn ich okay", "sobald ich bescheid", "sobald ich es sage",
        "sobald ich zustimme", "sobald ich bestätige", "bis ich bescheid", "bis ich zustimme", "bis ich bestätige",
        "nachdem ich bestätigt", "nachdem ich zugestimmt", "nur wenn ich", "erst wenn ich", "nach meiner freigabe",
        "nach meiner bestätigung", "nach rücksprache", "mit meiner zustimmung", "war nur spaß", "war nur ein scherz",
        "war nur ein witz", "nur spaß", "nur ein scherz", "nur ein witz", "kleiner scherz", "war ein scherz",
        "war ein witz", "ich scherze", "ich mache nur spaß", "vergiss es", "vergiss das", "vergessen sie es",
        "vergessen sie das", "ach nein", "ach ne", "ach nee", "nee", "nö", "ach was", "lass es", "lass mal", "lass das",
        "lassen sie es", "lassen sie das", "lassen wir das", "schon gut", "hat sich erledigt", "warte mal",
        "moment mal", "halt stopp", "nein warte", "nein halt", "anders überlegt", "quatsch", "nur ein beispiel",
        "nur ein test", "nur zum test", "rein theoretisch", "theoretisch",
    ),
    vague=(
        "etwa", "ungefähr", "circa", "ca", "rund", "knapp", "fast", "gut", "mindestens", "höchstens", "maximal",
        "minimal", "mehr als", "weniger als", "bis zu", "zwischen", "unter", "gegen", "halb", "die hälfte von", "um",
    ),
    plain=("guten morgen", "guten abend", "gute nacht", "guten tag", "schönen abend"),
)  # fmt: skip
