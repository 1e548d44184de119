"""German: the words by which requests are split, grounded and routed."""

from typing import Final

from .clock import Clock
from .denials import Denials
from .language import Language, words

GERMAN: Final = Language(
    name="german",
    stop_words=words(
        """
        der die das den dem des ein eine einen einem einer eines um und oder aber wenn ist sind war waren sein
        bin bist ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihnen mein meine meinen meinem
        meiner dein deine was wer wie wo wann warum welche welcher welches wieviel viel viele zu zum zur von
        vom im in ins an am auf aus mit bei nach durch als bitte kann kannst können könntest soll sollst
        will willst möchte hat habe haben hast nicht nein ja nur auch sehr dann so mal noch schon für über
        unter vor bis man da dort hier gib sag sage mach
        """
    ),
    short={},
    money={
        "euro": "EUR", "euros": "EUR", "dollar": "USD", "pfund": "GBP", "franken": "CHF", "yen": "JPY", "kronen": "SEK",
    },
    counts={
        "tail": ("letzten", "letzte"), "head": ("ersten", "erste"), "limit": ("ersten", "letzten", "neuesten"),
        "count": ("ersten", "letzten", "neuesten"), "max": ("ersten", "letzten", "neuesten"),
    },
    series=words("und sowie"),
    alternatives=words("oder"),
    pairing=words("zwischen"),
    articles=words("der die das den dem des ein eine einen einem einer"),
    paths=("ordner", "verzeichnis", "datei"),
    single=words(
        """
        stadt ort land region bundesland flughafen bahnhof ziel start nutzer benutzer person mitglied mitarbeiter kunde
        kontakt patient name währung aktie sprache zeitzone raum zimmer gerät sensor server dienst pflanze
        """
    ),
    joint_names=words(
        """
        künstler band lied titel film buch firma gruppe verein gericht rezept produkt projekt liste datei
        """
    ),
    joined_names=frozenset({
        "trinidad und tobago", "bosnien und herzegowina", "antigua und barbuda", "são tomé und príncipe",
        "st. kitts und nevis", "turks und caicos",
    }),
    clause_words=("und danach", "und dann", "danach", "anschließend", "dann", "und", "aber"),
    backward_words=words(
        """
        es das dies gleiche gleichen dasselbe denselben ergebnis resultat summe antwort ihn sie wert
        """
    ),
    number_words={
        "null": 0, "eins": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8,
        "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12, "dreizehn": 13, "vierzehn": 14, "fünfzehn": 15, "sechzehn": 16,
        "siebzehn": 17, "achtzehn": 18, "neunzehn": 19, "zwanzig": 20, "dreißig": 30, "vierzig": 40, "fünfzig": 50,
        "sechzig": 60, "siebzig": 70, "achtzig": 80, "neunzig": 90, "hundert": 100, "tausend": 1000, "dutzend": 12,
    },
    operators={
        "plus": "+", "minus": "-", "mal": "*", "multipliziert mit": "*", "geteilt durch": "/", "durch": "/", "x": "*",
        "hoch": "**", "weniger": "-",
    },
    number_joints=words("und durch mit zu"),
    folded={
        "summe von": "+", "summe aus": "+", "addiere": "+", "produkt von": "*", "produkt aus": "*",
        "multipliziere": "*", "dividiere": "/", "teile": "/", "differenz von": "-", "differenz zwischen": "-",
        "rechne": "+",
    },
    reversed={"subtrahiere": ("von", "-"), "ziehe": ("von", "-"), "zieh": ("von", "-")},
    percent=("prozent von", "% von"),
    closing=words("heute jetzt bitte gerade nochmal aktuell gleich an ein auf aus ab"),
    content=words("note text message body content comment notiz nachricht inhalt beschreibung query aufgabe"),
    musing=(
        "warum", "wieso", "weshalb", "was ist ein", "was ist eine", "erkläre", "erklär", "kannst du erklären",
        "ist es gut", "sollte ich", "soll ich", "wie funktioniert", "wie macht man", "was hältst du", "was bedeutet",
        "wer war", "wer hat", "erzähl", "erzähle", "bist du", "was kannst du", "wer bist du",
        "ich frage mich ob", "was passiert wenn", "wer erfand", "wie heißt du", "wie alt bist du", "hast du",
        "sag etwas", "sag was", "sing", "schreib mir ein gedicht", "was ist der unterschied", "was ist eigentlich",
        "wozu", "was meinst du", "was denkst du", "sollte man", "kann man",
    ),
    courtesies=(
        "glückwunsch", "herzlichen glückwunsch", "danke für", "vielen dank für", "viel glück", "gut gemacht",
        "hoffentlich",
    ),
    opinion=(
        "deiner meinung", "was meinst du", "denkst du", "findest du", "magst du", "glaubst du", "dein lieblings",
        "werkzeuge hast du", "tools hast du", "deine werkzeuge", "deine tools", "im allgemeinen", "in einfachen worten",
    ),
    ability=("kannst du", "könntest du", "können sie", "bist du in der lage", "weißt du wie man"),
    pointing=words(
        """
        der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner unser unsere unseren sein ihr
        dies diese dieses diesen es sie ihn alle jede jeden jedes mir uns jetzt heute morgen gestern hier dort
        """
    ),
    subjects=words(
        """
        ich wir er sie es du ihr das dies diese dieser der die mein meine unser unsere dein deine ein eine man alle
        viele
        """
    ),
    persons=words("ich wir"),
    pronouns=words("ich wir er sie es du ihr man das"),
    finite=words(
        """
        bin ist sind war waren hat habe haben hatte hatten wird werden wurde wurden kann konnte mag mochte liebe liebt
        finde findet fand denke dachte glaube glaubt freue freut fühle klingt klingen schmeckt riecht sieht ging kam
        kommt geht sagt sagte hoffe vermisse
        """
    ),
    wishes=words("bitte will möchte möchten brauche brauchen brauchst benötige soll sollte muss müssen würde suche"),
    tags=("oder", "nicht wahr", "stimmt s", "gell"),
    telling=words("dass daß"),
    leads=words(
        """
        dass daß namens genannt titel wort wörter text nachricht satz
        """
    ),
    places=words(
        """
        in im für nach über von an am auf aus mit bei zu zum zur ins unter als betreffend
        """
    ),
    slots={
        "to": ("an", "nach", "zu"), "recipient": ("an",), "destination": ("nach",), "target": ("nach", "in"),
        "payee": ("an",), "from": ("von", "aus"), "source": ("von", "aus"), "origin": ("von", "aus"),
        "subject": ("betreff", "über"), "topic": ("über", "zu"), "title": ("titel", "namens"), "name": ("namens",),
        "location": ("in", "für", "bei"), "city": ("in", "für"), "place": ("in", "für"), "country": ("von", "in"),
        "language": ("ins", "auf"), "query": ("nach", "über", "mit"), "keyword": ("nach",), "search": ("nach",),
        "term": ("nach",), "unit": ("in",), "timezone": ("in",), "word": ("von", "wort"), "message": ("dass",),
        "note": ("dass",), "text": ("dass", "text"), "content": ("dass", "mit"), "body": ("dass",),
        "channel": ("in", "an"), "person": ("von",), "attendee": ("mit",),
    },
    opening=words(
        """
        bitte kannst du könntest mir mal ich möchte will ein eine einen die der das auf und dann neue neuen
        """
    ),
    suffixes=("ungen", "ung", "erin", "eren", "est", "ern", "ens", "en", "er", "es", "em", "st", "et", "te", "e", "n",
              "s", "t"),
    kin=(
        ("calculator", "calculate", "compute", "arithmetic", "expression", "add", "rechne", "berechne", "ausrechnen",
         "summe", "plus", "minus", "mal", "geteilt", "addiere", "multipliziere", "prozent", "ergibt"),
        ("save", "store", "remember", "write", "append", "add", "notiere", "merke", "merk", "speichere", "schreibe",
         "schreib", "notier", "aufschreiben", "note"),
        ("note", "notes", "notiz", "notizen"),
        ("search", "find", "query", "suche", "such", "finde", "nachschlagen"),
        ("fetch", "open", "url", "page", "web", "seite", "webseite", "öffne", "lade", "hole", "hol", "rufe", "abrufen"),
        ("read", "show", "lies", "lese", "zeige", "zeig", "inhalt", "steht"),
        ("delete", "remove", "lösche", "lösch", "entferne", "entfern"),
        ("send", "email", "mail", "message", "sende", "schicke", "schick", "nachricht", "mitteilung"),
        ("weather", "forecast", "temperature", "wetter", "vorhersage", "temperatur", "regnet", "regen", "kalt", "warm"),
        ("time", "clock", "uhrzeit", "uhr", "spät"),
        ("count", "length", "number", "words", "characters", "zähle", "zähl", "länge", "lang", "wörter", "zeichen",
         "buchstaben"),
        ("translate", "language", "übersetze", "übersetz", "übersetzung"),
        ("convert", "currency", "exchange", "unit", "wandle", "umrechnen", "rechne"),
        ("list", "directory", "files", "liste", "dateien", "ordner", "verzeichnis"),
        ("file", "datei"),
        ("pay", "payment", "transfer", "bezahle", "bezahl", "zahle", "überweise", "überweis", "zahlung"),
        ("refund", "erstatte", "erstatten", "rückerstatten", "rückerstattung", "erstattung"),
        ("cancel", "storniere", "stornier", "stornieren", "stornierung"),
        ("invoice", "rechnung", "rechnungen"),
        ("order", "delivery", "status", "bestellung", "paket", "lieferung", "bestellt", "sendung"),
        ("create", "event", "calendar", "schedule", "termin", "kalender", "trage", "erstelle", "lege", "anlegen",
         "besprechung"),
        ("echo", "repeat", "wiederhole", "wiederhol"),
        ("flight", "flug", "flieger", "pünktlich"),
        ("light", "licht", "lampe", "schalte", "schalt"),
        ("price", "cost", "preis", "kostet", "kosten"),
        ("stock", "inventory", "bestand", "lager", "vorrat"),
    ),
    polite=words(
        """
        kannst könntest können könnten würdest bitte magst
        """
    ),
    acting=words(
        """
        abbrechen absagen aendern aktualisieren anlegen ausfuehren ausführen beantworten bestellen bezahlen buchen
        einfuegen einfügen entfernen erstellen hinzufuegen hinzufügen hochladen loeschen löschen melden
        schicken schliessen schließen schreiben senden setzen speichern stornieren teilen ueberweisen umbenennen
        verschieben verschicken veroeffentlichen veröffentlichen zahlen ändern überweisen
        """
    ),
    reading=words("suche suchen finde finden lies lesen zeige zeigen liste zähle zählen berechne berechnen übersetze"),
    verb_kin=(("append", "add", "notiere", "notier", "schreibe", "schreib", "merke", "merk", "speichere"),),
    order_openings=(
        "bitte", "kannst du", "könntest du", "können sie", "könnten sie", "würdest du", "würden sie", "ich möchte",
        "ich will", "ich würde gern", "ich würde gerne", "hallo", "hi", "hey", "nun", "jetzt", "dann", "und", "danach",
        "auch", "mal", "zuerst", "anschließend", "mir", "mir bitte", "bitte mir",
    ),
    doubt=words(
        """
        nicht kein keine keinen keinem keiner keines nie niemals ohne statt stattdessen wenn falls ob außer bereits
        schon nein niemand weder wie warum wieso weshalb erkläre angenommen wurde wurden war waren hatte
        """
    ),
    denials=Denials(
        openings=("aber", "nein", "halt", "stopp", "achtung", "vorsicht"),
        begins=("auf keinen fall", "unterlasse", "unterlass", "keinesfalls", "ja nicht", "bloß nicht"),
        anywhere=words("nicht nichts kein keine keinen keinem keiner keines nie niemals"),
        within=("darf nicht", "dürfen nicht", "soll nicht", "sollen nicht", "darf niemals"),
        verbs=words(
            """
            abbrechen absagen abschicken aktualisieren anlegen anrufen antworten anzeigen archivieren ausführen
            ausschalten beantworten bearbeiten berühre beschreiben bestelle bestellen bewege bewegen bezahle bezahlen
            buche buchen drucke drucken einschalten entfern entferne entfernen erstatte erstatten erstelle erstellen
            fass fasse anfassen füge hinzufügen hochladen kaufe kaufen kopiere kopieren leg lege lesen lies lösch lösche
            löschen mach mache machen melde melden merke merken nimm notiere notieren öffne öffnen ruf rufe schalte
            schalten schick schicke schicken schließe schließen schreib schreibe schreiben senden sende sperre sperren
            speicher speichere speichern starte starten stell stelle storniere stornieren teile teilen trag trage
            überschreibe überschreiben überweise überweisen umbenennen veröffentliche veröffentlichen verschicke
            verschicken verschieb verschiebe verschieben zahle zahlen änder ändere ändern
            """
        ),
        undone=words("vergiss vergessen zögere zögern"),
    ),
    withdrawing=words("nein vergiss abbrechen lass stopp egal nichts später hallo danke"),
    inflected=("tet", "test", "ten"),
    verb_last=True,
    asking=words("was wer wen wem wessen wo wann warum wie welche welcher welches welchen ist sind war waren wieviel"),
    looking=words("zeig zeige finde such suche lies liste nenne prüfe schau öffne zähle"),
    acting_first=words("melden buche bestelle starte öffne schließe sperre spiele"),
    capitals=False,
    naming=words("namens genannt"),
    stops=words("ist sind war waren hat haben hatte wird weil da damit der wenn falls aber obwohl bis oder"),
    units=words("prozent grad euro dollar cent sekunden minuten stunden tage tagen wochen monate jahre km"),
    not_looking=(),
    joints=words("und aber"),
    times=words("heute morgen gestern mittag mitternacht montag dienstag mittwoch donnerstag freitag samstag sonntag"),
    small_talk=words(
        """
        hallo hi danke guten tag morgen abend tschüss servus moin wie geht
        """
    ),
    clock=Clock(
        months={
            "januar": 1, "jänner": 1, "februar": 2, "märz": 3, "april": 4, "mai": 5, "juni": 6, "juli": 7, "august": 8,
            "september": 9, "oktober": 10, "november": 11, "dezember": 12,
        },
        ordinals=(),
        of=frozenset(),
        minutes={"halb": -30, "viertel nach": 15, "viertel vor": -15},
        early=("morgens", "vormittags", "uhr morgens", "uhr vormittags", "am morgen", "am vormittag"),
        late=(
            "nachmittags", "abends", "mittags", "uhr nachmittags", "uhr abends", "uhr mittags", "am nachmittag",
            "am abend",
        ),
        hours=words("uhr"),
        seconds={
            "sekunde": 1, "sekunden": 1, "minute": 60, "minuten": 60, "stunde": 3600, "stunden": 3600, "tag": 86400,
            "tage": 86400, "tagen": 86400, "woche": 604800, "wochen": 604800,
        },
        parts={
            "dreiviertelstunde": 2700, "viertelstunde": 900, "halbe stunde": 1800, "halben stunde": 1800,
            "anderthalb stunden": 5400, "eineinhalb stunden": 5400,
        },
        halves=(),
        one=words("ein eine einen einer einem"),
    ),
    measures={
        "kilometer": "km", "kilometern": "km", "meile": "mi", "meilen": "mi", "meter": "m", "metern": "m", "fuß": "ft",
        "zoll": "in", "zentimeter": "cm", "zentimetern": "cm", "millimeter": "mm", "kilogramm": "kg", "kilo": "kg",
        "gramm": "g", "pfund": "lb", "unze": "oz", "unzen": "oz", "liter": "l", "litern": "l", "milliliter": "ml",
        "celsius": "c", "fahrenheit": "f", "kelvin": "k",
    },
    compositions=words("gedicht reim witz witze geschichte lied aufsatz rätsel glückwunsch spruch trinkspruch"),
    frequent_verbs=words(
        """
        nimm gib bring hol lass mach leg stell sag frag halte nutze hilf schau sieh geh komm tu
        """
    ),
    told_by={
        "zusammen": "addieren", "insgesamt": "addieren", "jeweils": "multiplizieren",
    },
    before_pronouns=words(""),
    single_leads=words("wort"),
    referring=words("er ihn ihm ihr ihnen sie ihre seine"),
    letter="buchstabe",
    composing=words("schreib schreibe dichte verfasse erfinde mach erzähl erzähle"),
    placing=words("als ins unter speichere sende schicke"),
    general=(("ist", "es"), "zu", frozenset()),
    back="es",
    contents=words("text inhalt seite"),
    fetching=words("lies lesen liest hole holt holen öffne öffnet lade lädt read fetch open get"),
    looking_phrases=frozenset({"gib mir", "sag mir", "zeig mir"}),
    removing=words(
        """
        lösche lösch löschen loesche loesch loeschen entferne entfern entfernen storniere stornier stornieren
        """
    ),
    making=words(
        """
        anlegen einfuegen einfügen erstellen hinzufuegen hinzufügen hochladen schicken schreiben senden speichern
        """
    ),
    around=words("in im aus unter bei von vom neben innerhalb hinter über nahe am"),
    opposites={
        "an": ("off", "aus"), "ein": ("off", "aus"), "aus": ("on", "ein", "an"), "auf": ("close", "lock", "zu"),
        "zu": ("open", "auf", "unlock"), "öffne": ("close", "lock"), "öffnen": ("close", "lock"), "schließe": ("open",),
        "schließen": ("open",), "sperre": ("unlock", "unblock"), "entsperre": ("lock", "block"), "starte": ("stop",),
        "stoppe": ("start", "run"), "aktiviere": ("disable", "deactivate"), "deaktiviere": ("enable", "activate"),
        "kaufe": ("sell",), "verkaufe": ("buy",), "entferne": ("add",), "erhöhe": ("lower", "decrease"),
        "senke": ("raise", "increase"), "ab": ("accept", "approve"),
    },
    thousands=".",
    subunits=words("cent cents rappen groschen"),
    quantities=words(
        """
        alles alle allen aller etwas irgendwas irgendetwas irgendwen irgendwer irgendjemand jemand jemandem jemanden
        niemand niemandem jeder jede jeden jedem jedes einige einiges manche mehrere beide beiden beides andere anderen
        anderes rest übrigen sachen zeug ding dinge viel viele mehr weniger paar hälfte derselbe selbst niemanden
        """
    ),
    universals=words("alles alle allen jede jeden jedes"),
    fillers=words(
        """
        schnell sofort gleich direkt endgültig komplett vollständig ganz gerade eben einfach kurz doch dringend gern
        gerne lieber eilig danke ja klar genau insgesamt nummer nr name namens kennung nur alte alten altes
        ganze ganzen folgende folgenden leute herr frau euch ihnen sie mal hin weg raus
        """
    ),
    backward_phrases=("die zahl", "den betrag", "das ganze", "was herauskommt"),
)  # fmt: skip
