"""French: the words by which orders to leave something undone are known."""

from typing import Final

from .denials import Denials
from .language import words

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
