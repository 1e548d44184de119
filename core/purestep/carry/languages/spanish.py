"""Spanish: the words of arithmetic, and of orders to leave something undone, under a condition or later."""

from typing import Final

from .denials import Denials
from .language import words
from .reservations import Reservations

_IN_E: Final = words(
    """
    acept actualic adjunt agend agregu anul apagu archiv asign bloque borr busqu cambi cancel cierr compr confirm
    contest copi cre dej descargu desactiv despliegu edit ejecut elimin empiec enví envi finalic guard inici instal
    invit lanc limpi llam mand marqu modifiqu muestr notifiqu par paus program publiqu quit reembols reenví reinici
    renombr reserv restaur revis toqu traslad
    """
)
_IN_A: Final = words(
    """
    abr añad compart conviert corrij devuelv dig enciend escrib hag le muev pid pong reescrib respond sobrescrib sub
    suscrib traduzc transfier vay vend
    """
)

SPANISH_DENIALS: Final = Denials(
    openings=(
        "por favor", "porfa", "pero", "y", "ahora", "mejor", "hola", "oye", "bueno", "ok", "todavía", "aún", "tú",
    ),
    begins=(
        "no hace falta", "ni se te ocurra", "ni se le ocurra", "no es necesario", "no quiero que", "no debes",
        "no debe", "no deben", "no deberías", "no hay que", "no se debe", "evita", "evite", "prohibido", "nada de",
    ),
    first=words("no nunca jamás tampoco"),
    second=frozenset(f"{stem}{end}" for stem in _IN_E for end in ("e", "es", "en"))
    | frozenset(f"{stem}{end}" for stem in _IN_A for end in ("a", "as", "an"))
    | words(
        """
        actualizar apagar archivar borrar cambiar cancelar cerrar comprar copiar crear descargar editar ejecutar
        eliminar encender enviar escribir guardar hacer leer mandar mover pagar publicar quitar reiniciar reservar uses
        """
    ),
)  # fmt: skip
"""Orders not to do something have forms of their own: "no borres", where a report has "no borra"."""

SPANISH_RESERVATIONS: Final = Reservations(
    conditions=(
        "si", "cuando", "después", "antes", "hasta", "salvo", "excepto", "pero", "quizá", "quizás", "tal vez",
        "en cuanto", "una vez", "siempre que", "a menos que", "en caso", "tan pronto", "mientras", "solo si",
    ),
    delays=(
        "mañana", "luego", "más tarde", "esta noche", "esta tarde", "pronto", "la próxima semana",
        "la semana que viene", "el próximo mes", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado",
        "domingo", "al mediodía", "a medianoche",
    ),
    told=(
        "pregúntame antes", "pregúntame primero", "pregunta antes", "pregunta primero", "todavía no", "aún no",
        "es broma", "era broma", "olvídalo", "olvida eso", "no espera", "déjalo", "mejor no", "dejalo", "olvidalo",
    ),
    vague=(
        "unos", "unas", "aproximadamente", "casi", "al menos", "como mucho", "más de", "menos de",
    ),
)  # fmt: skip

SPANISH_SIGNS: Final = {
    "más": "+", "mas": "+", "menos": "-", "por": "*", "multiplicado por": "*", "dividido por": "/",
    "dividido entre": "/", "entre": "/", "elevado a": "**",
}  # fmt: skip
SPANISH_PERCENT: Final = ("por ciento de", "% de")
