"""Answers that claim what no call did, and values that no result holds."""

from tools.vectors.observations import Scenario, call, failure, final, results, said, user

STEPS: dict[str, Scenario] = {
    "promise": (
        "waker",
        [
            user("Wake me at 6:30"),
            said(final('"I\'ll wake you at 6:30."')),
            said(call("set_alarm", '{"time":"06:30"}')),
            results(("call_1", "ok")),
            said(final('"I\'ll wake you at 6:30."')),
            user("Weck mich um 7:45"),
            said(call("set_alarm", '{"time":"07:45"}')),
            results(("call_2", "ok")),
            said(final('"Ich werde dich um 8:15 wecken."')),
            said(final('"Ich werde dich um 7:45 wecken."')),
        ],
    ),
    "claim-without-call": (
        "biller",
        [
            user("Please delete invoice 12"),
            said(final('"Invoice 12 is gone."')),
            said(final('"I have deleted invoice 12."')),
            user("L\u00f6sche Rechnung 12"),
            said(final('"Erledigt."')),
            said(call("delete_invoice", '{"number":12}')),
            results(("call_1", "ok")),
            said(final('"Die Rechnung 12 ist gel\u00f6scht."')),
            user("Did you delete it?"),
            said(final('"Yes, I have deleted invoice 12."')),
        ],
    ),
    "claim-in-part": (
        "biller",
        [
            user("Delete invoice 12 and send invoice 13"),
            said(call("delete_invoice", '{"number":12}')),
            results(("call_1", None)),
            said(final('"I deleted invoice 12 and sent invoice 13."')),
            said(call("send_invoice", '{"number":13}')),
            failure("call_2", "no address", "execution"),
            said(final('"I deleted invoice 12. Invoice 13 could not be sent."')),
        ],
    ),
    "claim-of-another-item": (
        "biller",
        [
            user("Supprime la facture 13, s'il te pla\u00eet"),
            said(call("delete_invoice", '{"number":12}')),
            results(("call_1", "\U0001f44d")),
            said(final('"La facture 13 a \u00e9t\u00e9 supprim\u00e9e."')),
            said(final('"\u00a1Listo! La factura 13 est\u00e1 borrada."')),
            user("\u00bfY la 14? Borra la factura 14"),
            said(final('"No he podido borrar la factura 14."')),
        ],
    ),
    "value-of-no-result": (
        "biller-cited",
        [
            user("What is the total of invoice 12?"),
            said(call("get_invoice", '{"number":12}')),
            results(("call_1", {"total": 940.5, "due": "2026-01-15"})),
            said(final('"It is 904.50, due on January 15."')),
            said(final('"It is 940.50, due on January 15."')),
        ],
    ),
    "statement-that-only-selects": (
        "querier",
        [
            user("Delete the users idle since 3 May 2025"),
            said(call("query", '{"sql":"SELECT count(*) FROM users WHERE seen < \'2025-05-03\'"}')),
            results(("call_1", [{"count": 14}])),
            said(final('"I have deleted 14 users."')),
            said(call("query", '{"sql":"DELETE FROM users WHERE seen < \'2025-05-03\'"}')),
            results(("call_2", {"rows": 14})),
            said(final('"I have deleted 14 users."')),
        ],
    ),
    "results-in-colour": (
        "biller-cited",
        [
            user("What is the total of invoice 12?"),
            said(call("get_invoice", '{"number":12}')),
            results(("call_1", {"stdout": "total \x1b[1;31m940.50\x1b[0m EUR"})),
            said(final('"It is 940.50 EUR."')),
            user("Delete invoice 12"),
            said(call("delete_invoice", '{"number":12}')),
            results(("call_2", "\x1b[31mError:\x1b[0m invoice 12 is locked")),
            said(final('"Invoice 12 is deleted."')),
            said(final('"Invoice 12 could not be deleted: it is locked."')),
        ],
    ),
    "claim-beside-a-look-up": (
        "biller",
        [
            user("Look up invoice 12, then send invoice 12"),
            said(call("get_invoice", '{"number":12}')),
            results(("call_1", '{"number":12,"total":940.5}')),
            said(call("send_invoice", '{"number":12}')),
            results(("call_2", "ok")),
            said(final('"Invoice 12 over 940.50 EUR is sent."')),
        ],
    ),
    "claim-with-citations": (
        "biller-citing",
        [
            user("Look up invoice 13, then send invoice 13"),
            said(call("get_invoice", '{"number":13}')),
            results(("call_1", {"due": "soon"})),
            said(call("send_invoice", '{"number":13}')),
            results(("call_2", "ok")),
            said(final('"Invoice 14 is sent [2]."')),
            said(final('"Invoice 13 is sent [2]."')),
        ],
    ),
    "values-of-no-result": (
        "biller",
        [
            user("What about invoice 12?"),
            said(call("get_invoice", '{"number":12}')),
            results(("call_1", {"total": 940.5, "net": 790.34})),
            said(final('"It is over 940.50, of which 187.32 are open since 14:05."')),
            said(final('"It is over 940.50: 790.34 and 150.16 or 19 % of taxes."')),
        ],
    ),
    "values-swapped": (
        "biller",
        [
            user("How much are invoices 12 and 13?"),
            said(call("get_invoice", '{"number":12}')),
            results(("call_1", {"total": 940.5})),
            said(call("get_invoice", '{"number":13}')),
            results(("call_2", {"total": 17.25})),
            said(final('"Invoice 12: 17.25, invoice 13: 940.50."')),
            said(final('"Invoice 12: 940.50, invoice 13: 17.25."')),
        ],
    ),
}
