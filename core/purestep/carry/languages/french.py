"""French: the words of arithmetic, and of orders to leave something undone, under a condition or later."""

from typing import Final

from .denials import Denials
from .language import words
from .reservations import Reservations

FRENCH_DENIALS: Final = Denials(
    openings=(
        "s il te plaît", "s il te plait", "s il vous plaît", "s il vous plait", "stp", "svp", "surtout", "alors", "et",
        "mais", "merci de", "veuillez", "prière de", "attention", "bonjour", "salut", "non", "je veux que tu",
        "tu", "vous",
    ),
    begins=(
        "je ne veux pas que", "je ne veux pas qu", "il ne faut pas", "il ne faut rien", "inutile de", "pas besoin de",
        "ce n est pas la peine de", "évite de", "évitez de",
    ),
    first=words("ne n"),
    second=words("pas rien jamais plus aucun aucune personne"),
    undone=words("oublie oubliez oublier hésite hésitez hésiter manque manquez"),
)  # fmt: skip

FRENCH_RESERVATIONS: Final = Reservations(
    conditions=(
        "si", "quand", "lorsque", "lorsqu", "dès", "une fois", "après", "avant", "jusqu", "sauf", "sinon", "mais",
        "pourvu", "à condition", "au cas", "en cas", "tant que", "peut être", "seulement", "uniquement si",
    ),
    delays=(
        "demain", "ce soir", "plus tard", "bientôt", "cette nuit", "la semaine prochaine", "le mois prochain", "lundi",
        "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "à midi", "à minuit", "tout à l heure",
    ),
    told=(
        "demande moi d abord", "demandez moi d abord", "demande d abord", "demandez d abord", "demande moi avant",
        "pas encore", "laisse tomber", "laissez tomber", "je plaisante", "c est une blague", "non attends",
        "non attendez", "finalement non", "oublie", "oubliez",
    ),
    vague=("environ", "à peu près", "presque", "au moins", "au plus", "jusqu à"),
)  # fmt: skip

FRENCH_SIGNS: Final = {
    "plus": "+", "moins": "-", "fois": "*", "multiplié par": "*", "divisé par": "/", "puissance": "**",
}  # fmt: skip
FRENCH_PERCENT: Final = ("pour cent de", "% de")
