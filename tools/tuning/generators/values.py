"""Values of parameters: what a call holds, and how it is said in one of the languages."""

from collections.abc import Callable
from datetime import date, timedelta
from random import Random
from typing import Any, Final

import msgspec

from tools.tuning.generators import entities
from tools.tuning.generators.drawing import happens
from tools.tuning.generators.languages import LANGUAGES, Language


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """The day on which a request is made, if the prompt tells it, and whether a calendar of the next days is there."""

    today: date | None = None
    calendar: bool = False

    def line(self) -> str:
        """Return what the prompt says of it."""
        if self.today is None:
            return ""
        line = f"Today is {_english(self.today)}, {self.today.isoformat()}."
        if not self.calendar:
            return line
        days = (self.today + timedelta(days=ahead) for ahead in range(1, 8))
        return f"{line} Next days: {', '.join(f'{_english(day)} {day.isoformat()}' for day in days)}."


def _english(day: date) -> str:
    return LANGUAGES["en"].weekdays[day.weekday()].capitalize()


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """A value, how it is said, and the schema of a parameter that takes it."""

    value: Any
    said: str
    schema: dict[str, Any]


class Speaker(msgspec.Struct, frozen=True, kw_only=True):
    """Who draws values: the source of chance, the language that is spoken, and the day."""

    chance: Random
    code: str = "en"
    day: Day = Day()

    @property
    def language(self) -> Language:
        """The language that is spoken."""
        return LANGUAGES[self.code]


def number_said(speaker: Speaker, number: int) -> str:
    """Return how a number is said: in figures, or in words where it has a short one."""
    language, words = speaker.language, abs(number)
    word = language.ones[words] if words < len(language.ones) else language.tens.get(words)
    if word is None or number < 0 or happens(speaker.chance, 0.55):
        return str(number)
    return word


def text_of(draw: Callable[[Random], str], schema: dict[str, Any] | None = None) -> Callable[[Speaker], Value]:
    """Return what draws a text that is said as it is written."""

    def value(speaker: Speaker) -> Value:
        text = draw(speaker.chance)
        return Value(value=text, said=text, schema=schema or {"type": "string"})

    return value


def count(speaker: Speaker) -> Value:
    """Return a small number."""
    number = speaker.chance.choice((*range(1, 21), 25, 30, 40, 50, 60, 75, 90, 100, 120, 250))
    return Value(value=number, said=number_said(speaker, number), schema={"type": "integer"})


def amount(speaker: Speaker) -> Value:
    """Return an amount, at times with cents and with the decimal sign of the language."""
    whole, cents = speaker.chance.randrange(1, 3000), speaker.chance.choice((0, 0, 5, 25, 50, 95, 99))
    if not cents:
        return Value(value=whole, said=str(whole), schema={"type": "number"})
    point = "." if speaker.code == "en" else ","
    return Value(value=round(whole + cents / 100, 2), said=f"{whole}{point}{cents:02d}", schema={"type": "number"})


def temperature(speaker: Speaker) -> Value:
    """Return degrees, below zero in half of the cases."""
    chance = speaker.chance
    number = chance.choice((-1, 1)) * chance.randrange(1, 31)
    words = {"en": "minus", "de": "minus", "fr": "moins", "es": "menos", "it": "meno", "nl": "min"}
    said = number_said(speaker, number)
    if number < 0 and happens(chance, 0.6):
        said = f"{words[speaker.code]} {number_said(speaker, -number)}"
    return Value(
        value=number, said=f"{said} {speaker.language.degrees}", schema={"type": chance.choice(("integer", "number"))}
    )


_SECONDS: Final = {"seconds": 1, "minutes": 60, "hours": 3600}


def duration(unit: str) -> Callable[[Speaker], Value]:
    """Return what draws a duration for a parameter in this unit: it is said in whatever unit one would."""

    def value(speaker: Speaker) -> Value:
        chance, language = speaker.chance, speaker.language
        if happens(chance, 0.4):
            minutes = chance.choice(tuple(language.lengths))
            seconds, said = minutes * 60, language.lengths[minutes]
        else:
            place = chance.randrange(3)
            number = chance.choice(((10, 20, 30, 45, 90), (2, 3, 5, 8, 10, 12, 20, 25, 40), (1, 2, 3, 4, 6))[place])
            seconds = number * tuple(_SECONDS.values())[place]
            said = f"{number_said(speaker, number) if number > 1 else 1} {language.units[place][number > 1]}"
        figure = seconds / _SECONDS[unit]
        whole = figure == int(figure)
        figure = int(figure) if whole else round(figure, 4)
        return Value(value=figure, said=said, schema={"type": "integer" if whole else "number"})

    return value


def day(speaker: Speaker) -> Value:
    """Return a date: by the calendar where the prompt has one, else as it was said."""
    language, chance, known = speaker.language, speaker.chance, speaker.day
    ahead = chance.randrange(8)
    if ahead < len(language.relative) and (known.today is None or happens(chance, 0.6)):
        said = language.relative[ahead]
    else:
        weekday = (known.today.weekday() + ahead) % 7 if known.today is not None else chance.randrange(7)
        said = language.weekdays[weekday]
        ahead = 7 if ahead == 0 else ahead
    if known.today is None or not known.calendar:
        return Value(value=said, said=said, schema={"type": "string"})
    iso = (known.today + timedelta(days=ahead)).isoformat()
    return Value(value=iso, said=said, schema={"type": "string", "format": "date", **COMPOSED})


COMPOSED: Final = {"x-purestep": {"compose": True}}
"""Of a parameter that is written, not copied from what was said."""
_MORNING: Final = range(7, 12)


def clock_time(speaker: Speaker) -> Value:
    """Return a time of day in figures, from figures or from words."""
    chance, language = speaker.chance, speaker.language
    if happens(chance, 0.4):
        hour = chance.choice(_MORNING)
        half = happens(chance, 0.5)
        pattern = language.half_past if half else language.quarter_past
        said = pattern.format(language.ones[hour], next=language.ones[hour + 1])
        text = f"{hour:02d}:{30 if half else 15:02d}"
    else:
        text = said = f"{chance.randrange(7, 22):02d}:{chance.choice((0, 15, 20, 30, 45)):02d}"
    return Value(value=text, said=said, schema={"type": "string", **COMPOSED})


def several(draw: Callable[[Speaker], Value]) -> Callable[[Speaker], Value]:
    """Return what draws a list of one to four values."""

    def value(speaker: Speaker) -> Value:
        drawn = [draw(speaker) for _ in range(speaker.chance.choice((1, 2, 2, 3, 4)))]
        schema = {"type": "array", "items": drawn[0].schema}
        return Value(
            value=[each.value for each in drawn], said=joined(speaker, [each.said for each in drawn]), schema=schema
        )

    return value


def joined(speaker: Speaker, said: list[str]) -> str:
    """Return what is said of several things: with commas, and the language's "and" before the last."""
    if len(said) == 1:
        return said[0]
    last = speaker.chance.choice((f" {speaker.language.and_} ", ", "))
    return ", ".join(said[:-1]) + last + said[-1]


GOODS: Final = {
    "en": "coffee,tea,bread,milk,paper,screws,pens,soap,rice,apples",
    "de": "Kaffee,Tee,Brot,Milch,Papier,Schrauben,Stifte,Seife,Reis,Äpfel",
    "fr": "café,thé,pain,lait,papier,vis,stylos,savon,riz,pommes",
    "es": "café,té,pan,leche,papel,tornillos,bolígrafos,jabón,arroz,manzanas",
    "it": "caffè,tè,pane,latte,carta,viti,penne,sapone,riso,mele",
    "nl": "koffie,thee,brood,melk,papier,schroeven,pennen,zeep,rijst,appels",
}


def goods(speaker: Speaker) -> Value:
    """Return a list of objects: things and how many of each."""
    chance = speaker.chance
    names = chance.sample(GOODS[speaker.code].split(","), chance.choice((1, 2, 2, 3)))
    numbers = [chance.randrange(1, 13) for _ in names]
    said = [f"{number_said(speaker, number)} {name}" for name, number in zip(names, numbers, strict=True)]
    key, number_key = chance.choice(("name", "item", "product")), chance.choice(("quantity", "count", "qty"))
    item = {"type": "object", "properties": {key: {"type": "string"}, number_key: {"type": "integer"}}}
    schema = {"type": "array", "items": {**item, "required": [key, number_key]}}
    value = [{key: name, number_key: number} for name, number in zip(names, numbers, strict=True)]
    return Value(value=value, said=joined(speaker, said), schema=schema)


def place(speaker: Speaker) -> Value:
    """Return an object: a street with its number, and a city."""
    street, number = f"{entities.invented(speaker.chance).title()} Street", speaker.chance.randrange(1, 200)
    where = entities.city(speaker.chance)
    properties = {"street": {"type": "string"}, "number": {"type": "integer"}, "city": {"type": "string"}}
    schema = {"type": "object", "properties": properties, "required": ["street", "number", "city"]}
    value = {"street": street, "number": number, "city": where}
    return Value(value=value, said=f"{street} {number}, {where}", schema=schema)


_WEIGHTS: Final = {
    "en": ("{} kilos", "{} grams"),
    "de": ("{} Kilo", "{} Gramm"),
    "fr": ("{} kilos", "{} grammes"),
    "es": ("{} kilos", "{} gramos"),
    "it": ("{} chili", "{} grammi"),
    "nl": ("{} kilo", "{} gram"),
}


def weight(speaker: Speaker) -> Value:
    """Return kilograms, said in kilos with the decimal sign of the language, or in grams."""
    chance = speaker.chance
    kilos, grams = _WEIGHTS[speaker.code]
    if happens(chance, 0.4):
        number = chance.choice((50, 100, 200, 250, 400, 500, 750, 800))
        return Value(value=number / 1000, said=grams.format(number), schema={"type": "number"})
    tenths = chance.randrange(11, 400)
    whole, tenth = divmod(tenths, 10)
    point = "." if speaker.code == "en" else ","
    said = kilos.format(f"{whole}{point}{tenth}" if tenth else str(whole))
    return Value(value=tenths / 10 if tenth else whole, said=said, schema={"type": "number"})


_REMINDERS: Final = {
    "en": ("with a reminder", "without a reminder"),
    "de": ("mit Erinnerung", "ohne Erinnerung"),
    "fr": ("avec un rappel", "sans rappel"),
    "es": ("con recordatorio", "sin recordatorio"),
    "it": ("con promemoria", "senza promemoria"),
    "nl": ("met herinnering", "zonder herinnering"),
}


def reminder(speaker: Speaker) -> Value:
    """Return whether to remind, which is implied by a word that is no yes or no."""
    is_wanted = happens(speaker.chance, 0.5)
    return Value(value=is_wanted, said=_REMINDERS[speaker.code][not is_wanted], schema={"type": "boolean"})


_SUBJECTS: Final = {
    "en": "the heating;the invoice for {person};room {number};the delivery from {city};lift {number}",
    "de": "die Heizung;die Rechnung für {person};Raum {number};die Lieferung aus {city};der Aufzug {number}",
    "fr": "le chauffage;la facture pour {person};la salle {number};la livraison de {city};l'ascenseur {number}",
    "es": "la calefacción;la factura para {person};la sala {number};la entrega de {city};el ascensor {number}",
    "it": "il riscaldamento;la fattura per {person};la sala {number};la consegna da {city};l'ascensore {number}",
    "nl": "de verwarming;de factuur voor {person};kamer {number};de levering uit {city};lift {number}",
}
_PREDICATES: Final = {
    "en": "arrives tomorrow;costs {number} euros;starts at {time};stays in {city};needs {person};works again",
    "de": "kommt morgen;kostet {number} Euro;beginnt um {time};bleibt in {city};braucht {person};geht wieder",
    "fr": "arrive demain;coûte {number} euros;commence à {time};reste à {city};attend {person};marche encore",
    "es": "llega mañana;cuesta {number} euros;empieza a las {time};se queda en {city};espera a {person}",
    "it": "arriva domani;costa {number} euro;inizia alle {time};resta a {city};aspetta {person}",
    "nl": "komt morgen;kost {number} euro;begint om {time};blijft in {city};wacht op {person}",
}


def sentence(speaker: Speaker) -> Value:
    """Return a sentence of the user's that is passed on as it was said."""
    chance, code = speaker.chance, speaker.code
    parts = (chance.choice(words[code].split(";")) for words in (_SUBJECTS, _PREDICATES))
    text = " ".join(parts).format(
        person=entities.person(chance),
        city=entities.city(chance),
        number=chance.randrange(2, 400),
        time=f"{chance.randrange(7, 22)}:{chance.choice(('00', '15', '30', '45'))}",
    )
    return Value(value=text, said=text, schema={"type": "string"})
