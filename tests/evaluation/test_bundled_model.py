"""The bundled model in an evaluation: it is asked as it was taught, whatever the cases say of a dialect."""

from purestep_hosts.cli.eval_models import eval_model
from purestep_hosts.evaluation.judge_model import judge_definition
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.models.adapters import SHIPPED, TAUGHT_NAME
from purestep_hosts.models.named import BUNDLED


def test_the_bundled_model_is_the_taught_one() -> None:
    """Its dialect, its entry and its identity name the adapter, and as a judge it is asked in its dialect too."""
    with Interrupts() as interrupts:
        model = eval_model(BUNDLED, None, None, interrupts)
    assert (TAUGHT_NAME, "compact") == (model.name, model.dialect)
    assert SHIPPED[TAUGHT_NAME].sha256 == model.entry["adapter"]["sha256"] == model.identity.split()[-1]
    assert "compact" == judge_definition(model.entry, model.dialect)["dialect"]
