#!/usr/bin/env bash
# Writes the lock files in requirements/ and web/ again, after a dependency changed: tools/lock.sh [--upgrade]
#
# Every locked file is named by its hash and by nothing else. No lock names the address of an index, so that the same
# files install from any mirror: pip and npm ask the index that the machine has set up.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly UV_VERSION=0.13.9 # resolves for every platform and Python at once, which pip cannot
readonly lock_venv=.cache/lock

if ! "$lock_venv/bin/uv" --version 2>/dev/null | grep -qF "uv $UV_VERSION"; then
  python3 -m venv "$lock_venv"
  "$lock_venv/bin/python" -m pip install --quiet --quiet --disable-pip-version-check "uv==$UV_VERSION"
fi

# The extra litellm needs another huggingface-hub than the extra hub, so it has a lock of its own.
readonly -a EXTRAS=(--extra cli --extra eval --extra hub --extra local --extra mcp --extra openai --extra prices --extra serve)

# compile_lock OUTPUT ARGUMENT...: what both distributions with these extras and the named groups need, for Python 3.11
# and later.
# The core is a requirement of the hosts and is installed from this checkout, so it is no entry of a lock.
compile_lock() {
  local output=$1
  shift
  "$lock_venv/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes "${EXTRAS[@]}" \
    --no-header --no-emit-package purestep \
    --output-file "$output" "$@" pyproject.toml hosts/pyproject.toml
}

compile_lock requirements/runtime.txt --group build "$@"
# With the run-time lock as constraints, both locks name the same version of everything they share. The command needs no
# database and no server of workflows, and signs nothing unless it is asked to: only the tests do.
compile_lock requirements/dev.txt --extra anchor --extra durable --extra metrics --extra receipt --extra temporal --extra traces --group dev \
  --constraint requirements/runtime.txt "$@"

# The core's dependencies at the lower bounds of their ranges, for tools/checks/versions.py.
"$lock_venv/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --resolution lowest-direct \
  --no-header --no-annotate --output-file requirements/lowest.txt --group lowest pyproject.toml "$@"

# What renders the wheels' README as a package index does: see tools/checks/wheels.py.
"$lock_venv/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-header --output-file requirements/release.txt --group release "$@"

# pyodide-build needs Python 3.12, which nothing else of ours does: its checks run in a venv of their own.
"$lock_venv/bin/uv" pip compile --quiet --universal --python-version 3.12 --generate-hashes \
  --no-header --output-file requirements/pyodide.txt --group pyodide "$@"

# Installed without dependencies, into a folder of its own: see tests/formats/grammars/xgrammar_alone.py and
# tests/locked_packages.py.
"$lock_venv/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-deps \
  --no-header --no-annotate --output-file requirements/xgrammar.txt --group xgrammar "$@"

# Installed into a folder of its own too: see tests/locked_packages.py.
"$lock_venv/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-header --no-annotate --output-file requirements/litellm.txt --group litellm "$@"

# COSE verifiers that are not ours, which need another release of cbor2.
"$lock_venv/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-header --no-annotate --output-file requirements/cose.txt --group cose "$@"

# As are the vendors' own clients, for their types.
"$lock_venv/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-header --no-annotate --output-file requirements/vendors.txt --group vendors --constraint requirements/dev.txt "$@"

# Other frameworks: see bench/frameworks.py.
"$lock_venv/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-header --output-file requirements/peers.txt --group peers "$@"

# What teaching the small model needs besides torch, which build.sh installs: see fill_tuning there.
"$lock_venv/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --extra local \
  --group build --group tuning --constraint requirements/runtime.txt --no-header --no-emit-package purestep \
  --output-file requirements/tuning.txt "$@" pyproject.toml hosts/pyproject.toml

"$lock_venv/bin/python" tools/wasm/wheels.py lock
npm install --prefix web --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund --loglevel=error >/dev/null
