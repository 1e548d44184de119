"""An adapter of one's own on the command line: it is asked as the shipped one is, and the log names it."""

import shutil

from purestep_hosts.models.adapters import SHIPPED, TAUGHT_NAME
from tests.cli.conftest import Shell

FILE = SHIPPED[TAUGHT_NAME].path


def test_an_adapter_of_ones_own_answers(shell: Shell) -> None:
    """The run's first line has its name and digest, and its weights are those that answer."""
    own = shutil.copy(FILE, shell.folder / "my_tools.gguf")
    result = shell("run", "What is 17 plus 25?", "--adapter", str(own), "--sessions", str(shell.sessions))
    assert (0, "42\n") == (result.returncode, result.stdout), result.stderr
    (model,) = shell.events()[0]["agent"]["models"]
    assert {"name": "my_tools", "sha256": SHIPPED[TAUGHT_NAME].sha256} == model["adapter"]


def test_an_adapter_goes_with_the_bundled_model(shell: Shell) -> None:
    """With another way of asking, or a file that is not there, the command says so before anything runs."""
    for options, said in (
        (("--adapter", str(FILE), "--dialect", "envelope"), "--adapter goes with the bundled model"),
        (("--adapter", str(FILE), "--base-url", "http://127.0.0.1:9/v1"), "--adapter goes with the bundled model"),
        (("--adapter", "none.gguf"), "none.gguf cannot be read"),
    ):
        result = shell("prompt", "Hello", *options)
        assert (2, True) == (result.returncode, said in result.stderr), result.stderr
