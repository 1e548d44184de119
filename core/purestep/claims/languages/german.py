"""German: the words by which orders to act, claims of effects and denials are told."""

from typing import Final

from ...carry import words
from .language import Act, ClaimWords


def _act(regular: str, orders: str = "", done: str = "") -> Act:
    """Give an act by the stems of its regular verbs, and by other verbs and forms."""
    stems = words(regular)
    forms = {stem + ending for stem in stems for ending in ("", "e", "en", "t", "st", "n")}
    past = {f"ge{stem}{ending}" for stem in stems for ending in ("t", "te", "ten", "ter", "tes")}
    return Act(words(orders).union(forms), words(done).union(past, {f"{stem}te" for stem in stems}))


GERMAN: Final = ClaimWords(
    name="german",
    acts={
        "send": _act(
            "schick mail sag meld",
            "sende senden sendet verschicke verschicken verschick versende versenden informiere informieren "
            "benachrichtige benachrichtigen schreib schreibe schreiben antworte antworten leite weiterleiten lade "
            "einladen zuschicken zusenden abschicken absenden mitteilen",
            "gesendet verschickt versendet versandt informiert benachrichtigt geschrieben beantwortet weitergeleitet "
            "eingeladen bekommen erhalten zugeschickt zugesandt abgeschickt abgesendet mitgeteilt unterwegs",
        ),
        "delete": _act(
            "lösch loesch",
            "entferne entfernen entfern storniere stornieren stornier widerrufe widerrufen absagen abbrechen kündige "
            "kündigen tilge wegwerfen",
            "entfernt storniert abgesagt abgebrochen gekündigt widerrufen weg verschwunden gecancelt aufgehoben",
        ),
        "make": _act(
            "buch speicher leg notier mach plan",
            "erstelle erstellen erstell anlegen reserviere reservieren eintragen registriere registrieren hinzufügen "
            "fügen füge trage trag notiere notieren speichere schreib schreibe schreiben merk merke merken hochladen "
            "vereinbare vereinbaren",
            "erstellt angelegt reserviert eingetragen registriert hinzugefügt notiert gemerkt hochgeladen vereinbart "
            "aufgenommen erfasst geschrieben gespeichert gebucht hinterlegt verbucht",
        ),
        "pay": _act("zahl", "überweise überweisen überweis bezahle bezahlen bezahl begleiche begleichen",
                    "überwiesen bezahlt beglichen"),
        "refund": _act("", "erstatte erstatten rückerstatten erstattet", "erstattet rückerstattet zurückgezahlt"),
        "publish": _act("poste", "veröffentliche veröffentlichen posten teilen", "veröffentlicht gepostet online"),
        "deploy": _act("", "deploye deployen ausrollen veröffentliche",
            "deployt deployed ausgerollt ausgeliefert live"),
        "restart": _act("start", "neustarten starten", "neugestartet hochgefahren"),
        "rollback": _act("", "zurückrollen zurücksetzen wiederherstellen",
            "zurückgerollt zurückgesetzt wiederhergestellt"),
        "move": _act("", "verschiebe verschieben verschieb umbenennen kopiere kopieren kopier benenne",
                     "verschoben umbenannt kopiert"),
        "change": _act(
            "änder stell setz verlänger erneuer",
                "aktualisiere aktualisieren aktualisier bearbeite bearbeiten ersetze ersetzen korrigiere",
            "aktualisiert bearbeitet ersetzt korrigiert eingestellt umgestellt angepasst geändert verlängert erneuert",
        ),
        "switch": _act("schalt", "einschalten ausschalten anschalten anmachen ausmachen aktiviere aktivieren "
                       "deaktiviere deaktivieren", "eingeschaltet ausgeschaltet angeschaltet angemacht ausgemacht "
                       "aktiviert deaktiviert brennt"),
        "lock": _act("sperr", "schließe schließen schließ verriegle verriegeln abschließen abschließe blockiere",
                     "abgeschlossen verriegelt geschlossen blockiert zugesperrt"),
        "unlock": _act("öffn", "öffne öffnen entsperre entsperren", "entsperrt geöffnet"),
        "approve": _act("", "genehmige genehmigen bestätige bestätigen akzeptiere freigeben", "genehmigt bestätigt "
                        "akzeptiert freigegeben bewilligt"),
        "reject": _act("", "lehne ablehnen verweigere", "abgelehnt verweigert"),
        "buy": _act("kauf", "bestelle bestellen bestell", "bestellt"),
        "run": _act("", "führe ausführen", "ausgeführt durchgeführt"),
        "stop": _act("stopp", "beende beenden stoppen", "beendet angehalten"),
        "merge": _act("", "mergen", "gemergt zusammengeführt"),
        "install": _act("", "installiere installieren", "installiert"),
        "play": _act("spiel", "abspielen", "abgespielt"),
    },
    separable=(
        ("sag", "bescheid", "send"), ("gib", "bescheid", "send"), ("sag", "ab", "delete"), ("sage", "ab", "delete"),
            ("brich", "ab", "delete"), ("leg", "an", "make"),
        ("lege", "an", "make"), ("trag", "ein", "make"), ("trage", "ein", "make"), ("mach", "an", "switch"),
        ("mach", "aus", "switch"), ("mache", "an", "switch"), ("mache", "aus", "switch"), ("schalt", "ein", "switch"),
        ("schalte", "ein", "switch"), ("schalte", "aus", "switch"), ("schalte", "an", "switch"),
        ("schließ", "ab", "lock"), ("schließe", "ab", "lock"), ("lehne", "ab", "reject"), ("gib", "frei", "approve"),
        ("benenne", "um", "move"), ("starte", "neu", "restart"), ("füge", "hinzu", "make"), ("lade", "hoch", "make"),
        ("lade", "ein", "send"), ("stell", "ein", "change"), ("stelle", "ein", "change"), ("führe", "aus", "run"),
    ),
    verb_last=True,
    openings=(
        "ich möchte dass du", "ich möchte", "ich will", "ich würde gerne", "ich würde gern", "kannst du mir",
            "kannst du",
        "könntest du", "können sie", "könnten sie", "würdest du", "würden sie", "bitte", "jetzt", "nun", "dann", "und",
        "danach", "auch", "mal", "hallo", "hi", "hey", "ok", "okay", "danke", "zuerst", "anschließend", "mir", "ja",
    ),
    things={
        "rechnung": ("invoice", "bill"), "rechnungen": ("invoice", "bill"), "mail": ("email",),
            "nachricht": ("message", "email"),
        "termin": ("event", "appointment"), "termine": ("event", "appointment"), "datei": ("file",),
            "dateien": ("file",),
        "ordner": ("dir", "file"), "notiz": ("note",), "licht": ("light",), "lampe": ("light",), "tür": ("door",),
        "bestellung": ("order",), "buchung": ("booking",), "flug": ("flight",), "tisch": ("table",), "karte": ("card",),
        "antrag": ("request", "leave"), "urlaubsantrag": ("request", "leave"), "beitrag": ("post",),
            "server": ("server",),
        "dienst": ("service",), "telefonnummer": ("phone",), "temperatur": ("thermostat", "degrees"),
        "heizung": ("thermostat",), "kunde": ("customer",), "kunden": ("customer",), "angebot": ("offer", "quote"),
        "grad": ("degrees",), "arzttermin": ("appointment",), "kalender": ("event",), "e": ("email",),
    },
    loose=words("mach schreib schreibe schreiben sag start starte plan stell setz öffne leg entferne"),
    composing=words("übersetze übersetz erkläre erklär fasse formuliere korrigiere verbessere entwirf"),
    doubts=words(
        """
        nicht nichts kein keine keinen nie wenn falls ob wie warum wieso was welche welcher wer wann soll sollte ohne
        statt bevor bis
        """
    ),
    doers=words("ich wir hab habe haben"),
    addressed=words("du ihr sie er"),
    auxiliaries=words("ist sind wurde wurden worden war waren wird jetzt nun bereits hat haben"),
    modals=words("werde werden kann könnte können soll sollte muss müssen darf möchte würde"),
    conditions=words("wenn falls sobald bevor ob"),
    denials=words(
        """
        nicht kein keine keinen keinem keiner keines nichts nie niemals leider fehlgeschlagen fehler unmöglich
        unklar unbekannt unsicher ungewiss vielleicht möglicherweise eventuell konnte verweigert abgelehnt fehlt
        gescheitert scheiterte ohne noch ausstehend wartet außer gesperrt abgebrochen abgestürzt
        schiefgegangen schiefgelaufen
        """
    ),
    harmless=("nicht nötig", "nicht mehr nötig", "kein problem", "keine sorge", "nicht mehr", "ohne probleme",
        "ohne fehler", "nichts weiter",
        "nichts mehr",
              "keine weiteren", "nichts anderes", "noch etwas", "sonst noch", "noch was", "noch fragen", "nicht nur"),
    already=words("bereits schon vorher früher"),
    finished=("erledigt", "alles erledigt", "fertig", "geschafft", "ist erledigt", "das ist erledigt", "gemacht",
              "alles geregelt", "abgeschlossen", "wie gewünscht", "passt alles", "schon passiert", "hab ich gemacht"),
    asking=("bitte gib", "bitte nenne", "bitte sag", "bitte teile", "bitte bestätige", "bitte wähle", "soll ich",
        "welche",
            "welchen", "welches", "ich brauche", "mir fehlt", "nenne mir", "nenn mir", "meinst du", "möchtest du"),
    courtesy=("sonst noch", "noch etwas", "noch was", "kann ich dir", "kann ich ihnen", "weitere fragen",
        "noch fragen"),
    offers=("muss", "müssen", "müsste", "würde", "darf nur", "ich kann", "ich könnte", "wenn du", "sobald du",
        "falls du", "wenn sie", "sobald sie", "bevor ich",
        "ich würde"),
    joints=words("und aber während dann danach sowie doch jedoch oder sodass weil"),
    mine=words("mir uns"),
    firm=words("buch buche buchen gebucht reserviere reservieren reserviert verlänger verlängert trag eingetragen"),
    preludes=words("das es alles ist jetzt nun wurde habe hab ich ja klar gut okay ok schon gerne gern"),
    general=words("stell stelle setz setze leg lege mach mache"),
    texts=words("satz sätze absatz wort wörter zeile zeilen komma text buchstabe buchstaben gedicht liste antwort"),
    ends=words("weg an aus"),
    units=words(
        """
        sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate monaten jahr
        jahre mal prozent
        """
    ),
    participles=(
        "(?:[a-zäöü]{2,8})?ge[a-zäöüß]{2,}(?:t|en)",
        "(?:be|ver|er|ent|zer|über|wieder|hinter|unter)[a-zäöüß]{3,}(?:t|en)",
        "[a-zäöüß]{3,}iert",
    ),
    irregular=words("rausgegangen informiert"),
    unlike=words(
        """
        gestern gegen gelt gebiet gebiete gerät geräten geschäft gesamt geduld geld erst bereit bereits besten berichten
        unterlagen unterschied unterschieden verbindungen bedingungen bestellungen erfahren bewertungen überhaupt
        entweder gewicht gericht gesicht geschwindigkeit gemeinsamt gut geben gehen gehört gefunden
        bekommen erhalten verstehen bestehen beachten verwenden benötigen erklären bestimmt bekannt
        """
    ),
    private=words(
        """
        geprüft überprüft gesucht gefunden gelesen gesehen geschaut nachgesehen nachgeschaut verglichen berechnet
        gezählt übersetzt erklärt verstanden gedacht überlegt gemeint erhalten bekommen entworfen vorbereitet
        formuliert vorgeschlagen empfohlen versucht gehört gelernt gefragt gesagt erwähnt angenommen ausgesucht
        identifiziert gesammelt analysiert untersucht beschrieben gezeigt beantwortet gelassen gewartet benötigt
        gebraucht erwartet gewünscht gefallen verstanden zusammengefasst
        """
    ),
    attributes=words(
        "der die das den dem des ein eine einen einem einer eines mein meine dein deine ihr ihre unser alle beide jede"
    ),
    present=words("jetzt nun ab raus drin unterwegs"),
    hedges=words(
        """
        noch ohne leider vielleicht möglicherweise eventuell außer unklar unbekannt unsicher ungewiss wartet
        """
    ),
    troubles=(
        "ausgebucht", "ausverkauft", "scheint", "abgelaufen", "belegt", "besetzt", "zu spät", "zu viele", "zu groß",
        "bleibt",
        "bleiben", "läuft gerade", "gestört", "offline", "voll", "entwurf", "vorschlag", "wartung", "insuffizient",
        "brauche ich", "ich brauche", "schreibgeschützt", "zu niedrig", "zu gering", "gleichen namens",
    ),
    polite=words("bitte möchte brauche will hätte soll sollte muss"),
    subjects=words(
        """
        ich wir er sie es du ihr das dies diese dieser dieses mein meine unser unsere dein deine was wer wen wem wessen
        wann wo warum wieso wie welche welcher welches ist sind war waren hat haben hatte kann soll sollte wenn falls
        ja nein nicht danke hallo guten gute schön super ok okay der die den dem ein eine am im um heute morgen
        """
    ),
    showing=words(
        """
        zeig zeige such suche finde lies nenne liste erkläre erklär schreib schreibe formuliere übersetze fasse sag gib
        prüfe prüf schau vergleiche zähle berechne rechne beschreibe entwirf hilf erzähl erzähle plane
        """
    ),
    drafts=words("entwurf vorschlag vorschläge beispiel vorlage"),
    failures=words(
        "fehler konflikt fehlgeschlagen abgelehnt verweigert ungültig"
    ),
    failing=(
        "fehler", "fehlgeschlagen", "konnte nicht", "kann nicht", "nicht gefunden", "nicht erlaubt",
        "zugriff verweigert", "abgelehnt", "verweigert", "ungültig", "zeitüberschreitung",
    ),
    deadlines=words("bevor bis"),
    readers=words("du ihr sie ihnen dir ich wir mir soll"),
    intents=("ich möchte", "ich will", "ich würde gerne", "ich würde gern", "ich muss", "ich werde", "ich habe vor"),
    reasons=words("weil da denn"),
    places=words("in"),
    reads=words(
        """
        zeige zeigen zeigt anzeigen suche suchen sucht finde finden findet lies lesen liest liste listet prüfen prüft
        pruefen abfragen abrufen ermitteln ermittelt status stand auskunft holt gibt liefert
        """
    ),
    becomes=words("ist sind bist seid wurde wurden wirst wird"),
    invites=("soll ich",),
    handing=words("gib sag"),
    gone=("nicht mehr vorhanden",),
    progress=("unterwegs",),
    idle=words(""),
    outcomes=words(
        "genehmigt bestanden abgeschlossen durchgelaufen fertig zugestellt ausgeliefert angekommen eingegangen"
    ),
    on=words("an ein anschalten einschalten aktiviere aktivieren"),
    off=words("aus ausschalten abschalten deaktiviere deaktivieren"),
    degrees=words("grad"),
    completed=words("erledigt fertig"),
    assents=(
        "ja", "gerne", "gern", "mach das", "mach es", "mach mal", "okay", "ok", "bitte", "klar", "nur zu",
        "leg los", "passt", "super", "perfekt",
    ),
    again=(
        "versuch es nochmal", "versuche es nochmal", "versuch es noch einmal", "versuche es noch einmal",
        "nochmal versuchen", "versuch es erneut",
    ),
    ands=words("und sowie"),
    perfect=words("habe hab haben hat"),
    wording=words("schreib schreibe formuliere entwirf übersetze"),
    yours=words("dein deine deinen deiner ihr ihre ihren"),
    titles=words("frau herr herrn"),
    days=words("uhr montag dienstag mittwoch donnerstag freitag samstag sonntag heute morgen gestern mittag abend"),
    interjections=words("ok okay gut klar ja gern gerne super prima perfekt so"),
    limits=words("nur erst"),
    months=("januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november",
            "dezember"),
    numbers=("zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"),
)  # fmt: skip
