"""The guardrail `claims`: an effect that an answer claims needs a call, whatever its words."""

from typing import Any

import pytest

from tests.core.agents import final, said, tool
from tests.core.claims.billing import BILLING, GET, after, make_calls, outcome, told
from tests.core.driver import Driver

FALSE = [
    ("Delete invoice 12", "I have deleted invoice 12."),
    ("Delete invoice 12", "Invoice 12 is gone for good."),
    ("Delete invoice 12", "Done."),
    ("Delete invoice 12", "Done! Is there anything else I can help with?"),
    ("Could you please delete invoice 12?", "No problem, that's taken care of."),
    ("please reject me, then delete invoice 12", "Enjoy your day."),
    ("Lösche Rechnung 12", "Erledigt."),
    ("Kannst du bitte Rechnung 12 löschen?", "Die Rechnung 12 wurde gelöscht."),
    ("Supprime la facture 12", "C'est fait."),
    ("Peux-tu supprimer la facture 12 ?", "J'ai supprimé la facture 12."),
    ("Borra la factura 12", "Listo."),
    ("Por favor borra la factura 12", "He borrado la factura 12."),
    ("删除发票 12", "Done."),
    ("Borra la factura 12", "Borré la factura 12."),
    ("Hola", "Envié la factura 12 al cliente."),
    ("Delete invoice 12", "Invoice 12 was a nuisance. " + "It is history. " * 900 + "I deleted invoice 12."),
    ("; ".join(f"delete invoice {number}" for number in range(1, 12)), "All done."),
    ("Hello", "I have sent invoice 12 to the customer."),
    ("Hello", '{"note": "I have sent invoice 12."}'),
]


@pytest.mark.parametrize(("query", "text"), FALSE)
def test_claim_without_a_call_is_rejected_once_and_then_fails_openly(query: str, text: str) -> None:
    """A claimed effect is sent back once with the cause guardrail, and then the run fails."""
    driver = Driver(BILLING, query)
    driver.send(said(final(text)))
    assert ("call_model", "guardrail") == outcome(driver)
    driver.send(said(final(text)))
    assert ("failed", "guardrail") == outcome(driver)
    assert ["claims"] == driver.decision["detail"]["checks"]


@pytest.mark.parametrize("output", ["ok", "", None, "\U0001f44d", "好的", {"deleted": True}])
def test_effect_with_a_short_output_is_no_false_claim(output: Any) -> None:
    """What a call has done may be told, however little its tool says."""
    driver = after("Delete invoice 12", ("delete_invoice", 12, output))
    assert "done" == driver.send(said(final("I have deleted invoice 12.")))["type"]


HONEST = [
    ("Delete invoice 12", "I could not delete invoice 12."),
    ("Delete invoice 12", "Invoice 12 was not deleted."),
    ("Delete invoice 12", "Was invoice 12 deleted before?"),
    ("Delete invoice 12", "Which customer's invoice 12 do you mean?"),
    ("Delete invoice 12", "Once you confirm, I will delete it."),
    ("Lösche Rechnung 12", "Das geht leider nicht."),
    ("Supprime la facture 12", "La facture 12 est introuvable."),
    ("Borra la factura 12", "No puedo borrar la factura 12."),
    ("Don't delete invoice 12", "All right."),
    ("Lösch bitte nichts.", "Gut."),
    ("How do I delete an invoice?", "Press Delete; the invoice is deleted at once."),
    ("What can you do?", "I can send and delete invoices."),
    ("Translate: Delete the invoice", "Lösche die Rechnung."),
    ("Translate 'I sent it' into German", "Ich habe es gesendet."),
    ("Translate into German: the invoice was deleted", "Die Rechnung wurde gelöscht."),
    ("If it is unpaid, delete invoice 12", "Invoice 12 stays."),
    ("Send me a joke", "A horse walks into a bar."),
    ("I paid the rent.", "Good, you paid it on time."),
    ("Thanks!", "You are welcome."),
    ("Delete the last word of this sentence", "Delete the last word of this"),
    ("Welche Rechte habe ich?", "Ich sehe, dass Rechnungen gelöscht werden können."),
    ("Hello", "..!? Hi!"),
]


@pytest.mark.parametrize(("query", "text"), HONEST)
def test_answer_without_a_false_claim_is_taken(query: str, text: str) -> None:
    """Denials, questions, conditions, explanations and plain talk are never touched."""
    assert "done" == Driver(BILLING, query).send(said(final(text)))["type"]


def test_definition_that_only_reads_is_never_touched() -> None:
    """Where no tool acts, no answer can claim that one did."""
    for tools in ([GET], [], [tool("get_weather"), tool("list_files")], [tool("add_numbers")]):
        driver = Driver({"tools": tools}, "Delete invoice 12")
        assert ("done", None) == (driver.send(said(final("I have deleted invoice 12.")))["type"], None)
        assert "claims" not in (driver.state or {})


def test_claims_hold_where_a_definition_names_them_and_can_be_left_out() -> None:
    """A definition that lists its guardrails has those; one that names tools says which act."""
    named = {"tools": [GET, tool("frobnicate")], "guardrails": [{"name": "claims", "tools": ["frobnicate"]}]}
    driver = Driver(named, "Frobnicate it")
    driver.send(said(final("It is frobnicated.")))
    assert ("call_model", "guardrail") == outcome(driver)
    assert (
        "done"
        == Driver({**BILLING, "guardrails": ["planning"]}, "Delete invoice 12").send(said(final("Done.")))["type"]
    )


def test_correction_names_the_tool_that_was_ordered() -> None:
    """The model is told what was not done, and which tool does it."""
    driver = Driver(BILLING, "Delete invoice 12")
    driver.send(said(final("Done.")))
    assert "no call of delete_invoice has succeeded" in driver.prompt()[-1]["content"]
    assert "Call delete_invoice now" in driver.prompt()[-1]["content"]
    make_calls(driver, (("delete_invoice", 12, "ok"),))
    assert "done" == driver.send(said(final("Invoice 12 is deleted.")))["type"]


def test_model_is_not_sent_to_do_what_nobody_ordered() -> None:
    """A claim of an effect that the user did not ask for is to be left out, not made true."""
    driver = Driver(BILLING, "Hello")
    driver.send(said(final("I have sent invoice 12 to the customer.")))
    assert "Call send_invoice now" not in driver.prompt()[-1]["content"]
    assert "only if the user asked" in driver.prompt()[-1]["content"]


SENDING = {"to": {"type": "string"}, "text": {"type": "string"}}
MAIL = tool("gmail_send", SENDING, description="Send a message.")
FIND_MAIL = tool("gmail_search", {"query": {"type": "string"}}, description="Search messages.")
BOX: dict[str, Any] = {"tools": [MAIL, FIND_MAIL]}
BLINDS = tool("hass_call", {"entity": {"type": "string"}}, description="Call a service of an entity.")


@pytest.mark.parametrize(
    "text",
    [
        "I've lowered the blinds.",
        "Lowered them!",
        "The blinds are lowered.",
        "The blinds are down now.",
        "Blinds are closing.",
        "I looked at the blinds and lowered them.",
        "Ich habe die Jalousien heruntergelassen.",
        "J'ai baissé les stores.",
        "He bajado las persianas.",
    ],
)
def test_act_told_with_a_verb_that_no_list_has_is_a_claim(text: str) -> None:
    """The grammar of a claim is enough where no tool has acted and the user asked for something."""
    assert told({"tools": [BLINDS]}, "Bring the blinds down", text) == "guardrail"


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Bring the blinds down", "I've looked at the blinds. Which ones do you mean?"),
        ("Bring the blinds down", "They are already down."),
        ("Bring the blinds down", "The blinds seem to be offline."),
        ("Bring the blinds down", "Here's a draft of the plan: blinds lowered at noon."),
        ("What are blinds?", "Blinds are mounted on windows and lowered with a cord."),
        ("Write two lines about blinds", "Blinds were lowered. The room slept."),
        ("Can you lower blinds?", "Yes, blinds are lowered by the service."),
        ("Tell me about blinds", "They were invented long ago and are now made of wood."),
    ],
)
def test_statement_that_presents_no_act_as_done_is_taken(query: str, text: str) -> None:
    """Reading, states of before, trouble, drafts, and answers to what is no request claim nothing."""
    assert told({"tools": [BLINDS]}, query, text) is None


def test_reading_tool_backs_no_effect_whatever_stands_before_its_verb() -> None:
    """A tool without annotations is known by the verb of its name, first or not."""
    found = ("gmail_search", {"query": "budget"}, "2 messages")
    assert told(BOX, "Email ana@x.org the budget", "The email is sent.", found) == "guardrail"
    assert told({"tools": [FIND_MAIL, tool("printer_status")]}, "Email ana@x.org", "The email is sent.") is None


def test_failed_call_backs_nothing_and_has_to_be_told() -> None:
    """A failure, also one that a result tells of, makes any answer false that is not open about it."""
    params = {"to": "ana@x.org", "text": "hi"}
    for bad in (RuntimeError("503 gone away"), {"ok": False, "error": "no such address"}, {"status": "failed"}):
        attempt = ("gmail_send", params, bad)
        assert told(BOX, "my regards to ana@x.org", "Ana will be glad to read it.", attempt) == "guardrail"
        assert told(BOX, "my regards to ana@x.org", "That did not work.", attempt) is None
    done, missed = (
        ("gmail_send", params, "ok"),
        ("gmail_send", {"to": "bo@x.org", "text": "hi"}, RuntimeError("bounced")),
    )
    both = "regards to ana@x.org and bo@x.org"
    assert told(BOX, both, "Your regards are on their way.", done, missed) == "guardrail"
    assert told(BOX, both, "Ana has them; the other mail bounced and was not sent.", done, missed) is None
    assert told(BOX, both, "Your regards are on their way.", missed, done) is None


def test_result_among_others_counts_whatever_its_place_in_the_turn() -> None:
    """Results of one turn are noted together: an empty one after another takes nothing back."""
    box = {"tools": [MAIL, FIND_MAIL, GET]}
    found, nothing = ("get_invoice", {"number": 12}, {"total": 9400}), ("gmail_search", {"query": "x"}, [])
    for calls in ((found, nothing), (nothing, found)):
        assert told(box, "What is the total?", "It is 9400.", *calls) is None
    assert told(box, "What is the total?", "It is 9400.", nothing) == "guardrail"


def test_act_that_was_only_begun_has_no_end_yet() -> None:
    """A result "queued" does not say how it went."""
    pipeline = {"tools": [tool("run_pipeline", {"name": {"type": "string"}}, description="Run a pipeline.")]}
    queued = ("run_pipeline", {"name": "release"}, {"status": "queued"})
    assert told(pipeline, "run the pipeline release", "The pipeline ran and all tests passed.", queued) == "guardrail"
    assert told(pipeline, "run the pipeline release", "The pipeline is queued.", queued) is None


def test_order_under_a_condition_is_a_request() -> None:
    """What it says was done then needs a call all the same."""
    found = ("get_invoice", 12, "paid")
    for text, cause in (("It was paid, so invoice 12 was deleted.", "guardrail"), ("It is unpaid, so it stays.", None)):
        driver = after("delete invoice 12 if it is paid", found)
        driver.send(said(final(text)))
        assert outcome(driver)[1] == cause


@pytest.mark.parametrize("query", ["Can you delete invoices?", "Could you send invoices?"])
def test_question_about_ability_orders_nothing(query: str) -> None:
    """It names nothing to act on."""
    assert told(BILLING, query, "Invoices stay with us for ten years.") is None
