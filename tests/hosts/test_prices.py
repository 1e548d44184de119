"""Prices of well-known models: found in the data by address and name, put into definitions, and never guessed."""

import json
import subprocess
import sys
from typing import Any

import msgspec
import pytest
from genai_prices.data_snapshot import get_snapshot

import purestep
from purestep_hosts import Agent, ScriptedModel, says
from purestep_hosts.extras import PRICES
from purestep_hosts.models import prices
from purestep_hosts.models.anthropic import anthropic_model
from purestep_hosts.models.google import google_model
from purestep_hosts.models.named import named_model
from purestep_hosts.models.openai_http import HttpModel
from purestep_hosts.models.prices import free, known_price, with_prices

OPENAI = "https://api.openai.com/v1/chat/completions"


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("gpt-5", OPENAI),
        ("gpt-5", "https://api.openai.com/v1/responses"),
        ("claude-sonnet-4-5", "https://api.anthropic.com/v1/messages"),
        ("gemini-2.5-flash", "https://generativelanguage.googleapis.com"),
        ("openai/gpt-5", "https://openrouter.ai/api/v1/chat/completions"),
        ("llama-3.3-70b-versatile", "https://api.groq.com/openai/v1/chat/completions"),
        ("deepseek-chat", "https://api.deepseek.com/chat/completions"),
        ("openai/gpt-5", None),
        ("anthropic/claude-sonnet-4-5", None),
    ],
)
def test_price_of_a_well_known_model_is_found(name: str, url: str | None) -> None:
    """By its address and its name there, or by LiteLLM's name; the core takes it, and output costs more than input."""
    price = known_price(name, url)
    assert price is not None
    purestep.Agent.load({"models": [{"name": name, "price": price}], "limits": {"max_cost": 1}})
    first = price[0] if isinstance(price, list) else price
    assert 0 < first["input"] < first["output"]
    assert "USD" == first["unit"]


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("gpt-5", "https://gateway.example.org/v1"),
        ("gpt-5", "http://127.0.0.1:4000/v1"),
        ("no-such-model", OPENAI),
        ("", OPENAI),
        ("gpt-5", "http://[half"),
        ("nobody/knows", None),
        ("sonar", "https://api.perplexity.ai"),
    ],
    ids=["gateway", "this machine", "unknown", "no name", "no address", "provider", "each request has a price too"],
)
def test_price_that_is_not_known_is_none(name: str, url: str | None) -> None:
    """A server of somebody else may take any price for a model of the same name."""
    assert known_price(name, url) is None


def test_every_price_of_the_data_is_one_that_a_definition_may_have() -> None:
    """Of thousands of models; each tier has a price of its own."""
    found = 0
    for provider in get_snapshot().providers:
        for model in provider.models:
            price = prices._as_member(prices._of_today(model))
            if price is not None:
                found += 1
                purestep.Agent.load({"models": [{"name": model.id, "price": price}]})
    assert found > 1000


def test_long_prompts_have_their_own_price() -> None:
    """As the data say it of this model: above 200,000 tokens all of them cost more."""
    short, long = known_price("gemini-2.5-pro", "https://generativelanguage.googleapis.com")  # type: ignore[misc]
    assert (0, 200_000) == (short.get("above", 0), long["above"])
    assert short["input"] < long["input"]
    assert short["cached_input"] < long["cached_input"]


def test_price_of_the_definition_stands() -> None:
    """Also one of nothing, and one in a profile; the others are filled in."""
    models: list[dict[str, Any]] = [
        {"name": "gpt-5", "price": {}},
        {"name": "gpt-5-mini", "profile": {"price": {"input": 7}}},
        {"name": "gpt-5-nano"},
        {"name": "gpt-none"},
    ]
    found = with_prices({"models": models}, "gpt-5", prices.price_at(OPENAI))["models"]
    assert models[:2] == found[:2]
    assert known_price("gpt-5-nano", OPENAI) == found[2]["price"]
    assert models[3] == found[3]


@pytest.mark.parametrize("definition", [{"models": 3}, {"models": ["a", {"name": 1}, None]}, {"models": {}}])
def test_what_is_no_list_of_models_is_left_to_the_core(definition: dict[str, Any]) -> None:
    """Which names the place."""
    assert definition == with_prices(definition, "", free) or definition == {"models": {}}


def test_definition_of_a_named_model_has_its_price(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Python as `openai:gpt-5` or as an object; one on this machine costs nothing, one elsewhere is not known."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert known_price("gpt-5", OPENAI) == named_model("openai:gpt-5").defined({})["models"][0]["price"]
    assert {} == named_model("ollama:llama3.2").defined({})["models"][0]["price"]
    assert {} == named_model("bundled").defined({})["models"][0]["price"]
    assert "price" not in named_model("m", "https://gateway.example.org/v1").defined({})["models"][0]
    objects = [
        HttpModel(OPENAI, model="gpt-5"),
        anthropic_model("claude-sonnet-4-5", api_key="k"),
        google_model("gemini-2.5-flash", api_key="k"),
    ]
    for model in objects:
        (spec,) = Agent(model).definition.definition.models
        assert spec.price is not None, model.name


def test_asking_is_the_same_with_and_without_a_price() -> None:
    """It changes what is counted, and nothing of a request but that the model is named."""
    asked = []
    for models in ([], [{"name": "m", "price": {"input": 1}}]):
        agent = purestep.Agent.load({"dialect": "native", "tools": [{"name": "t"}], "models": models})
        step = purestep.start(agent, purestep.UserMessage(content="Go"), run_id="r")
        asked.append(json.loads(msgspec.json.encode(step.decision)) | {"model": "m"})
    assert asked[0] == asked[1]


def test_run_tells_its_cost() -> None:
    """In millionths of the unit; None where it is not known, and of two runs where one is not."""
    usage = purestep.Usage(prompt_tokens=1000, completion_tokens=100, cached_tokens=600)
    price = {"input": 2_000_000, "output": 10_000_000, "cached_input": 500_000, "unit": "USD"}

    def cost(*outputs: Any, models: Any) -> Any:
        return Agent(ScriptedModel(list(outputs)), dialect="native", models=models).run_sync("Go").usage

    told = purestep.ModelOutput(content="Hi.", usage=usage)
    priced = cost(told, models=[{"name": "m", "price": price}])
    unknown = cost(told, models=[{"name": "m"}])
    assert 400 * 2 + 600 // 2 + 1000 == priced.cost
    assert unknown.cost is None
    assert cost(told, models=[{"name": "m", "price": {}}]).cost == 0
    in_profile = [{"name": "m", "profile": {"price": price}}]
    assert priced.cost == cost(told, models=in_profile).cost
    assert cost(says("Hi."), models=in_profile).cost is None
    assert cost(says("Hi."), models=[{"name": "m", "price": price}]).cost is None
    assert (2 * priced.cost, None) == ((priced + priced).cost, (priced + unknown).cost)


def test_next_exchange_has_its_own_cost() -> None:
    """As it has its own budgets; the prices of the definition hold on."""
    told = purestep.ModelOutput(content="Hi.", usage=purestep.Usage(prompt_tokens=10, completion_tokens=1))
    models = [{"name": "m", "price": {"input": 1_000_000, "output": 0, "unit": "USD"}}]
    agent = Agent(ScriptedModel([told, told]), dialect="native", models=models)
    first = agent.run_sync("one")
    second = agent.run_sync("two", after=first)
    assert (10, 10) == (first.usage.cost, second.usage.cost)


def test_without_the_extra_no_price_is_known() -> None:
    """The package is asked for when a hosted model is named, and only then imported."""
    code = (
        "import sys; sys.modules['genai_prices'] = None\n"
        "from purestep_hosts.models.openai_http import HttpModel\n"
        "from purestep_hosts import Agent\n"
        f"print(Agent(HttpModel({OPENAI!r}, model='gpt-5')).definition.definition.models[0].price)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert "None\n" == done.stdout, done.stderr


def test_the_extra_is_not_imported_for_a_model_on_this_machine() -> None:
    """It takes a tenth of a second."""
    code = (
        "import sys\n"
        "from purestep_hosts import Agent\n"
        "Agent('bundled'); Agent('ollama:llama3.2')\n"
        "print('genai_prices' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "False\n" == done.stdout
    PRICES.require()
