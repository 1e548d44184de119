"""What the generators know of six languages: openings, numbers, days and times, and how one tells of results."""

from typing import Final

import msgspec


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """One language. In patterns `{}` is what is told of; `{next}` is the hour after it."""

    openings: tuple[str, ...]
    endings: tuple[str, ...]
    ones: tuple[str, ...]
    """0 to 20."""
    tens: dict[int, str]
    weekdays: tuple[str, ...]
    """From Monday."""
    on_day: str
    relative: tuple[str, str, str]
    """Today, tomorrow, the day after it."""
    half_past: str
    quarter_past: str
    lengths: dict[int, str]
    """Durations that have words of their own, by their minutes."""
    units: tuple[tuple[str, str], tuple[str, str], tuple[str, str]]
    """Seconds, minutes, hours: of one, of several."""
    degrees: str
    and_: str
    done: tuple[str, ...]
    nothing: tuple[str, ...]
    failed: tuple[str, ...]
    found: tuple[str, ...]
    no_tool: str


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_TENS: Final = (30, 40, 50, 60, 70, 80, 90, 100)


def _tens(text: str) -> dict[int, str]:
    return dict(zip(_TENS, text.split(), strict=True))


_ENGLISH: Final = Language(
    openings=("{}", "please {}", "can you {}", "could you {}", "hey, {}", "I want you to {}", "ok {}", "quick one: {}"),
    endings=("", "", "", " please", ", thanks", "?", "!"),
    ones=_words(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty"
    ),
    tens=_tens("thirty forty fifty sixty seventy eighty ninety hundred"),
    weekdays=_words("monday tuesday wednesday thursday friday saturday sunday"),
    on_day="on {}",
    relative=("today", "tomorrow", "the day after tomorrow"),
    half_past="half past {}",
    quarter_past="quarter past {}",
    lengths={30: "half an hour", 15: "a quarter of an hour", 90: "an hour and a half", 45: "three quarters of an hour"},
    units=(("second", "seconds"), ("minute", "minutes"), ("hour", "hours")),
    degrees="degrees",
    and_="and",
    done=("Done.", "That is done.", "It is done."),
    nothing=("I found nothing.", "There is nothing like that.", "No results."),
    failed=("That did not work: {}.", "It failed: {}.", "An error came back: {}."),
    found=("{}", "It is {}.", "I found {}.", "The answer is {}."),
    no_tool="I have no tool for that.",
)

_GERMAN: Final = Language(
    openings=("{}", "bitte {}", "hey, {}", "kurz: {}", "also, {}", "hallo, {}", "jetzt {}"),
    endings=("", "", "", " bitte", ", danke", "!"),
    ones=_words(
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
        "siebzehn achtzehn neunzehn zwanzig"
    ),
    tens=_tens("dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert"),
    weekdays=_words("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"),
    on_day="am {}",
    relative=("heute", "morgen", "übermorgen"),
    half_past="halb {next}",
    quarter_past="Viertel nach {}",
    lengths={30: "eine halbe Stunde", 15: "eine Viertelstunde", 90: "anderthalb Stunden", 45: "eine Dreiviertelstunde"},
    units=(("Sekunde", "Sekunden"), ("Minute", "Minuten"), ("Stunde", "Stunden")),
    degrees="Grad",
    and_="und",
    done=("Erledigt.", "Das ist erledigt.", "Fertig."),
    nothing=("Ich habe nichts gefunden.", "Dazu gibt es nichts.", "Keine Treffer."),
    failed=("Das ging nicht: {}.", "Es gab einen Fehler: {}.", "Fehlgeschlagen: {}."),
    found=("{}", "Es ist {}.", "Gefunden: {}.", "Das Ergebnis ist {}."),
    no_tool="Dafür habe ich kein Werkzeug.",
)

_FRENCH: Final = Language(
    openings=("{}", "s'il te plaît, {}", "bonjour, {}", "vite : {}", "alors {}", "dis, {}", "maintenant {}"),
    endings=("", "", "", " s'il te plaît", ", merci", " !"),
    ones=_words(
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept "
        "dix-huit dix-neuf vingt"
    ),
    tens=_tens("trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix cent"),
    weekdays=_words("lundi mardi mercredi jeudi vendredi samedi dimanche"),
    on_day="{}",
    relative=("aujourd'hui", "demain", "après-demain"),
    half_past="{} heures et demie",
    quarter_past="{} heures et quart",
    lengths={30: "une demi-heure", 15: "un quart d'heure", 90: "une heure et demie", 45: "trois quarts d'heure"},
    units=(("seconde", "secondes"), ("minute", "minutes"), ("heure", "heures")),
    degrees="degrés",
    and_="et",
    done=("C'est fait.", "Voilà, c'est fait.", "Terminé."),
    nothing=("Je n'ai rien trouvé.", "Il n'y a rien de tel.", "Aucun résultat."),
    failed=("Ça n'a pas marché : {}.", "Il y a eu une erreur : {}.", "Échec : {}."),
    found=("{}", "C'est {}.", "J'ai trouvé {}.", "Le résultat est {}."),
    no_tool="Je n'ai pas d'outil pour cela.",
)

_SPANISH: Final = Language(
    openings=("{}", "por favor, {}", "hola, {}", "rápido: {}", "oye, {}", "ahora {}", "venga, {}"),
    endings=("", "", "", " por favor", ", gracias", "!"),
    ones=_words(
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
        "diecisiete dieciocho diecinueve veinte"
    ),
    tens=_tens("treinta cuarenta cincuenta sesenta setenta ochenta noventa cien"),
    weekdays=_words("lunes martes miércoles jueves viernes sábado domingo"),
    on_day="el {}",
    relative=("hoy", "mañana", "pasado mañana"),
    half_past="las {} y media",
    quarter_past="las {} y cuarto",
    lengths={30: "media hora", 15: "un cuarto de hora", 90: "una hora y media", 45: "tres cuartos de hora"},
    units=(("segundo", "segundos"), ("minuto", "minutos"), ("hora", "horas")),
    degrees="grados",
    and_="y",
    done=("Hecho.", "Ya está hecho.", "Listo."),
    nothing=("No he encontrado nada.", "No hay nada así.", "Sin resultados."),
    failed=("No ha funcionado: {}.", "Hubo un error: {}.", "Ha fallado: {}."),
    found=("{}", "Es {}.", "He encontrado {}.", "El resultado es {}."),
    no_tool="No tengo ninguna herramienta para eso.",
)

_ITALIAN: Final = Language(
    openings=("{}", "per favore, {}", "ciao, {}", "veloce: {}", "senti, {}", "adesso {}", "allora, {}"),
    endings=("", "", "", " per favore", ", grazie", "!"),
    ones=_words(
        "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici "
        "diciassette diciotto diciannove venti"
    ),
    tens=_tens("trenta quaranta cinquanta sessanta settanta ottanta novanta cento"),
    weekdays=_words("lunedì martedì mercoledì giovedì venerdì sabato domenica"),
    on_day="{}",
    relative=("oggi", "domani", "dopodomani"),
    half_past="le {} e mezza",
    quarter_past="le {} e un quarto",
    lengths={30: "mezz'ora", 15: "un quarto d'ora", 90: "un'ora e mezza", 45: "tre quarti d'ora"},
    units=(("secondo", "secondi"), ("minuto", "minuti"), ("ora", "ore")),
    degrees="gradi",
    and_="e",
    done=("Fatto.", "Ecco fatto.", "È fatto."),
    nothing=("Non ho trovato niente.", "Non c'è niente del genere.", "Nessun risultato."),
    failed=("Non ha funzionato: {}.", "C'è stato un errore: {}.", "Non riuscito: {}."),
    found=("{}", "È {}.", "Ho trovato {}.", "Il risultato è {}."),
    no_tool="Non ho uno strumento per questo.",
)

_DUTCH: Final = Language(
    openings=("{}", "alsjeblieft, {}", "hoi, {}", "snel: {}", "hé, {}", "nu {}", "graag: {}"),
    endings=("", "", "", " alsjeblieft", ", bedankt", "!"),
    ones=_words(
        "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien "
        "achttien negentien twintig"
    ),
    tens=_tens("dertig veertig vijftig zestig zeventig tachtig negentig honderd"),
    weekdays=_words("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"),
    on_day="op {}",
    relative=("vandaag", "morgen", "overmorgen"),
    half_past="half {next}",
    quarter_past="kwart over {}",
    lengths={30: "een half uur", 15: "een kwartier", 90: "anderhalf uur", 45: "drie kwartier"},
    units=(("seconde", "seconden"), ("minuut", "minuten"), ("uur", "uur")),
    degrees="graden",
    and_="en",
    done=("Gedaan.", "Dat is gebeurd.", "Klaar."),
    nothing=("Ik heb niets gevonden.", "Zoiets is er niet.", "Geen resultaten."),
    failed=("Dat lukte niet: {}.", "Er was een fout: {}.", "Mislukt: {}."),
    found=("{}", "Het is {}.", "Ik heb {} gevonden.", "Het antwoord is {}."),
    no_tool="Daar heb ik geen hulpmiddel voor.",
)

LANGUAGES: Final = {
    "en": _ENGLISH,
    "de": _GERMAN,
    "fr": _FRENCH,
    "es": _SPANISH,
    "it": _ITALIAN,
    "nl": _DUTCH,
}
CODES: Final = tuple(LANGUAGES)
WEIGHTS: Final = (5, 2, 2, 2, 2, 2)
"""How often each language is drawn, in the order of `CODES`: tools themselves are most often in English."""
