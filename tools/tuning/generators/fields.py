"""The fields that the things of made-up tools have: their values, and how they are said and asked for."""

from collections.abc import Callable
from typing import Final

import msgspec

from tools.tuning.generators import entities, values
from tools.tuning.generators.things import by_language
from tools.tuning.generators.values import Speaker, Value


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A field: its names in a schema, what it means, its values, and how it is said and asked for in each language."""

    names: tuple[str, ...]
    about: str
    draw: Callable[[Speaker], Value]
    said: dict[str, tuple[str, ...]]
    asked: dict[str, str]


def _asked(*texts: str) -> dict[str, str]:
    return {code: parts[0] for code, parts in by_language(*texts).items()}


def _field(
    names: str, about: str, draw: Callable[[Speaker], Value], said: tuple[str, ...], asked: tuple[str, ...]
) -> Field:
    return Field(names=tuple(names.split()), about=about, draw=draw, said=by_language(*said), asked=_asked(*asked))


def _priority(speaker: Speaker) -> Value:
    levels = ("low", "medium", "high", "urgent")
    level = speaker.chance.choice(levels)
    words = {
        "en": levels,
        "de": ("niedrig", "mittel", "hoch", "dringend"),
        "fr": ("basse", "moyenne", "haute", "urgente"),
        "es": ("baja", "media", "alta", "urgente"),
        "it": ("bassa", "media", "alta", "urgente"),
        "nl": ("laag", "gemiddeld", "hoog", "dringend"),
    }
    said = words[speaker.code][levels.index(level)]
    return Value(value=level, said=said, schema={"type": "string", "enum": list(levels)})


FIELDS: Final = {
    "person": _field(
        "person name customer assignee client owner",
        "Full name of the person",
        values.text_of(entities.person),
        ("for {}; of {}", "für {}; von {}", "pour {}; de {}", "para {}; de {}", "per {}; di {}", "voor {}; van {}"),
        ("For whom?", "Für wen?", "Pour qui ?", "¿Para quién?", "Per chi?", "Voor wie?"),
    ),
    "title": _field(
        "title subject label name",
        "Short title",
        values.text_of(entities.title),
        (
            'called {}; with the title {}; named "{}"',
            'namens {}; mit dem Titel {}; "{}"',
            'avec le titre {}; "{}"',
            'con el título {}; "{}"',
            'con il titolo {}; "{}"',
            'met de titel {}; "{}"',
        ),
        (
            "With which title?",
            "Mit welchem Titel?",
            "Avec quel titre ?",
            "¿Con qué título?",
            "Con quale titolo?",
            "Met welke titel?",
        ),
    ),
    "day": _field(
        "date day on_date due",
        "The date",
        values.day,
        ("on {}; for {}", "am {}; für {}", "pour {}; {}", "para {}; el {}", "per {}; {}", "op {}; voor {}"),
        (
            "For which day?",
            "Für welchen Tag?",
            "Pour quel jour ?",
            "¿Para qué día?",
            "Per quale giorno?",
            "Voor welke dag?",
        ),
    ),
    "time": _field(
        "time start_time at",
        "Time of day, HH:MM",
        values.clock_time,
        ("at {}", "um {}", "à {}", "a {}", "alle {}", "om {}"),
        ("At what time?", "Um wie viel Uhr?", "À quelle heure ?", "¿A qué hora?", "A che ora?", "Hoe laat?"),
    ),
    "length": _field(
        "minutes duration_minutes length_min",
        "Length in minutes",
        values.duration("minutes"),
        (
            "for {}; lasting {}",
            "für {}; über {}",
            "pendant {}; de {}",
            "durante {}; de {}",
            "per {}; di {}",
            "voor {}; van {}",
        ),
        ("For how long?", "Wie lange?", "Combien de temps ?", "¿Cuánto tiempo?", "Per quanto tempo?", "Hoe lang?"),
    ),
    "amount": _field(
        "amount total price budget",
        "Amount in euros",
        values.amount,
        ("over {} euros; of {} euros", "über {} Euro", "de {} euros", "de {} euros", "di {} euro", "van {} euro"),
        ("Which amount?", "Über welchen Betrag?", "Quel montant ?", "¿Qué importe?", "Quale importo?", "Welk bedrag?"),
    ),
    "count": _field(
        "people guests seats quantity",
        "How many people",
        values.count,
        (
            "for {} people",
            "für {} Personen",
            "pour {} personnes",
            "para {} personas",
            "per {} persone",
            "voor {} personen",
        ),
        (
            "For how many people?",
            "Für wie viele Personen?",
            "Pour combien de personnes ?",
            "¿Para cuántas personas?",
            "Per quante persone?",
            "Voor hoeveel personen?",
        ),
    ),
    "city": _field(
        "city place location town",
        "City",
        values.text_of(entities.city),
        ("in {}", "in {}", "à {}", "en {}", "a {}", "in {}"),
        (
            "In which city?",
            "In welcher Stadt?",
            "Dans quelle ville ?",
            "¿En qué ciudad?",
            "In quale città?",
            "In welke stad?",
        ),
    ),
    "email": _field(
        "email mail email_address",
        "Mail address",
        values.text_of(entities.email),
        (
            "with the address {}",
            "mit der Adresse {}",
            "avec l'adresse {}",
            "con el correo {}",
            "con l'indirizzo {}",
            "met het adres {}",
        ),
        (
            "Which mail address?",
            "Welche Mailadresse?",
            "Quelle adresse mail ?",
            "¿Qué dirección de correo?",
            "Quale indirizzo mail?",
            "Welk mailadres?",
        ),
    ),
    "path": _field(
        "path file filename",
        "Path of the file",
        values.text_of(entities.path),
        ("at {}; {}", "unter {}; {}", "dans {}; {}", "en {}; {}", "in {}; {}", "in {}; {}"),
        ("Which file?", "Welche Datei?", "Quel fichier ?", "¿Qué archivo?", "Quale file?", "Welk bestand?"),
    ),
    "priority": _field(
        "priority urgency level",
        "How urgent it is",
        _priority,
        (
            "with priority {}",
            "mit Priorität {}",
            "avec priorité {}",
            "con prioridad {}",
            "con priorità {}",
            "met prioriteit {}",
        ),
        (
            "With which priority?",
            "Mit welcher Priorität?",
            "Avec quelle priorité ?",
            "¿Con qué prioridad?",
            "Con quale priorità?",
            "Met welke prioriteit?",
        ),
    ),
    "tags": _field(
        "tags labels keywords",
        "Labels",
        values.several(values.text_of(entities.invented)),
        ("tagged {}", "mit den Tags {}", "avec les tags {}", "con las etiquetas {}", "con i tag {}", "met de tags {}"),
        (
            "With which tags?",
            "Mit welchen Tags?",
            "Avec quels tags ?",
            "¿Con qué etiquetas?",
            "Con quali tag?",
            "Met welke tags?",
        ),
    ),
    "items": _field(
        "items lines products",
        "What is ordered, with quantities",
        values.goods,
        ("with {}; : {}", "mit {}; : {}", "avec {}; : {}", "con {}; : {}", "con {}; : {}", "met {}; : {}"),
        ("What should be in it?", "Was soll hinein?", "Avec quoi ?", "¿Con qué?", "Con che cosa?", "Met wat?"),
    ),
    "address": _field(
        "address destination ship_to",
        "Address with street, number and city",
        values.place,
        ("to {}", "an {}", "à l'adresse {}", "a {}", "a {}", "naar {}"),
        (
            "To which address?",
            "An welche Adresse?",
            "À quelle adresse ?",
            "¿A qué dirección?",
            "A quale indirizzo?",
            "Naar welk adres?",
        ),
    ),
    "temperature": _field(
        "temperature degrees target_temp",
        "Degrees Celsius",
        values.temperature,
        ("at {}", "mit {}", "à {}", "a {}", "a {}", "op {}"),
        (
            "At what temperature?",
            "Bei welcher Temperatur?",
            "À quelle température ?",
            "¿A qué temperatura?",
            "A che temperatura?",
            "Op welke temperatuur?",
        ),
    ),
    "weight": _field(
        "weight_kg kilos weight",
        "Weight in kilograms",
        values.weight,
        ("of {}; weighing {}", "mit {}; von {}", "de {}", "de {}", "di {}", "van {}"),
        (
            "How heavy is it?",
            "Wie schwer ist es?",
            "Quel poids ?",
            "¿Cuánto pesa?",
            "Quanto pesa?",
            "Hoe zwaar is het?",
        ),
    ),
    "reminder": _field(
        "reminder remind notify",
        "Whether to send a reminder",
        values.reminder,
        ("{}", "{}", "{}", "{}", "{}", "{}"),
        (
            "With a reminder?",
            "Mit Erinnerung?",
            "Avec un rappel ?",
            "¿Con recordatorio?",
            "Con promemoria?",
            "Met herinnering?",
        ),
    ),
    "text": _field(
        "text body message content",
        "The text",
        values.sentence,
        (
            ": {}; that says {}",
            ": {}; mit dem Text {}",
            ": {}; avec le texte {}",
            ": {}; con el texto {}",
            ": {}; con il testo {}",
            ": {}; met de tekst {}",
        ),
        (
            "What should it say?",
            "Was soll darin stehen?",
            "Quel texte ?",
            "¿Qué debe decir?",
            "Che cosa deve dire?",
            "Wat moet erin staan?",
        ),
    ),
}

CODE: Final = _field(
    "id {}_id number reference",
    "Identifier",
    values.text_of(entities.code),
    ("{}", "{}", "{}", "{}", "{}", "{}"),
    ("Which one?", "Welche Nummer?", "Lequel ?", "¿Cuál?", "Quale?", "Welke?"),
)
"""The field that says which thing is meant; `{}` in its names is that of the thing."""
