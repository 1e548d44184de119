"""Spanish: the words by which orders to leave something undone are known."""

from typing import Final

from .denials import Denials
from .language import words

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
