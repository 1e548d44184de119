"""Orders to leave something undone, in four languages, alone and beside orders that hold (11.carry)."""

import pytest

from purestep import Agent, CallModel, InvokeTool, RequestApproval, UserMessage, start
from purestep.carry import plan_of

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
NUMBER = {"type": "object", "properties": {"invoice": {"type": "integer"}}, "required": ["invoice"]}
NOTE = {"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]}
READS = {"readOnlyHint": True}
TOOLS = (
    {"name": "read_file", "description": "Read a file", "parameters": PATH, "annotations": READS},
    {"name": "get_file_info", "description": "Get details of a file", "parameters": PATH, "annotations": READS},
    {"name": "delete_file", "description": "Delete a file", "parameters": PATH},
    {"name": "delete_invoice", "description": "Delete an invoice", "parameters": NUMBER},
    {"name": "note_add", "description": "Save a note", "parameters": NOTE},
)
AGENT = Agent.load({"tools": TOOLS, "models": [{"name": "small", "carry": "route"}]})

DENIALS = (
    "Don't delete plan.txt", "Don\u2019t delete plan.txt", "dont delete plan.txt", "Do NOT delete plan.txt!!!",
    "Please do not read plan.txt anywhere", "You must not delete plan.txt", "plan.txt must not be deleted",
    "The file plan.txt should never be deleted.", "I don't want you to delete plan.txt", "Never ever delete plan.txt",
    "please, whatever you do, don't delete plan.txt", "hey could you not delete plan.txt",
    "Stop! Do not delete plan.txt", "No need to delete plan.txt any more", "Refrain from deleting plan.txt",
    "Leave plan.txt alone, don't delete it", "No, don't delete plan.txt", "Under no circumstances read plan.txt",
    "Don't delete plan.txt, I still need it.", "Let's not delete plan.txt",
    "Bitte die Datei plan.txt nicht l\u00f6schen!", "L\u00f6sch bitte nichts", "Lies plan.txt nicht",
    "plan.txt nicht anfassen!", "Bitte plan.txt auf keinen Fall l\u00f6schen",
    "plan.txt darf nicht gel\u00f6scht werden",
    "Bitte kein delete_file f\u00fcr plan.txt ausf\u00fchren", "L\u00f6sche plan.txt niemals",
    "Ne supprime pas le fichier plan.txt s'il te pla\u00eet.", "Merci de ne pas supprimer plan.txt",
    "Surtout ne supprime pas plan.txt !", "Il ne faut pas effacer plan.txt", "N'efface rien dans plan.txt",
    "Je ne veux pas que tu supprimes plan.txt", "Ne lis jamais plan.txt", "Veuillez ne pas lire plan.txt",
    "No borres el archivo plan.txt, por favor", "Por favor, no elimines plan.txt", "No hay que borrar plan.txt",
    "Nunca borres plan.txt", "Ni se te ocurra borrar plan.txt", "No lo borres: plan.txt", "No quiero que leas plan.txt",
    "No vayas a borrar plan.txt", "Don't delete forget.txt", "Ne supprime pas notes/oublie.txt",
)  # fmt: skip
ORDERS = (
    ("Don't forget to delete plan.txt", "Don't forget to delete plan.txt"),
    ("Don't hesitate to read plan.txt", "Don't hesitate to read plan.txt"),
    ("Vergiss nicht, plan.txt zu lesen", "Vergiss nicht, plan.txt zu lesen"),
    ("N'oublie pas de lire plan.txt", "N'oublie pas de lire plan.txt"),
    ("No, read plan.txt", "No, read plan.txt"),
    ("Lies die nicht geheimen Zeilen in plan.txt", "Lies die nicht geheimen Zeilen in plan.txt"),
    ("Read no-parking.txt", "Read no-parking.txt"),
    ("You must not forget to delete plan.txt", "You must not forget to delete plan.txt"),
    ("Save a note that I should not eat sugar", "Save a note that I should not eat sugar"),
    ("Save the note: do not delete plan.txt", "Save the note: do not delete plan.txt"),
    ("Notiere, dass wir morgen nicht liefern", "Notiere, dass wir morgen nicht liefern"),
    ('Save a note "no borres plan.txt"', 'Save a note "no borres plan.txt"'),
)
MIXED = (
    ("delete invoice 12 and don't delete invoice 13", ("delete invoice 12",)),
    ("don't delete invoice 13 but delete invoice 12", ("but delete invoice 12",)),
    ("Delete invoice 12, not 13", ("Delete invoice 12",)),
    ("L\u00f6sche Rechnung 12, aber l\u00f6sche nicht Rechnung 13", ("L\u00f6sche Rechnung 12",)),
    ("Don't delete plan.txt, just read it", ("just read it",)),
    ("Read plan.txt, but don't delete it", ("Read plan.txt",)),
    ("Read plan.txt. Ne supprime rien.", ("Read plan.txt.",)),
    ("Read plan.txt y no borres nada", ("Read plan.txt y no borres nada",)),
)


@pytest.mark.parametrize("text", DENIALS)
def test_what_is_denied_is_not_called(text: str) -> None:
    """No tool runs, none is asked about, and none is offered to the model."""
    decision = start(AGENT, UserMessage(content=text), "r").decision
    assert isinstance(decision, CallModel), decision
    assert () == plan_of(text, AGENT.router).steps  # type: ignore[arg-type]
    assert not decision.tools


@pytest.mark.parametrize(("text", "step"), ORDERS)
def test_what_only_looks_denied_is_a_step(text: str, step: str) -> None:
    """Reminders, corrections and texts to be kept are orders."""
    assert AGENT.router is not None
    assert [step] == [each.text for each in plan_of(text, AGENT.router).steps]


@pytest.mark.parametrize(("text", "steps"), MIXED)
def test_the_denied_part_is_cut_out(text: str, steps: tuple[str, ...]) -> None:
    """The rest is done, and gets no value from the denied part."""
    assert AGENT.router is not None
    assert steps == tuple(each.text.strip() for each in plan_of(text, AGENT.router).steps)


def test_an_order_beside_a_denied_one_has_its_own_value_and_is_asked_about() -> None:
    """Only invoice 12 may be deleted, and a person sees it first."""
    step = start(AGENT, UserMessage(content="delete invoice 12 and don't delete invoice 13"), "r")
    assert isinstance(step.decision, RequestApproval)
    assert [("delete_invoice", {"invoice": 12})] == [(call.tool, call.params) for call in step.decision.calls]


def test_what_is_to_be_noted_denies_nothing() -> None:
    """After "dass" comes what the note says."""
    decision = start(AGENT, UserMessage(content="Notiere, dass wir morgen nicht liefern"), "r").decision
    assert isinstance(decision, InvokeTool)
    assert ("note_add", {"note": "wir morgen nicht liefern"}) == (decision.tool, decision.params)


def test_a_denied_tool_is_no_other_way() -> None:
    """If the file can not be read, deleting it is not tried instead."""
    assert AGENT.router is not None
    plan = plan_of("Read plan.txt, but don't delete it", AGENT.router)
    assert frozenset({"delete_file"}) <= plan.denied
