"""Answers about what a call does later, and with numbers that no result holds."""

from tools.vectors.observations import Scenario, call, final, results, said, user

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
            said(final('"Ich werde dich um 7:45 wecken."')),
            said(call("set_alarm", '{"time":"07:45"}')),
            results(("call_2", "ok")),
            said(final('"Ich werde dich um 7:45 wecken."')),
        ],
    ),
    "number-of-no-result": (
        "biller-cited",
        [
            user("What is the total of invoice 12?"),
            said(call("get_invoice", '{"number":12}')),
            results(("call_1", {"total": 1940.5, "due": "2026-01-15", "rate": 0.19})),
            said(final('"It is 1,904.50, due on January 15."')),
            said(final('"It is 1.940,50 with 19 % of taxes, due on 15.01.2026."')),
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
            said(final('"Invoice 12 could not be deleted: it is locked."')),
        ],
    ),
    "number-beside-a-mark": (
        "biller-citing",
        [
            user("What is the total of invoice 13?"),
            said(call("get_invoice", '{"number":13}')),
            results(("call_1", {"total": 17.25})),
            said(final('"It is 17.52 [1]."')),
            said(final('"It is 17.25 [1]."')),
        ],
    ),
}
