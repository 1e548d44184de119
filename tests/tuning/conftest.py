"""The base model and what is made of it, once for all tests."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import torch

from purestep_hosts.download import default_model
from tools.tuning.packing import Encode
from tools.tuning.training.base import Base
from tools.tuning.training.llama import Llama
from tools.tuning.training.teaching import encoder_of

Begun = Callable[[int], Llama]
"""Returns a model of so many layers, with the matrices of a training that begins."""


@pytest.fixture(scope="session")
def base_path() -> Path:
    """The base model's file."""
    return default_model()


@pytest.fixture(scope="session")
def base(base_path: Path) -> Base:
    """The base model's file, open."""
    return Base(base_path)


@pytest.fixture(scope="session")
def encode(base_path: Path) -> Encode:
    """What encodes texts with the base's tokenizer."""
    return encoder_of(base_path)


@pytest.fixture(scope="session")
def begun(base: Base) -> Begun:
    """What begins a training of the base model, or of its first layers alone, which is quicker."""
    weights = base.weights()

    def model(layers: int) -> Llama:
        torch.manual_seed(0)
        return Llama(msgspec.structs.replace(base.shape, layers=layers), weights, 32, torch.float32)

    return model
