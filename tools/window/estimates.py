"""How far estimates of tokens are from the bundled model's own count: `python -m tools.window.estimates`.

Texts of each kind are estimated as a prompt is before its first count: for any tokenizer, and by the weights of the
model's own. `next` is what a conversation's next prompt is estimated at, of which nine tenths were counted with the
answer before.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox

from .runs import model_count

_ROOT: Final = Path(__file__).resolve().parents[2]
_PROSE: Final = {
    "English": "The ferry leaves the island at half past six in the morning, and on days with strong wind it does not "
    "leave at all. Whoever wants to be sure of a seat writes to the harbour office two days before. Bicycles travel "
    "free of charge, dogs pay half, and the captain decides about everything else.",
    "German": "Die Fähre verlässt die Insel um halb sieben Uhr morgens, und an Tagen mit starkem Wind fährt sie gar "
    "nicht. Wer einen Sitzplatz haben möchte, schreibt zwei Tage vorher an das Hafenbüro. Fahrräder reisen kostenlos, "
    "Hunde zahlen die Hälfte, und über alles andere entscheidet der Kapitän.",
    "French": "Le bac quitte l'île à six heures et demie du matin, et les jours de grand vent il ne part pas du tout. "
    "Qui veut être sûr d'avoir une place écrit au bureau du port deux jours avant. Les vélos voyagent gratuitement, "
    "les chiens paient la moitié, et le capitaine décide de tout le reste.",
    "Spanish": "El transbordador sale de la isla a las seis y media de la mañana, y los días de viento fuerte no sale. "
    "Quien quiera asegurarse un asiento escribe a la oficina del puerto dos días antes. Las bicicletas viajan gratis, "
    "los perros pagan la mitad y el capitán decide sobre todo lo demás.",
    "Russian": "Паром уходит с острова в половине седьмого утра, а в дни с сильным ветром не уходит вовсе. Кто хочет "
    "получить место, пишет в контору порта за два дня. Велосипеды едут бесплатно, собаки платят половину, а обо всём "
    "остальном решает капитан.",
    "Chinese": "渡轮早上六点半离开小岛，风大的日子就不开。想要座位的人应提前两天写信给港口办公室。"
    "自行车免费，狗付半价，其他一切由船长决定。",
}


def kinds() -> dict[str, str]:
    """Return a text of each kind."""
    modules = sorted((_ROOT / "core" / "purestep" / "window").glob("s*.py"))
    specs = Toolbox(ToolConfig(session_dir=_ROOT, root=_ROOT)).specs()
    rows = [{"id": 1000 + each, "name": f"item {each}", "price": each / 4, "on": "2031-05-17"} for each in range(40)]
    return {
        **{name: " ".join([text] * 4) for name, text in _PROSE.items()},
        "code": "".join([module.read_text("utf-8") for module in modules]),
        "JSON": json.dumps(rows, ensure_ascii=False),
        "tool schemas": json.dumps(specs, ensure_ascii=False),
    }


def main() -> int:
    """Print the table; 1 if an estimate for any tokenizer is below the count, which no safe one is."""
    from purestep.window import estimated_tokens, weighted_tokens
    from purestep_formats.token_weights import TOKENIZERS

    weights, below = TOKENIZERS["smollm2"], False

    def own(text: str) -> int:
        return weighted_tokens(text, weights)

    print(f"{'':<13} {'tokens':>6} {'by any':>9} {'next':>9} {'by its own':>10} {'next':>9}")
    with model_count() as count:
        for name, text in kinds().items():
            true, most = count(text), estimated_tokens(text)
            below |= most < true
            figures = [most, _next(text, count, estimated_tokens)]
            figures += [own(text), _next(text, count, own)]
            print(f"{name:<13} {true:>6} {' '.join([_percent(each, true) for each in figures])}")
    return int(below)


def _next(text: str, count: Callable[[str], int], tokens: Callable[[str], int]) -> int:
    """Return the estimate of a prompt of which nine tenths were counted."""
    at = len(text) * 9 // 10
    return count(text[:at]) + tokens(text[at:])


def _percent(estimated: int, true: int) -> str:
    return f"{(estimated - true) * 100 / true:>+6.1f} %"


if __name__ == "__main__":
    sys.exit(main())
