"""What made-up tools are about: things, and how each is called in six languages."""

from typing import Final

import msgspec


class Thing(msgspec.Struct, frozen=True, kw_only=True):
    """A thing: its names in a tool, its fields, and how it is called in each language: the one, one, several."""

    name: str
    plural: str
    fields: tuple[str, ...]
    said: dict[str, tuple[str, str, str]]


def by_language(*texts: str) -> dict[str, tuple[str, ...]]:
    """Return what is said in each language; texts: one for each, with `;` between ways to say it."""
    codes = ("en", "de", "fr", "es", "it", "nl")
    return {code: tuple(part.strip() for part in text.split(";")) for code, text in zip(codes, texts, strict=True)}


def _thing(name: str, plural: str, fields: str, *said: str) -> Thing:
    named = {code: (parts[0], parts[1], parts[2]) for code, parts in by_language(*said).items()}
    return Thing(name=name, plural=plural, fields=tuple(fields.split()), said=named)


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
