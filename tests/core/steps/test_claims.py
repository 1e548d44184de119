"""The guardrail `claims`: an effect that an answer claims needs a call; and `values`: a value needs a source."""

from typing import Any

import pytest

from tests.core.agents import call, failure, final, results, said, tool
from tests.core.driver import Driver, WholeDriver, stepped

ACTS = {"annotations": {"readOnlyHint": False, "idempotentHint": True}}
NUMBER = {"number": {"type": "integer"}}
GET = tool("get_invoice", NUMBER, description="Get an invoice.", annotations={"readOnlyHint": True})
DELETE = tool("delete_invoice", NUMBER, description="Delete an invoice.", **ACTS)
SEND = tool("send_invoice", NUMBER, description="Send an invoice to its customer.", **ACTS)
BILLING: dict[str, Any] = {"tools": [DELETE, SEND, GET]}


def outcome(driver: Driver) -> tuple[Any, Any]:
    """Give the type of the decision, and its cause or code."""
    return driver.decision["type"], driver.decision.get("cause") or driver.decision.get("code")


def after(query: str, *calls: tuple[str, int, Any], definition: dict[str, Any] | None = None) -> Driver:
    """Give a run whose calls have had these outputs."""
    driver = Driver(definition or BILLING, query)
    _call(driver, calls)
    return driver


def _call(driver: Driver, calls: tuple[tuple[str, int, Any], ...]) -> None:
    for name, number, output in calls:
        driver.send(said(call(name, number=number)))
        driver.give_all(output)


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
    _call(driver, (("delete_invoice", 12, "ok"),))
    assert "done" == driver.send(said(final("Invoice 12 is deleted.")))["type"]


def test_model_is_not_sent_to_do_what_nobody_ordered() -> None:
    """A claim of an effect that the user did not ask for is to be left out, not made true."""
    driver = Driver(BILLING, "Hello")
    driver.send(said(final("I have sent invoice 12 to the customer.")))
    assert "Call send_invoice now" not in driver.prompt()[-1]["content"]
    assert "only if the user asked" in driver.prompt()[-1]["content"]


def test_effect_in_part_is_told_in_part() -> None:
    """Of two orders one was met: an answer that says both is rejected, one that says which is taken."""
    driver = after("Delete invoice 12 and send invoice 13", ("delete_invoice", 12, "ok"))
    driver.send(said(final("I deleted invoice 12 and sent invoice 13.")))
    assert ("call_model", "guardrail") == outcome(driver)
    assert "done" == driver.send(said(final("I deleted invoice 12. Invoice 13 could not be sent.")))["type"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Delete invoices 12, 13 and 14", "All of them are deleted."),
        ("Lösche die Rechnungen 12 und 13", "Beide sind weg."),
    ],
)
def test_series_is_done_only_with_all_its_items(query: str, text: str) -> None:
    """Items in a row that no call had are missing from "all"."""
    driver = after(query, ("delete_invoice", 12, "ok"))
    driver.send(said(final(text)))
    assert ("call_model", "guardrail") == outcome(driver)


def test_effect_on_another_item_is_no_effect_on_the_one_told() -> None:
    """Values of the claim are compared with those of the calls."""
    driver = after("Delete invoice 13", ("delete_invoice", 12, "ok"))
    driver.send(said(final("Invoice 13 is deleted.")))
    assert '"13"' in driver.prompt()[-1]["content"]
    assert ("call_model", "guardrail") == outcome(driver)


def test_items_are_not_judged_where_there_are_too_many() -> None:
    """A long listing may hold the item further on."""
    listing = " ".join(str(number) for number in range(1000, 1060))
    driver = after("Delete invoice 12", ("get_invoice", 12, listing), ("delete_invoice", 12, "ok"))
    assert (driver.state or {})["claims"]["cut"]
    assert "done" == driver.send(said(final("I deleted invoice 12, the last of 2077.")))["type"]


def test_act_without_an_order_has_no_items_to_judge_after_reading() -> None:
    """What was read before a tool acted unasked was not kept."""
    driver = after("It is overdue, is it not?", ("get_invoice", 12, "12: 90 EUR"), ("send_invoice", 12, "ok"))
    assert "done" == driver.send(said(final("I sent invoice 12 over 90 EUR.")))["type"]


def test_effect_of_an_earlier_exchange_is_not_told_as_new() -> None:
    """An order of this exchange needs a call of this exchange; a question about the earlier one is answered."""
    driver = after("Delete invoice 12", ("delete_invoice", 12, "ok"))
    driver.send(said(final("Done.")))
    assert {"earlier": ["delete_invoice"]} == (driver.state or {})["claims"]
    driver.send({"type": "user_message", "content": "Did you delete it?"})
    assert "done" == driver.send(said(final("Yes, I deleted invoice 12.")))["type"]
    driver.send({"type": "user_message", "content": "Delete invoice 13 too."})
    driver.send(said(final("Invoice 13 is deleted.")))
    assert ("call_model", "guardrail") == outcome(driver)


def test_failed_call_is_no_effect_and_its_reason_may_be_told() -> None:
    """A failure is not told as a success; what repeats its words is open."""
    driver = Driver(BILLING, "Delete invoice 12")
    driver.send(said(call("delete_invoice", number=12)))
    driver.send(results(failure("call_1", "held by the tax office")))
    driver.send(said(final("Invoice 12 is deleted.")))
    assert ("call_model", "guardrail") == outcome(driver)
    assert "done" == driver.send(said(final("It is held by the tax office.")))["type"]


def test_call_after_a_correction_gives_the_next_claim_a_correction_of_its_own() -> None:
    """An accepted result is progress; the counter begins anew."""
    driver = Driver(BILLING, "Delete invoice 12 and send invoice 13")
    driver.send(said(final("Both are done.")))
    _call(driver, (("delete_invoice", 12, "ok"),))
    driver.send(said(final("I sent invoice 13.")))
    assert ("call_model", "guardrail") == outcome(driver)


def test_shell_may_have_done_anything() -> None:
    """A tool whose act is not known covers every claim once it has run."""
    shell = {"tools": [tool("shell", {"command": {"type": "string"}}, description="Run a command.")]}
    driver = Driver(shell, "Delete the folder build")
    driver.send(said(final("I deleted the folder build.")))
    assert ("call_model", "guardrail") == outcome(driver)
    driver.send(said(call("shell", command="rm -r build")))
    driver.give_all("")
    assert "done" == driver.send(said(final("I deleted the folder build.")))["type"]


def test_run_of_another_program_may_have_acted_before() -> None:
    """What a foreign history did is not known, so it may be told; a new order needs a call."""
    driver = WholeDriver(BILLING, "Delete invoice 13")
    whole = driver.state
    question = {"role": "user", "content": "Did you delete invoice 12?"}
    earlier = [{"role": "user", "content": "Delete invoice 12"}, {"role": "assistant", "content": "Deleted."}]
    foreign = {**whole, "history": [*earlier, question]}
    del foreign["run"]
    assert "done" == WholeDriver.of(foreign).say(final("Yes, I deleted invoice 12."))["type"]
    assert "guardrail" == driver.say(final("I have deleted invoice 13."))["cause"]


@pytest.mark.parametrize(
    "claims",
    [
        {},
        {"ordered": [{"kinds": ["delete"], "tools": ["get_invoice"]}]},
        {"ordered": [{"kinds": ["delete"]}] * 9},
        {"earlier": ["send_invoice", "delete_invoice"]},
        {"earlier": ["nothing"]},
        {"items": ["x" * 81]},
        {"seen": ["1"] * 49},
    ],
)
def test_state_with_claims_that_no_step_makes_is_refused(claims: dict[str, Any]) -> None:
    """A state may come from a client."""
    driver = Driver(BILLING, "Delete invoice 12")
    output = stepped(agent=BILLING, state={**(driver.state or {}), "claims": claims}, observation=said(final("Done.")))
    assert ("invalid_state", "/state/claims") == (output["error"]["code"], output["error"]["path"])


def test_claims_in_a_state_without_tools_that_act_are_refused() -> None:
    """A definition that only reads keeps none."""
    driver = Driver({"tools": [GET]}, "Hello")
    output = stepped(agent={"tools": [GET]}, state={**(driver.state or {}), "claims": {"is_plain": True}})
    assert ("invalid_state", "/state/claims") == (output["error"]["code"], output["error"]["path"])


CITED: dict[str, Any] = {"tools": [GET], "guardrails": ["values"]}


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("It is 940.50.", None),
        ("It is 940,50 EUR, due on January 15, 2026.", None),
        ("It has 2 parts.", None),
        ("It is 904.50.", "guardrail"),
        ("It is due on 2026-01-25.", "guardrail"),
        ("See invoices/2026/12.pdf.", "guardrail"),
        ("Write to bills@acme.example.", "guardrail"),
    ],
)
def test_value_of_an_answer_stands_in_a_result_or_the_question(text: str, cause: str | None) -> None:
    """With `values`, a number, date, path or address that nobody has said is sent back."""
    driver = after(
        "What is the total of invoice 12?", ("get_invoice", 12, {"total": 940.5, "due": "2026-01-15"}), definition=CITED
    )
    assert cause == driver.send(said(final(text))).get("cause")


def test_values_are_not_judged_without_a_result() -> None:
    """What the model knows by itself is not held against it."""
    assert "done" == Driver(CITED, "What is 12 times 12?").send(said(final("144")))["type"]


SENDING = {"to": {"type": "string"}, "text": {"type": "string"}}
MAIL = tool("gmail_send", SENDING, description="Send a message.")
FIND_MAIL = tool("gmail_search", {"query": {"type": "string"}}, description="Search messages.")
BOX: dict[str, Any] = {"tools": [MAIL, FIND_MAIL]}
BLINDS = tool("hass_call", {"entity": {"type": "string"}}, description="Call a service of an entity.")


def told(definition: dict[str, Any], query: str, text: str, *calls: tuple[str, dict[str, Any], Any]) -> Any:
    """Give the cause or code of the decision after calls with these outputs, or failures, and an answer."""
    driver = Driver(definition, query)
    for at, (name, params, output) in enumerate(calls, 1):
        driver.send(said(call(name, **params)))
        fails = isinstance(output, Exception)
        driver.send(results(failure(f"call_{at}", str(output)))) if fails else driver.give_all(output)
    driver.send(said(final(text)))
    return outcome(driver)[1]


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


PAYING = {"payee": {"type": "string"}, "amount": {"type": "number"}, "day": {"type": "string"}}
PAY: dict[str, Any] = {"tools": [tool("transfer_funds", PAYING, description="Transfer money to a payee.")]}


@pytest.mark.parametrize(
    ("query", "params", "text", "cause"),
    [
        ("Pay Nora Quist 450 euros", {"payee": "Nora Quist", "amount": 450}, "Sent \u20ac450 to Nora Quist.", None),
        (
            "Pay Nora Quist 450 euros",
            {"payee": "Nora Quist", "amount": 45},
            "Sent \u20ac450 to Nora Quist.",
            "guardrail",
        ),
        ("Pay Nora Quist 450", {"payee": "Nils Quist", "amount": 450}, "Sent 450 to Nora Quist.", "guardrail"),
        ("Pay Nora 450", {"payee": "nora.quist", "amount": 450}, "Sent 450 to Nora.", None),
        ("Pay my landlord 450", {"payee": "Jo Stein", "amount": 450}, "Your landlord got the 450.", None),
        ("Pay Nora 45 and Theo 45", {"payee": "Nora", "amount": 45}, "Paid 45 to Nora and 45 to Theo.", "guardrail"),
        ("Pay Nora 45 on 31 May", {"payee": "Nora", "amount": 45, "day": "2027-05-31"}, "Paid, due May 31.", None),
        (
            "Pay Nora 45 on 31 May",
            {"payee": "Nora", "amount": 45, "day": "2027-03-31"},
            "Paid, due 31 May.",
            "guardrail",
        ),
        ("Pay Nora for six weeks, 45 each", {"payee": "Nora", "amount": 45}, "Paid Nora 45 for six weeks.", None),
        ("Pay Nora 45", {"payee": "Nora", "amount": 45}, "Paid. The reference is TXK92P.", "guardrail"),
        ("Pay 203.0.113.9 45", {"payee": "203.0.113.90", "amount": 45}, "Paid 45 to 203.0.113.9.", "guardrail"),
    ],
)
def test_names_amounts_and_days_of_a_claim_are_those_of_the_call(
    query: str, params: dict[str, Any], text: str, cause: str | None
) -> None:
    """What the user named and the answer repeats, no call may have had otherwise; nothing is made up."""
    assert told(PAY, query, text, ("transfer_funds", {"day": "", **params}, "ok")) == cause


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
