"""What needs no tool: talk, questions of knowledge, texts to write; and tools whose use is implied, not said."""

from random import Random
from typing import Any, Final

from tools.tuning import form
from tools.tuning.generators import entities
from tools.tuning.generators.drawing import happens
from tools.tuning.generators.made_tools import as_typed
from tools.tuning.generators.values import Speaker
from tools.tuning.trees import Branch, Turn

_TALK: Final = {
    "en": (
        "hello;hi there;good morning;thanks;thank you so much;how are you;who are you;what can you do;you are great;"
        "that is all;bye;never mind;I am tired today;nice weather, isn't it;my name is {name};do you like {topic}",
        "what is {topic};explain {topic};why do people like {topic};tell me something about {topic};"
        "what does {topic} mean;"
        "who invented {topic};write a poem about {topic};give me three ideas about {topic};is {topic} hard to learn;"
        "what is the capital of {city};how do I say {topic} in another language",
        "music;gravity;chess;the moon;bread;history;mathematics;football;gardens;electricity;philosophy;rain",
    ),
    "de": (
        "hallo;guten Morgen;danke;vielen Dank;wie geht es dir;wer bist du;was kannst du;das war alles;"
        "tschüss;schon gut;"
        "ich bin müde;schönes Wetter heute;ich heiße {name};magst du {topic}",
        "was ist {topic};erkläre mir {topic};warum mögen Leute {topic};erzähl mir etwas über {topic};"
        "wer hat {topic} erfunden;"
        "schreib ein Gedicht über {topic};nenne drei Ideen zu {topic};ist {topic} schwer zu lernen",
        "Musik;Schwerkraft;Schach;den Mond;Brot;Geschichte;Mathematik;Fußball;Gärten;Strom;Philosophie;Regen",
    ),
    "fr": (
        "bonjour;salut;merci;merci beaucoup;comment vas-tu;qui es-tu;que sais-tu faire;c'est tout;"
        "au revoir;laisse tomber;"
        "je suis fatigué;il fait beau aujourd'hui;je m'appelle {name};tu aimes {topic}",
        "c'est quoi, {topic};explique-moi {topic};pourquoi aime-t-on {topic};parle-moi de {topic};"
        "qui a inventé {topic};"
        "écris un poème sur {topic};donne-moi trois idées sur {topic}",
        "la musique;la gravité;les échecs;la lune;le pain;l'histoire;les maths;le football;les jardins;la pluie",
    ),
    "es": (
        "hola;buenos días;gracias;muchas gracias;cómo estás;quién eres;qué sabes hacer;eso es todo;adiós;déjalo;"
        "estoy cansado;qué buen tiempo hace;me llamo {name};te gusta {topic}",
        "qué es {topic};explícame {topic};por qué gusta {topic};cuéntame algo sobre {topic};quién inventó {topic};"
        "escribe un poema sobre {topic};dame tres ideas sobre {topic}",
        "la música;la gravedad;el ajedrez;la luna;el pan;la historia;la física;el fútbol;la lluvia;la filosofía",
    ),
    "it": (
        "ciao;buongiorno;grazie;grazie mille;come stai;chi sei;che cosa sai fare;è tutto;arrivederci;lascia stare;"
        "sono stanco;bel tempo oggi;mi chiamo {name};ti piace {topic}",
        "che cos'è {topic};spiegami {topic};perché piace {topic};parlami di {topic};chi ha inventato {topic};"
        "scrivi una poesia su {topic};dammi tre idee su {topic}",
        "la musica;la gravità;la luna;il pane;la storia;la matematica;il calcio;la pioggia;la filosofia",
    ),
    "nl": (
        "hallo;goedemorgen;dank je;heel erg bedankt;hoe gaat het;wie ben jij;wat kun je;dat was alles;"
        "tot ziens;laat maar;"
        "ik ben moe;lekker weer vandaag;ik heet {name};hou je van {topic}",
        "wat is {topic};leg {topic} uit;waarom houden mensen van {topic};vertel iets over {topic};"
        "wie heeft {topic} bedacht;"
        "schrijf een gedicht over {topic};geef drie ideeën over {topic}",
        "muziek;zwaartekracht;schaken;de maan;brood;geschiedenis;wiskunde;voetbal;regen;filosofie",
    ),
}
"""By language: talk, questions, and what they are about."""


_SIGNS: Final = ("", "", "?", "!", "...", " :)")


def talk(speaker: Speaker) -> Branch:
    """Return words that no tool is for, of which it is learnt only that nothing is called."""
    chance = speaker.chance
    chats, questions, topics = (part.split(";") for part in _TALK[speaker.code])
    text = chance.choice(questions if happens(chance, 0.6) else chats)
    text = text.format(name=entities.person(chance), topic=chance.choice(topics), city=entities.city(chance))
    return (Turn(text=as_typed(chance, text + chance.choice(_SIGNS)), output=form.answer(""), learnt="branch"),)


def _no_arguments(name: str, about: str) -> dict[str, Any]:
    return {"name": name, "description": about, "parameters": {"type": "object", "properties": {}}}


_IMPLIED: Final = (
    (
        "now_playing current_song np track_info",
        "What is playing",
        "what's this song called;who sings this;is that an old song",
        "wie heißt das Lied;wer singt das;was läuft da",
        "comment s'appelle cette chanson;qui chante;c'est quoi ce morceau",
        "cómo se llama esta canción;quién canta;qué suena",
        "come si chiama questa canzone;chi canta;che cosa suona",
        "hoe heet dit nummer;wie zingt dit;wat speelt er",
    ),
    (
        "heating_on warm_up heat",
        "Turn the heating on",
        "I'm freezing;it's so cold in here;my hands are like ice",
        "mir ist kalt;hier ist es eisig;ich friere",
        "j'ai froid;on gèle ici;il fait un froid de canard",
        "tengo frío;aquí hace mucho frío;estoy helado",
        "ho freddo;qui si gela;sto congelando",
        "ik heb het koud;het is ijskoud hier;ik bevries",
    ),
    (
        "light_on lights lamp_on",
        "Turn the light on",
        "it's dark in here;I can't see a thing;it's getting dark",
        "es ist dunkel hier;ich sehe nichts;es wird dunkel",
        "il fait noir ici;je n'y vois rien;il commence à faire sombre",
        "está oscuro;no veo nada;se hace de noche",
        "è buio qui;non vedo niente;si fa buio",
        "het is donker hier;ik zie niets;het wordt donker",
    ),
    (
        "volume_down quieter lower_volume",
        "Lower the volume",
        "that's way too loud;my ears hurt;the neighbours are complaining",
        "das ist viel zu laut;mir tun die Ohren weh;die Nachbarn beschweren sich",
        "c'est beaucoup trop fort;j'ai mal aux oreilles;les voisins se plaignent",
        "está muy alto;me duelen los oídos;se quejan los vecinos",
        "è troppo forte;mi fanno male le orecchie;i vicini si lamentano",
        "dat is veel te hard;mijn oren doen pijn;de buren klagen",
    ),
    (
        "clock current_time time_now",
        "Tell the time",
        "am I late;is it already noon;how late is it",
        "bin ich zu spät;ist schon Mittag;wie spät ist es",
        "je suis en retard;il est déjà midi;quelle heure est-il",
        "llego tarde;ya es mediodía;qué hora es",
        "sono in ritardo;è già mezzogiorno;che ore sono",
        "ben ik te laat;is het al middag;hoe laat is het",
    ),
    (
        "forecast weather_today check_weather",
        "Weather of today",
        "do I need an umbrella;can I hang the laundry outside;should I take a coat",
        "brauche ich einen Schirm;kann ich die Wäsche raushängen;brauche ich eine Jacke",
        "il me faut un parapluie;je peux étendre le linge dehors;je prends un manteau",
        "necesito paraguas;puedo tender la ropa fuera;me llevo un abrigo",
        "mi serve l'ombrello;posso stendere fuori;prendo il cappotto",
        "heb ik een paraplu nodig;kan de was buiten hangen;moet ik een jas mee",
    ),
    (
        "battery_status battery power_left",
        "State of the battery",
        "will my phone last the day;do I need the charger;is it fully charged",
        "hält das Handy noch durch;brauche ich das Ladegerät;ist es voll geladen",
        "mon portable va tenir;il me faut le chargeur;c'est chargé",
        "aguantará el móvil;necesito el cargador;está cargado",
        "il telefono regge ancora;mi serve il caricatore;è carico",
        "houdt mijn telefoon het vol;heb ik de oplader nodig;is hij vol",
    ),
    (
        "git_status changes status",
        "What was changed and not committed",
        "did I forget to commit something;is my working tree clean;what did I touch",
        "habe ich vergessen zu committen;ist alles eingecheckt;was habe ich angefasst",
        "j'ai oublié de valider quelque chose;tout est enregistré;qu'ai-je touché",
        "olvidé guardar algo;está todo guardado;qué he tocado",
        "ho dimenticato qualcosa;è tutto salvato;che cosa ho toccato",
        "ben ik iets vergeten;is alles opgeslagen;wat heb ik aangeraakt",
    ),
    (
        "mute silence mic_off",
        "Turn the microphone off",
        "they must not hear this;my dog is barking;I have to sneeze",
        "das soll keiner hören;mein Hund bellt;ich muss niesen",
        "il ne faut pas qu'on m'entende;mon chien aboie;je vais éternuer",
        "que no me oigan;mi perro ladra;voy a estornudar",
        "non devono sentirmi;il cane abbaia;devo starnutire",
        "dit mag niemand horen;mijn hond blaft;ik moet niezen",
    ),
    (
        "undo revert step_back",
        "Take back the last change",
        "oh no, that was wrong;I didn't want that;that was a mistake",
        "oh nein, das war falsch;das wollte ich nicht;das war ein Fehler",
        "oh non, c'était faux;je ne voulais pas ça;c'était une erreur",
        "oh no, estaba mal;no quería eso;fue un error",
        "oh no, era sbagliato;non volevo;è stato un errore",
        "o nee, dat was fout;dat wilde ik niet;dat was een vergissing",
    ),
)
"""Names of a tool, what it is for, and words of each language that imply it."""
_CODES: Final = ("en", "de", "fr", "es", "it", "nl")


def implied(speaker: Speaker) -> tuple[Branch, dict[str, dict[str, Any]]]:
    """Return words that imply a tool, and its call, with the tool by its use;"
    " the tool's description may be missing."""
    chance = speaker.chance
    names, about, *said = chance.choice(_IMPLIED)
    spec = _no_arguments(_named(chance, names), chance.choice((about, "")))
    text = chance.choice(said[_CODES.index(speaker.code)].split(";"))
    text = as_typed(chance, text + chance.choice(("", "?", "!", "...")))
    return (Turn(text=text, output=form.call(spec, {})),), {about: spec}


def _named(chance: Random, names: str) -> str:
    return chance.choice(names.split())
