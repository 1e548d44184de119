"""What a run costs, in the terminal: the last row, the limit, and what is said where no price is known."""

import json
from typing import Any

import pytest

import purestep
from purestep_hosts.show.counts import Counts
from tests.cli.conftest import Shell, call, final

PRICE = {"input": 2_000_000, "cached_input": 500_000, "output": 8_000_000, "unit": "USD"}
USAGE = {"prompt_tokens": 1000, "cached_tokens": 600, "completion_tokens": 50}


def told(output: Any) -> dict[str, Any]:
    """Return an output whose tokens its server told."""
    return {"content": output, "usage": USAGE}


def costing(shell: Shell, *outputs: Any, price: Any = PRICE, options: tuple[str, ...] = ()) -> Any:
    """Run outputs of a model with a price."""
    models = [{"name": "script", **({} if price is None else {"price": price})}]
    (shell.folder / "agent.json").write_text(json.dumps({"tools": ["echo"], "models": models}))
    return shell.scripted(*outputs, options=("--agent", "agent.json", *options))


def test_last_row_and_summary_tell_the_cost(shell: Shell) -> None:
    """Of all model calls of the exchange, in the price's unit; `--json` has millionths."""
    outputs = (told(call("echo", text="tree")), told(final("It says tree.")))
    assert ", 0.003000 USD, " in costing(shell, *outputs).stderr.splitlines()[-1]
    summary = shell("summary", "last", "--sessions", str(shell.sessions))
    assert ["cost", "0.003000", "USD"] in [line.split() for line in summary.stdout.splitlines()]
    whole = json.loads(costing(shell, *outputs, options=("--json",)).stdout)
    assert 3000 == whole["usage"]["cost"]


def test_limit_ends_the_run_and_says_what_was_spent(shell: Shell) -> None:
    """With the exit code of limits; the amount is that of the option."""
    outputs = (told(call("echo", text="tree")), told(final("It says tree.")))
    run = costing(shell, *outputs, options=("--max-cost", "0.0015"))
    assert 5 == run.returncode
    assert "the budget max_cost of 0.0015 USD is used up (0.0015 USD)" in run.stderr
    assert [1500] == [event["cost"] for event in shell.facts("model_response")]
    assert 0 == costing(shell, *outputs, options=("--max-cost", "1")).returncode


def test_limit_without_a_price_is_refused_before_anything_is_asked(shell: Shell) -> None:
    """It could not be held; the message says where a price is given."""
    run = costing(shell, told(final("Yes.")), price=None, options=("--max-cost", "1"))
    assert 2 == run.returncode
    assert "no price of script is known; give it in an agent file with --agent, as models[].price" in run.stderr
    assert not shell.sessions.exists()


@pytest.mark.parametrize("amount", ["0", "-1", "nan", "inf", "0,05", "five", "1e-9", "1e300", "", "$1"])
def test_limit_that_is_no_amount_is_one_line(shell: Shell, amount: str) -> None:
    """With what is expected."""
    run = costing(shell, final("Yes."), options=(f"--max-cost={amount}",))
    assert 2 == run.returncode
    assert f"--max-cost is {amount!r}; expected an amount such as 0.05" in run.stderr


@pytest.mark.parametrize(
    ("outputs", "price", "expected"),
    [
        ([told(final("Yes."))], None, "cost unknown: no price for script, "),
        ([final("Yes.")], PRICE, "cost unknown: the server told no tokens, "),
        (
            [told(call("echo", text="a")), final("Yes.")],
            PRICE,
            "at least 0.001500 USD: the server told no tokens, ",
        ),
    ],
    ids=["no price", "no tokens", "in part"],
)
def test_what_is_not_known_is_said(shell: Shell, outputs: list[Any], price: Any, expected: str) -> None:
    """And never told as nothing: also not in JSON."""
    assert expected in costing(shell, *outputs, price=price).stderr.splitlines()[-1]
    assert json.loads(costing(shell, *outputs, price=price, options=("--json",)).stdout)["usage"]["cost"] is None


def test_model_that_costs_nothing_says_nothing_of_it(shell: Shell) -> None:
    """As one on this machine."""
    last = costing(shell, told(final("Yes.")), price={}).stderr.splitlines()[-1]
    assert "cost" not in last
    assert "1,000 tokens in (600 cached), 50 out, " in last


def test_limit_of_a_session_that_goes_on_is_the_one_that_it_began_with(shell: Shell) -> None:
    """The option would say something that does not hold."""
    costing(shell, told(final("Yes.")))
    again = shell("run", "--resume", "last", "--sessions", str(shell.sessions), "--max-cost", "1", "And now?")
    assert 2 == again.returncode
    assert "--max-cost goes with a new session" in again.stderr


@pytest.mark.parametrize(
    ("models", "expected"),
    [
        ([], ""),
        ([{"name": "m", "price": {}}], ""),
        ([{"name": "m", "price": PRICE}], "cost unknown: the server told no "),
    ],
    ids=["no price", "free", "priced"],
)
def test_server_on_this_machine_needs_no_price(models: list[Any], expected: str) -> None:
    """With one, what is not known is said, since a limit may wait for it."""
    agent = purestep.Agent.load({"dialect": "native", "models": models})
    asked = purestep.start(agent, purestep.UserMessage(content="Go"), run_id="r")
    answered = purestep.step(asked.state, purestep.ModelOutput(content="Yes."))
    counts = Counts()
    for _, event in purestep.read_events(asked.log + answered.log):
        counts.add(event)
    assert expected in counts.text(is_local=True)
    assert ("cost" in counts.text(is_local=True)) == bool(expected)


def test_unit_and_name_cannot_write_to_the_terminal(shell: Shell) -> None:
    """They come from files and servers."""
    unit = {**PRICE, "unit": "\x1b[31m\u202e"}
    last = costing(shell, told(final("Yes.")), price=unit).stderr.splitlines()[-1]
    assert "\\x1b[31m\\u202e" in last
    assert "\x1b" not in last
