"""No list of natural-language words decides anything in the core: each way to write one is found."""

from pathlib import Path

import pytest

from tools.checks.sources import CORE, ROOT
from tools.checks.word_lists import DEFINITION_SCHEMA, check_words

PLANTED = "purestep/steps/planted.py"


def messages(files: dict[str, str], exceptions: dict[str, dict[str, tuple[str, ...]]] | None = None) -> list[str]:
    """Return what is found in some files of the core, with no exceptions but those given."""
    return [finding.message for _, finding in check_words(files, exceptions or {}, {})]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("ACTING = ('send', 'delete', 'pay')", "ACTING is a list of words (send, delete, pay)"),
        ("_TOOLS = {'delete_file', 'send_mail', 'transfer_money'}", "(delete_file, send_mail, transfer_money)"),
        ("_TOOLS = frozenset(['deleteFile', 'sendMail', 'transferMoney'])", "(deleteFile, sendMail, transferMoney)"),
        ("_MONTHS = {'januar': 1, 'februar': 2, 'm\u00e4rz': 3}", "(januar, februar, m\u00e4rz)"),
        ("_UNITS = {1: 'hour', 2: 'day', 3: 'week'}", "(hour, day, week)"),
        ("_PAIRS = (('send', 'sent'), ('buy', 'bought'))", "(send, sent, buy, bought)"),
        ("_NOT = {'en': ('nope', 'nothing', 'nobody')}", "(nope, nothing, nobody)"),
        ("_ACTS = '\u5220\u9664', '\u53d1\u9001', '\u652f\u4ed8'", "(\u5220\u9664, \u53d1\u9001, \u652f\u4ed8)"),
        ("_VERBS = 'send delete pay'.split(' ')", "(send, delete, pay)"),
        ("_VERBS = b'send delete pay'\nVERBS = frozenset(_VERBS.split())", "_VERBS is a list of words"),
        ("import re\n_SAID = re.compile(r'\\b(?:sorry|cannot|unable)\\b')", "(sorry, cannot, unable)"),
        ("_SAID = lazy_pattern(r'(?:i (?:sent|mailed)|deleted|paid)')", "(i sent, mailed, deleted, paid)"),
        ("def f(x):\n    return x == 'send' or x == 'pay' or x == 'buy'", "f is a list of words (send, pay, buy)"),
        ("def f(x):\n    return 'sorry' in x or 'cannot' in x or 'unable' in x", "(sorry, cannot, unable)"),
        ("def f(x):\n    return x.startswith('hello ') or x.endswith(('bye', 'ciao'))", "f is a list of words"),
        ("match x:\n    case 'send' | 'pay':\n        act()\n    case 'buy':\n        pay()", "(module) is a list"),
        ("class A:\n    def f(self, x):\n        return x in ('send', 'pay', 'buy')", "A.f is a list of words"),
        ("class A:\n    ACTING = ['send', 'pay', 'buy']", "A.ACTING is a list of words (send, pay, buy)"),
        ("acts(any_of('send', 'pay', 'buy'))", "(module) is a list of words (send, pay, buy)"),
        ("def f(text, said=('yes', 'yeah', 'sure')):\n    return text in said", "(yes, yeah, sure)"),
        ("_SURE = ['i have sent it', 'it is done', \"i've paid\"]", "(i have sent it, it is done, i've paid)"),
    ],
)  # fmt: skip
def test_planted_list_is_found(source: str, shown: str) -> None:
    """A list of words is one finding, in whatever form it is written, with the name that holds it."""
    found = messages({PLANTED: source})

    assert 1 == len(found)
    assert shown in found[0]


def test_file_of_words_is_found() -> None:
    """A file beside the modules is a finding, whatever it holds, but for those that no program reads."""
    files = {"purestep/steps/verbs.txt": "send\ndelete\n", "purestep/py.typed": "", DEFINITION_SCHEMA: "{}"}
    found = check_words(files, {}, {})

    assert ["core/purestep/steps/verbs.txt"] == [path for path, _ in found]


@pytest.mark.parametrize(
    "source",
    [
        "TYPES = ('string', 'number', 'boolean', 'null')",
        "ROLES = {'system', 'user', 'assistant'}",
        "_OF = {'minLength', 'maxLength', 'pattern'}",
        "__all__ = ['Send', 'Delete', 'Pay']",
        "class A:\n    __slots__ = ('send', 'pay', 'buy')",
        "Kind = Literal['send', 'pay', 'buy']\nKINDS = ('send', 'pay', 'buy')",
        "class Send(Struct, tag='send'): ...\nclass Pay(Struct, tag='pay'): ...\nclass Buy(Struct, tag='buy'): ...\n"
        "KINDS = ('send', 'pay', 'buy')",
        "_TEXT = ('Not run: the tool is not there.', 'Call one of these tools again, or answer.', 'It was cut off.')",
        "_SIDES = ('begin', 'finish')",
        "_SIGNS = ('<|start|>', '</tool_call>', '[TOOL_CALLS]', '->')",
        "_SAID = lazy_pattern('(?P<word>[a-z]+)|(?P<sign>[+-])|(?P<blank> )')\n"
        "def f(kind):\n    return kind in ('word', 'sign', 'blank')",
        "def f(value: 'send | pay | buy') -> None: ...",
    ],
)
def test_what_is_no_list_of_words_passes(source: str) -> None:
    """Names of standards and of the core's own, messages, markers and two sides of one thing are no finding."""
    assert [] == messages({PLANTED: source})


def test_members_of_the_wire_are_names() -> None:
    """What structs of the wire are made of is no list of words anywhere in the core; other classes give no names."""
    kept = "class Order:\n    item: str\n    buyer: str\n    seller: str"
    used = {PLANTED: "MEMBERS = ('item', 'buyer', 'seller')"}

    assert [] == messages({"purestep/values/order.py": kept, **used})
    assert 1 == len(messages({"purestep/steps/order.py": kept, **used}))


def test_keys_of_a_definition_are_names() -> None:
    """The keys and fixed values that the definition's schema lists are no words."""
    schema = '{"properties": {"refund": {"enum": ["always", "sometimes"]}}}'
    files = {DEFINITION_SCHEMA: schema, PLANTED: "KEYS = ('refund', 'always', 'sometimes')"}

    assert [] == messages(files)


def test_declared_names_are_names() -> None:
    """What a declaration of names holds is no word in other modules; a declaration that is not there is a finding."""
    files = {
        "purestep/codes.py": "CODES = {'late': '', 'lost': '', 'dead': ''}",
        PLANTED: "X = ('late', 'lost', 'dead')",
    }

    assert [] == check_words(files, {}, {"purestep/codes.py": ("CODES",)})
    assert ["GONE of purestep/codes.py is not there: remove the entry"] == [
        finding.message for _, finding in check_words({}, {}, {"purestep/codes.py": ("GONE",)})
    ]


def test_exception_covers_its_name_alone() -> None:
    """An exception is for one name of one module: the same list beside it is found."""
    files = {PLANTED: "SHOWN = ('send', 'pay', 'buy')\nACTING = ('send', 'pay', 'buy')"}
    found = messages(files, {"It is shown.": {PLANTED: ("SHOWN",)}})

    assert 1 == len(found)
    assert found[0].startswith("ACTING is a list of words")


def test_exception_for_nothing_is_found() -> None:
    """An exception goes with the list that it was for."""
    found = messages({PLANTED: "SHOWN = ()"}, {"It is shown.": {PLANTED: ("SHOWN",)}})

    assert [f"SHOWN of {PLANTED} covers no list of words: remove the entry"] == found


def test_core_has_no_list_of_words_but_the_exceptions() -> None:
    """The core as it is has no finding, so that a list planted in it is the only one."""
    files = {
        str(path.relative_to(ROOT / CORE)): path.read_text(encoding="utf-8")
        for path in sorted(Path(ROOT / CORE).rglob("*"))
        if path.is_file() and path.suffix != ".pyc"
    }
    found = check_words({**files, PLANTED: "ACTING = ('send', 'delete', 'pay')"})

    assert [f"core/{PLANTED}"] == [path for path, _ in found]
