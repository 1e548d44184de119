"""The models of an evaluation, each loaded once: one may be asked as the agent, as its user and as the judge."""

from __future__ import annotations

import asyncio

from purestep_hosts.async_loop import completed, give_up, in_thread
from purestep_hosts.evaluation.plan import EvalModel
from purestep_hosts.models.model import Model, ModelEnd, ModelRequest, ReplySink, refused_by
from purestep_hosts.output_gate import OutputGate


class LoadedModels:
    """Loads models when they are first asked for, and keeps them."""

    def __init__(self) -> None:
        """Begin with none."""
        self._loaded: dict[str, Model] = {}
        self._loading = asyncio.Lock()

    async def of(self, model: EvalModel) -> Model:
        """Return a model, loaded; not for the one named `script`."""
        assert model.load is not None
        async with self._loading:
            if model.identity not in self._loaded:
                loaded = await in_thread(model.load)
                self._loaded[model.identity] = _OneAtATime(loaded) if model.runs_here else loaded
            return self._loaded[model.identity]

    def drop(self, model: EvalModel) -> None:
        """Let a model go that is not asked any more: a local one takes up memory."""
        self._loaded.pop(model.identity, None)


class _OneAtATime:
    """A model of this process, whose outputs wait for each other: the runs of a server's models may share it."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._asked = asyncio.Lock()

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def refused(self) -> tuple[str, ...]:
        return refused_by(self._model)

    async def acomplete(self, request: ModelRequest, gate: OutputGate) -> ModelEnd:
        async with self._asked:
            return await completed(self._model, request, gate)

    def complete(self, request: ModelRequest, reply: ReplySink) -> ModelEnd:
        return self._model.complete(request, reply)

    def stop(self) -> None:
        self._model.stop()

    def stop_reply(self, reply: ReplySink) -> None:
        give_up(self._model, reply)
