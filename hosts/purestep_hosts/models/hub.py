"""Models of the Hugging Face hub by name: a GGUF file that is fetched once and kept in the hub's own cache.

    hf:ORG/REPO          the repository's GGUF file; of several, the one of four bits (Q4_K_M)
    hf:ORG/REPO:FILE     that file, or the one file whose name holds this, such as Q8_0

The library `huggingface_hub` does the fetching, so HF_ENDPOINT, HF_HOME, HF_TOKEN and HF_HUB_OFFLINE mean what they
mean elsewhere. What was fetched before is loaded without asking the hub again.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from purestep_hosts.download import DownloadError
from purestep_hosts.extras import HUB
from purestep_hosts.show.sanitize import one_line
from purestep_hosts.show.streams import inner_stream

if TYPE_CHECKING:
    from huggingface_hub.utils.tqdm import tqdm

_PART: Final = re.compile(r"(.*)-00001-of-([0-9]{5})\.gguf")
"""The first of several files that one model is split into; llama.cpp finds the others beside it."""
_LATER_PART: Final = re.compile(r".*-[0-9]{5}-of-[0-9]{5}\.gguf")
_MAX_PARTS: Final = 64
"""The largest models that are shared have some thirty parts."""
_DEFAULT: Final = "q4_k_m"
"""Half the size of eight bits at little loss; what other programs take by default too."""
_LIST_TIMEOUT_S: Final = 20
"""A list is short; where a hub does not give it in that time a person had rather know."""
_MAX_LISTED: Final = 12
"""File names that an error lists."""


def hub_model(name: str) -> Path:
    """Return the file of a model, fetched first if it is not in the cache, with a progress bar on a terminal.

    name: what stands after `hf:`, as `prefixed_names.hub_name` returns it. Raises DownloadError, MissingExtraError.
    """
    HUB.require()
    from huggingface_hub.utils.logging import set_verbosity

    set_verbosity(logging.ERROR)  # its warnings are for programmers, with addresses in them
    repository, _, wanted = name.partition(":")
    try:
        file = wanted if wanted.endswith(".gguf") else _meant(repository, wanted)
        first, *rest = _files(repository, file)
        path = _fetched(repository, first)
        for part in rest:
            _fetched(repository, part)
    except Exception as error:
        raise _explained(error, name) from None
    return path


def _files(repository: str, file: str) -> list[str]:
    """Return a file and the others that its model is split into."""
    split = _PART.fullmatch(file)
    if split is None:
        return [file]
    count = int(split[2])
    if count > _MAX_PARTS:
        raise DownloadError(f"{file} of {repository} has {count} parts; at most {_MAX_PARTS} are fetched")
    return [f"{split[1]}-{number:05}-of-{split[2]}.gguf" for number in range(1, count + 1)]


def _listed(repository: str) -> list[str]:
    """Return the GGUF files of a repository."""
    from huggingface_hub import HfApi

    told = HfApi().model_info(repository, timeout=_LIST_TIMEOUT_S)
    return _models_in(each.rfilename for each in told.siblings or ())


def _models_in(files: Iterable[str]) -> list[str]:
    return sorted(file for file in files if file.endswith(".gguf"))


def _cached(repository: str) -> list[str]:
    """Return the GGUF files of a repository that were fetched before."""
    from huggingface_hub import CacheNotFound, scan_cache_dir

    try:
        known = scan_cache_dir().repos
    except CacheNotFound:
        return []
    kept = [revision for repo in known if repo.repo_id == repository for revision in repo.revisions]
    return _models_in(
        file.file_path.relative_to(revision.snapshot_path).as_posix()
        for revision in kept
        if "main" in revision.refs
        for file in revision.files
    )


def _meant(repository: str, wanted: str) -> str:
    """Return the file that is meant: one that was fetched before, else one of the repository."""
    known = _fitting(_cached(repository), wanted)
    return _chosen(known) or _of_repository(repository, wanted)


def _fitting(files: Sequence[str], wanted: str) -> list[str]:
    """Return the files whose names hold a text; of a split model the first part stands for all."""
    whole = [file for file in files if _PART.fullmatch(file) or not _LATER_PART.fullmatch(file)]
    return [file for file in whole if wanted.lower() in file.lower()]


def _chosen(fitting: Sequence[str]) -> str:
    """Return the only file, or that of four bits; "" where neither tells which."""
    preferred = [file for file in fitting if _DEFAULT in file.lower()]
    return next((found[0] for found in (fitting, preferred) if len(found) == 1), "")


def _of_repository(repository: str, wanted: str) -> str:
    files = _listed(repository)
    whole, fitting = _fitting(files, ""), _fitting(files, wanted)
    if chosen := _chosen(fitting):
        return chosen
    if not whole:
        raise DownloadError(f"{repository} has no GGUF file; give a repository that has, often one named …-GGUF")
    listed = ", ".join(map(one_line, whole[:_MAX_LISTED])) + (" …" if len(whole) > _MAX_LISTED else "")
    many = f"has {len(fitting)} files that fit" if fitting else f"has no file that fits {wanted!r}"
    raise DownloadError(f"{repository} {many}; name one as hf:{repository}:FILE. Its files: {listed}")


def _fetched(repository: str, file: str) -> Path:
    from huggingface_hub import hf_hub_download, try_to_load_from_cache

    known = try_to_load_from_cache(repository, file)
    return Path(known if isinstance(known, str) else hf_hub_download(repository, file, tqdm_class=_bar()))


def _bar() -> type[tqdm]:
    """Return the library's progress bar, on the terminal itself, and none where there is no terminal."""
    from huggingface_hub.utils.tqdm import tqdm

    class Bar(tqdm):
        def __init__(self, *args: Any, **options: Any) -> None:
            out = inner_stream(sys.stderr)
            label = one_line(str(options.get("desc") or "model"))
            own = {"file": out, "desc": label, "disable": not out.isatty()}
            super().__init__(*args, **{**options, **own})  # type: ignore[no-untyped-call]

    return Bar


def _explained(error: Exception, name: str) -> DownloadError:
    """Return what a person can do about an error of the library, whose own texts are for programmers."""
    import httpx2
    from huggingface_hub import errors

    match error:
        case DownloadError():
            return error
        case errors.GatedRepoError():
            said = "is shared with those who accepted its terms: accept them on its page, and set HF_TOKEN"
        case errors.RepositoryNotFoundError():
            said = "is not on the hub, or is private: check the name, or set HF_TOKEN"
        case errors.RemoteEntryNotFoundError():
            said = "has no such file: check its name, or leave it out to have the files listed"
        case errors.OfflineModeIsEnabled():
            said = "is not in the cache, and HF_HUB_OFFLINE forbids to fetch it"
        case errors.HfHubHTTPError():
            status = getattr(error.response, "status_code", "unknown")
            said = f"was not fetched: the hub answered with status {status}. Try again later"
        case (
            httpx2.TransportError() | errors.LocalEntryNotFoundError() | ConnectionError() | errors.FileMetadataError()
        ):
            said = (
                "is not in the cache, and the hub cannot be reached. Is this machine online? HF_ENDPOINT names another"
            )
        case OSError():
            said = (
                f"was not kept ({error.strerror or type(error).__name__}); make room, or set HF_HOME to another folder"
            )
        case _:
            said = f"was not fetched ({type(error).__name__}). Try again"
    return DownloadError(f"The model {name} {said}. Or give the path of a GGUF file.")
