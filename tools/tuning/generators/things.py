"""What made-up tools are about: things, what is done with them, and the fields that they have, in six languages."""

from collections.abc import Callable
from typing import Final

import msgspec

from tools.tuning.generators import entities, values
from tools.tuning.generators.values import Speaker, Value


class Thing(msgspec.Struct, frozen=True, kw_only=True):
    """A thing: its names in a tool, its fields, and how it is called in each language: the one, one, several."""

    name: str
    plural: str
    fields: tuple[str, ...]
    said: dict[str, tuple[str, str, str]]


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A field: its names in a schema, what it means, its values, and how it is said and asked for in each language."""

    names: tuple[str, ...]
    about: str
    draw: Callable[[Speaker], Value]
    said: dict[str, tuple[str, ...]]
    asked: dict[str, str]


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """What is done: the verbs of tools, what a description says, and how a user asks; {d} the, {i} a, {p} several."""

    verbs: tuple[str, ...]
    about: tuple[str, ...]
    said: dict[str, tuple[str, ...]]


def _by_language(*texts: str) -> dict[str, tuple[str, ...]]:
    codes = ("en", "de", "fr", "es", "it", "nl")
    return {code: tuple(part.strip() for part in text.split(";")) for code, text in zip(codes, texts, strict=True)}


def _asked(*texts: str) -> dict[str, str]:
    return {code: parts[0] for code, parts in _by_language(*texts).items()}


def _thing(name: str, plural: str, fields: str, *said: str) -> Thing:
    by_language = {code: (parts[0], parts[1], parts[2]) for code, parts in _by_language(*said).items()}
    return Thing(name=name, plural=plural, fields=tuple(fields.split()), said=by_language)


THINGS: Final = (
    _thing(
        "order",
        "orders",
        "person items address day",
        "the order; an order; orders",
        "die Bestellung; eine Bestellung; Bestellungen",
        "la commande; une commande; commandes",
        "el pedido; un pedido; pedidos",
        "l'ordine; un ordine; ordini",
        "de bestelling; een bestelling; bestellingen",
    ),
    _thing(
        "appointment",
        "appointments",
        "person day time length reminder",
        "the appointment; an appointment; appointments",
        "den Termin; einen Termin; Termine",
        "le rendez-vous; un rendez-vous; rendez-vous",
        "la cita; una cita; citas",
        "l'appuntamento; un appuntamento; appuntamenti",
        "de afspraak; een afspraak; afspraken",
    ),
    _thing(
        "invoice",
        "invoices",
        "person amount day",
        "the invoice; an invoice; invoices",
        "die Rechnung; eine Rechnung; Rechnungen",
        "la facture; une facture; factures",
        "la factura; una factura; facturas",
        "la fattura; una fattura; fatture",
        "de factuur; een factuur; facturen",
    ),
    _thing(
        "note",
        "notes",
        "title tags text",
        "the note; a note; notes",
        "die Notiz; eine Notiz; Notizen",
        "la note; une note; notes",
        "la nota; una nota; notas",
        "la nota; una nota; note",
        "de notitie; een notitie; notities",
    ),
    _thing(
        "task",
        "tasks",
        "title person day priority reminder",
        "the task; a task; tasks",
        "die Aufgabe; eine Aufgabe; Aufgaben",
        "la tâche; une tâche; tâches",
        "la tarea; una tarea; tareas",
        "il compito; un compito; compiti",
        "de taak; een taak; taken",
    ),
    _thing(
        "ticket",
        "tickets",
        "title person priority tags",
        "the ticket; a ticket; tickets",
        "das Ticket; ein Ticket; Tickets",
        "le ticket; un ticket; tickets",
        "el ticket; un ticket; tickets",
        "il ticket; un ticket; ticket",
        "het ticket; een ticket; tickets",
    ),
    _thing(
        "booking",
        "bookings",
        "city person day count",
        "the booking; a booking; bookings",
        "die Buchung; eine Buchung; Buchungen",
        "la réservation; une réservation; réservations",
        "la reserva; una reserva; reservas",
        "la prenotazione; una prenotazione; prenotazioni",
        "de boeking; een boeking; boekingen",
    ),
    _thing(
        "parcel",
        "parcels",
        "person address weight",
        "the parcel; a parcel; parcels",
        "das Paket; ein Paket; Pakete",
        "le colis; un colis; colis",
        "el paquete; un paquete; paquetes",
        "il pacco; un pacco; pacchi",
        "het pakket; een pakket; pakketten",
    ),
    _thing(
        "contact",
        "contacts",
        "person email city",
        "the contact; a contact; contacts",
        "den Kontakt; einen Kontakt; Kontakte",
        "le contact; un contact; contacts",
        "el contacto; un contacto; contactos",
        "il contatto; un contatto; contatti",
        "het contact; een contact; contacten",
    ),
    _thing(
        "project",
        "projects",
        "title person amount",
        "the project; a project; projects",
        "das Projekt; ein Projekt; Projekte",
        "le projet; un projet; projets",
        "el proyecto; un proyecto; proyectos",
        "il progetto; un progetto; progetti",
        "het project; een project; projecten",
    ),
    _thing(
        "file",
        "files",
        "path tags",
        "the file; a file; files",
        "die Datei; eine Datei; Dateien",
        "le fichier; un fichier; fichiers",
        "el archivo; un archivo; archivos",
        "il file; un file; file",
        "het bestand; een bestand; bestanden",
    ),
    _thing(
        "playlist",
        "playlists",
        "title length",
        "the playlist; a playlist; playlists",
        "die Playlist; eine Playlist; Playlists",
        "la playlist; une playlist; playlists",
        "la lista; una lista; listas",
        "la playlist; una playlist; playlist",
        "de afspeellijst; een afspeellijst; afspeellijsten",
    ),
    _thing(
        "delivery",
        "deliveries",
        "address day time items",
        "the delivery; a delivery; deliveries",
        "die Lieferung; eine Lieferung; Lieferungen",
        "la livraison; une livraison; livraisons",
        "la entrega; una entrega; entregas",
        "la consegna; una consegna; consegne",
        "de levering; een levering; leveringen",
    ),
    _thing(
        "customer",
        "customers",
        "person email address",
        "the customer; a customer; customers",
        "den Kunden; einen Kunden; Kunden",
        "le client; un client; clients",
        "el cliente; un cliente; clientes",
        "il cliente; un cliente; clienti",
        "de klant; een klant; klanten",
    ),
    _thing(
        "course",
        "courses",
        "title city day length",
        "the course; a course; courses",
        "den Kurs; einen Kurs; Kurse",
        "le cours; un cours; cours",
        "el curso; un curso; cursos",
        "il corso; un corso; corsi",
        "de cursus; een cursus; cursussen",
    ),
    _thing(
        "machine",
        "machines",
        "title city temperature",
        "the machine; a machine; machines",
        "die Maschine; eine Maschine; Maschinen",
        "la machine; une machine; machines",
        "la máquina; una máquina; máquinas",
        "la macchina; una macchina; macchine",
        "de machine; een machine; machines",
    ),
    _thing(
        "reply",
        "replies",
        "text person",
        "the reply; a reply; replies",
        "die Antwort; eine Antwort; Antworten",
        "la réponse; une réponse; réponses",
        "la respuesta; una respuesta; respuestas",
        "la risposta; una risposta; risposte",
        "het antwoord; een antwoord; antwoorden",
    ),
    _thing(
        "comment",
        "comments",
        "text person",
        "the comment; a comment; comments",
        "den Kommentar; einen Kommentar; Kommentare",
        "le commentaire; un commentaire; commentaires",
        "el comentario; un comentario; comentarios",
        "il commento; un commento; commenti",
        "de opmerking; een opmerking; opmerkingen",
    ),
    _thing(
        "message",
        "messages",
        "text person email",
        "the message; a message; messages",
        "die Nachricht; eine Nachricht; Nachrichten",
        "le message; un message; messages",
        "el mensaje; un mensaje; mensajes",
        "il messaggio; un messaggio; messaggi",
        "het bericht; een bericht; berichten",
    ),
    _thing(
        "alert",
        "alerts",
        "text day time temperature",
        "the alert; an alert; alerts",
        "den Alarm; einen Alarm; Alarme",
        "l'alerte; une alerte; alertes",
        "la alerta; una alerta; alertas",
        "l'avviso; un avviso; avvisi",
        "de melding; een melding; meldingen",
    ),
)


def _field(
    names: str, about: str, draw: Callable[[Speaker], Value], said: tuple[str, ...], asked: tuple[str, ...]
) -> Field:
    return Field(names=tuple(names.split()), about=about, draw=draw, said=_by_language(*said), asked=_asked(*asked))


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


def _act(verbs: str, about: str, *said: str) -> Act:
    return Act(
        verbs=tuple(verbs.split()), about=tuple(part.strip() for part in about.split(";")), said=_by_language(*said)
    )


ACTS: Final = {
    "create": _act(
        "create add make new register",
        "Create {i}; Add {i}; Registers {i} and returns its number",
        "create {i}; add {i}; make {i}; set up {i}; enter {i}",
        "erstelle {i}; mach {i}; trag {i} ein; erfasse {i}",
        "crée {i}; ajoute {i}; enregistre {i}; prépare {i}",
        "crea {i}; añade {i}; registra {i}; prepara {i}",
        "crea {i}; aggiungi {i}; registra {i}; prepara {i}",
        "maak {i}; voeg {i} toe; registreer {i}",
    ),
    "find": _act(
        "find search list query",
        "Find {p}; Search {p}; List {p} that match",
        "find {p}; search for {p}; show me {p}; list {p}; look for {p}",
        "suche {p}; zeig mir {p}; finde {p}; liste {p} auf",
        "cherche les {p}; montre-moi les {p}; trouve les {p}",
        "busca {p}; muéstrame {p}; encuentra {p}",
        "cerca {p}; mostrami {p}; trova {p}",
        "zoek {p}; toon {p}; vind {p}; laat {p} zien",
    ),
    "get": _act(
        "get read show fetch open",
        "Show {d}; Get {d} by its id; Returns the details of {i}",
        "show me {d}; open {d}; get {d}; what does {d} say:; look up {d}",
        "zeig mir {d}; öffne {d}; hol {d}; lies {d}",
        "montre-moi {d}; ouvre {d}; affiche {d}",
        "muéstrame {d}; abre {d}; lee {d}",
        "mostrami {d}; apri {d}; leggi {d}",
        "toon {d}; open {d}; laat {d} zien:",
    ),
    "delete": _act(
        "delete remove cancel drop",
        "Delete {d}; Remove {d}; Cancels {i} for good",
        "delete {d}; remove {d}; get rid of {d}; cancel {d}; I no longer want {d}",
        "lösche {d}; entferne {d}; storniere {d}",
        "supprime {d}; efface {d}; annule {d}",
        "borra {d}; elimina {d}; cancela {d}",
        "elimina {d}; cancella {d}; togli {d}",
        "verwijder {d}; wis {d}; annuleer {d}",
    ),
    "update": _act(
        "update change edit modify",
        "Change {d}; Update {d}; Changes fields of {i}",
        "change {d}; update {d}; edit {d}; adjust {d}",
        "ändere {d}; aktualisiere {d}; bearbeite {d}",
        "modifie {d}; change {d}; corrige {d}",
        "cambia {d}; actualiza {d}; modifica {d}",
        "modifica {d}; aggiorna {d}; cambia {d}",
        "wijzig {d}; verander {d}; bewerk {d}",
    ),
}
