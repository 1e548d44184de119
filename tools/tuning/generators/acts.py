"""What is done with the things of made-up tools, as tools call it and as users ask for it."""

from typing import Final

import msgspec

from tools.tuning.generators.things import by_language


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """What is done: the verbs of tools, what a description says, and how a user asks; {d} the, {i} a, {p} several."""

    verbs: tuple[str, ...]
    about: tuple[str, ...]
    said: dict[str, tuple[str, ...]]


def _act(verbs: str, about: str, *said: str) -> Act:
    return Act(
        verbs=tuple(verbs.split()), about=tuple(part.strip() for part in about.split(";")), said=by_language(*said)
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
