"""Settings: precedence, sources, and errors that say what to change."""

from __future__ import annotations

from pathlib import Path

import pytest
import rich.pretty

from purestep_hosts.settings import Settings, SettingsError, load_settings

URL = "http://127.0.0.1:8080/v1"
COMPLETIONS = f"{URL}/chat/completions"


def load(folder: Path, flags: dict[str, str | None] | None = None, dotenv: str = "", **environment: str) -> Settings:
    """Load the settings of a folder, with this `.env` and this environment."""
    if dotenv:
        (folder / ".env").write_text(dotenv)
    return load_settings(flags or {}, environment=environment, folder=folder)


@pytest.fixture
def gguf(tmp_path: Path) -> str:
    """The path of a file that could be a model."""
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF")
    return str(path)


def test_nothing_set_means_the_built_in_model(tmp_path: Path) -> None:
    """The first run needs no configuration."""
    assert load(tmp_path) == Settings(kind="built_in")


def test_flag_wins_over_environment_over_dotenv(tmp_path: Path) -> None:
    """Each value comes from the nearest source, and the source is told; the key stays with the server of its own."""
    found = load(
        tmp_path,
        {"OPENAI_MODEL": "from-flag", "OPENAI_API_KEY": None},
        f"OPENAI_MODEL=from-file\nOPENAI_BASE_URL={URL}\nOPENAI_API_KEY=file-key\n",
        OPENAI_MODEL="from-environment",
        OPENAI_API_KEY="environment-key",
    )
    assert found == Settings(
        kind="openai",
        url=COMPLETIONS,
        model="from-flag",
        api_key=None,
        sources={"OPENAI_BASE_URL": ".env", "OPENAI_API_KEY": "environment", "OPENAI_MODEL": "flag"},
        chosen_by=".env",
        chosen_name="OPENAI_BASE_URL",
        withheld="OPENAI_API_KEY",
    )


@pytest.mark.parametrize(
    ("flag", "environment", "dotenv", "key"),
    [
        ({}, {"OPENAI_BASE_URL": URL, "OPENAI_API_KEY": "k"}, "", "k"),
        ({}, {"OPENAI_BASE_URL": URL}, "OPENAI_API_KEY=k", "k"),
        ({"OPENAI_BASE_URL": URL}, {"OPENAI_API_KEY": "k"}, "", "k"),
        ({"OPENAI_BASE_URL": URL}, {}, "OPENAI_API_KEY=k", "k"),
        ({}, {}, f"OPENAI_BASE_URL={URL}\nOPENAI_API_KEY=k", "k"),
        ({}, {"OPENAI_API_KEY": "k"}, "OPENAI_MODEL=m", "k"),
        ({}, {"OPENAI_API_KEY": "k"}, f"OPENAI_BASE_URL={URL}", None),
        ({}, {"LLM_API_KEY": "k"}, f"LLM_ENDPOINT={URL}", None),
    ],
)
def test_key_never_goes_to_an_address_from_a_less_trusted_source(
    tmp_path: Path, flag: dict[str, str | None], environment: dict[str, str], dotenv: str, key: str | None
) -> None:
    """Flags are trusted most, then the environment, then the folder's `.env`; OpenAI's own address is built in."""
    assert key == load(tmp_path, flag, dotenv, **environment).api_key


@pytest.mark.parametrize(
    ("environment", "dotenv", "chosen_by"),
    [
        ({"OPENAI_BASE_URL": URL}, "OPENAI_MODEL=m", "environment"),
        ({}, f"OPENAI_BASE_URL={URL}", ".env"),
        ({"OPENAI_API_KEY": "k"}, "OPENAI_MODEL=m", ".env"),
        ({"OPENAI_MODEL": "m"}, "OPENAI_API_KEY=k", "environment"),
        ({}, f"LLM_ENDPOINT={URL}", ".env"),
    ],
)
def test_source_that_chose_the_server_is_told(
    tmp_path: Path, environment: dict[str, str], dotenv: str, chosen_by: str
) -> None:
    """Also where a model's name alone sends the question to OpenAI."""
    assert chosen_by == load(tmp_path, None, dotenv, **environment).chosen_by


def test_empty_value_is_no_value(tmp_path: Path) -> None:
    """An empty variable, as a copied example has them, does not hide the next source."""
    found = load(tmp_path, None, f"OPENAI_BASE_URL={URL}\n", OPENAI_BASE_URL="", OPENAI_API_KEY=" ")
    assert (found.url, found.api_key, found.model) == (COMPLETIONS, None, "default")


def test_endpoint_is_used_as_it_is(tmp_path: Path) -> None:
    """A full address is not changed, and another server's key is not sent to it."""
    found = load(tmp_path, LLM_ENDPOINT="http://h/any/path", LLM_MODEL="m", OPENAI_API_KEY="sk-other")
    assert (found.kind, found.url, found.model, found.api_key) == ("endpoint", "http://h/any/path", "m", None)


def test_model_and_key_alone_mean_openai_itself(tmp_path: Path) -> None:
    """The usual two variables are enough."""
    found = load(tmp_path, OPENAI_API_KEY="k", OPENAI_MODEL="m")
    assert ("https://api.openai.com/v1/responses", "m") == (found.url, found.model)


ALONE = {
    "OPENAI_API_KEY": ("openai", "https://api.openai.com/v1/responses"),
    "ANTHROPIC_API_KEY": ("anthropic", "https://api.anthropic.com/v1/messages"),
    "GEMINI_API_KEY": ("google", "https://generativelanguage.googleapis.com"),
    "GOOGLE_API_KEY": ("google", "https://generativelanguage.googleapis.com"),
    "OPENROUTER_API_KEY": ("openrouter", "https://openrouter.ai/api/v1/chat/completions"),
    "GROQ_API_KEY": ("groq", "https://api.groq.com/openai/v1/chat/completions"),
}


@pytest.mark.parametrize("name", ALONE)
def test_key_alone_chooses_its_server_and_no_model(tmp_path: Path, name: str) -> None:
    """The model is asked of the server or of the user; the built-in one does not step in."""
    found = load(tmp_path, **{name: "k"})
    assert ALONE[name] == (found.server_kind, found.url)
    assert (None, "k", "environment", name) == (found.model, found.api_key, found.chosen_by, found.chosen_name)


@pytest.mark.parametrize(
    ("dotenv", "environment", "chosen"),
    [
        ("", {"OLLAMA_HOST": "127.0.0.1:5", "OPENAI_API_KEY": "k"}, "OLLAMA_HOST"),
        ("", {"OLLAMA_HOST": "127.0.0.1:5", "LLM_ENDPOINT": COMPLETIONS}, "LLM_ENDPOINT"),
        ("", {"GROQ_API_KEY": "k", "GEMINI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}, "ANTHROPIC_API_KEY"),
        ("", {"OPENAI_API_KEY": "k", "GROQ_API_KEY": "k", "GROQ_MODEL": "m"}, "GROQ_MODEL"),
        ("", {"OPENAI_API_KEY": "k", "GROQ_MODEL": "m"}, "OPENAI_API_KEY"),
        ("", {"OPENAI_API_KEY": "k", "OLLAMA_MODEL": "m"}, "OLLAMA_MODEL"),
        (f"OPENAI_BASE_URL={URL}", {"ANTHROPIC_API_KEY": "k"}, "OPENAI_BASE_URL"),
        ("GROQ_API_KEY=k", {"OPENROUTER_API_KEY": "k"}, "OPENROUTER_API_KEY"),
        ("", {"ANTHROPIC_BASE_URL": URL, "VLLM_BASE_URL": URL}, ""),
    ],
)
def test_of_several_variables_one_chooses(
    tmp_path: Path, dotenv: str, environment: dict[str, str], chosen: str
) -> None:
    """What names a server or a model comes before a key alone; the address of a kind alone chooses nothing."""
    assert chosen == load(tmp_path, None, dotenv, **environment).chosen_name


def test_address_of_a_kind_from_a_folder_gets_no_key_of_the_environment(tmp_path: Path) -> None:
    """As with OpenAI's own variables."""
    found = load(tmp_path, None, "GROQ_BASE_URL=http://evil.example\nGROQ_MODEL=m", GROQ_API_KEY="k")
    assert (None, "GROQ_API_KEY", ".env") == (found.api_key, found.withheld, found.chosen_by)
    assert "http://evil.example/openai/v1/chat/completions" == found.url


def test_nearest_way_wins_and_the_local_one_among_equals(tmp_path: Path, gguf: str) -> None:
    """A flag beats the environment; with both in one place nothing leaves the machine."""
    assert load(tmp_path, MODEL_PATH=gguf, OPENAI_BASE_URL=URL).kind == "file"
    assert load(tmp_path, {"OPENAI_BASE_URL": URL}, MODEL_PATH=gguf).kind == "openai"
    assert load(tmp_path, OPENAI_BASE_URL=URL, LLM_ENDPOINT="http://h/x").kind == "openai"


def test_environment_is_not_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading .env leaves the process as it was, and .env of other folders is not read."""
    monkeypatch.delenv("LLM_MODEL", raising=False)
    (tmp_path / ".env").write_text(f"LLM_ENDPOINT={URL}\nLLM_MODEL=m\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    assert load_settings({}, environment={}, folder=inner).kind == "built_in"
    assert load_settings({}, environment={}, folder=tmp_path).model == "m"
    assert "LLM_MODEL" not in __import__("os").environ


def test_dotenv_is_read_literally(tmp_path: Path) -> None:
    """Quotes and comments are understood, variables are not expanded, a byte order mark is skipped."""
    text = f"\ufeff# note\nexport OPENAI_BASE_URL='{URL}' # here\nOPENAI_API_KEY=a$HOME\n"
    found = load(tmp_path, None, text)
    assert (found.url, found.api_key) == (COMPLETIONS, "a$HOME")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("OPENAI_BASE_URL", "127.0.0.1:8080", "web address"),
        ("OPENAI_BASE_URL", "ftp://host/v1", "web address"),
        ("OPENAI_BASE_URL", "http://", "web address"),
        ("OPENAI_BASE_URL", "http://host:99999/v1", "web address"),
        ("OPENAI_BASE_URL", "http://ho st/v1", "web address"),
        ("OPENAI_BASE_URL", "http://me:pw@host/v1", "password"),
        ("LLM_ENDPOINT", "nonsense", "web address"),
        ("MODEL_PATH", "/no/such/model.gguf", "not a file"),
        ("OPENAI_MODEL", "m", "OPENAI_API_KEY"),
    ],
)
def test_wrong_value_is_named_with_its_source(tmp_path: Path, name: str, value: str, said: str) -> None:
    """The error tells which setting, from where, and what was expected."""
    with pytest.raises(SettingsError, match=said) as raised:
        load(tmp_path, None, "", **{name: value})
    assert raised.value.message.startswith(f"{name} (from environment)")


@pytest.mark.parametrize("key", ["a b", "a\nb", "schlüssel"])
def test_damaged_key_is_refused_without_showing_it(tmp_path: Path, key: str) -> None:
    """A key with a line break would break the request; the message does not hold it."""
    with pytest.raises(SettingsError) as raised:
        load(tmp_path, OPENAI_BASE_URL=URL, OPENAI_API_KEY=key)
    assert key not in raised.value.message


def test_line_that_is_no_setting_is_named(tmp_path: Path) -> None:
    """A malformed .env names its line."""
    with pytest.raises(SettingsError, match="line 2"):
        load(tmp_path, None, "OPENAI_MODEL=m\n'oops\n")


def test_dotenv_that_is_no_text_is_told(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 give a sentence."""
    (tmp_path / ".env").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="cannot be read"):
        load(tmp_path)


def test_printing_never_shows_the_key(tmp_path: Path) -> None:
    """Not plainly, not formatted, not through rich."""
    found = load(tmp_path, OPENAI_BASE_URL=URL, OPENAI_API_KEY="sk-secret")
    for text in (repr(found), str(found), f"{found}", rich.pretty.pretty_repr(found)):
        assert "sk-secret" not in text
        assert "[hidden]" in text


def test_example_file_is_valid(tmp_path: Path) -> None:
    """The example, copied as it is, changes nothing; each of its lines, used, is understood."""
    example = (Path(__file__).parents[2] / ".env.example").read_text()
    assert load(tmp_path, None, example).kind == "built_in"
    used = example.replace("# OPENAI", "OPENAI").replace("# LLM", "LLM")
    assert load(tmp_path, None, used).url == COMPLETIONS
