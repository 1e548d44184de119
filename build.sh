#!/usr/bin/env bash
# All commands for a checkout; ./build.sh help lists the verbs.
#
# A verb sets up what it needs first: .venv from the hash-checked locks in requirements/, web/node_modules from
# web/package-lock.json. A stamp of all that went in makes the next start skip the set-up.
set -euo pipefail

# The file itself, where it was started by a link to it; macOS had no readlink -f for long.
script=${BASH_SOURCE[0]}
while [[ -L $script ]]; do
  target=$(readlink "$script")
  if [[ $target == /* ]]; then script=$target; else script=$(dirname "$script")/$target; fi
done
root=$(cd "$(dirname "$script")" && pwd -P)
readonly root
readonly venv=$root/.venv
readonly cache=$root/.cache
readonly min_node=20 # the oldest release that the Pyodide tests are run on

usage() {
  cat <<'TEXT'
Usage: ./build.sh VERB [ARGUMENT...]

  run QUESTION...   ask the agent, e.g. ./build.sh run "What is 17 plus 25?"; takes the options of purestep run
  cli ...           any other command of purestep, e.g. ./build.sh cli --help
  test [ROOM] ...   run all tests, those of the core as coverage does, or those of one folder of tests/, such as core,
                    hosts or web (`rest`: all but the core's, and all but tuning); arguments go to pytest
  coverage          run the core's tests and fail if they cover fewer lines and branches than pyproject.toml demands
  lint [--fix]      check style, types, import rules and source rules; --fix first corrects and formats what it can
  report [HOST...]  run the conformance vectors on every host of this machine and print what differs
  report --moving [RUNS]  move random runs at every step among CPython, Node, Deno, Chromium and workerd
  bench ...         measure; arguments go to bench/run.py
  bench startup     measure imports and visits of a page, beside stock Pyodide and an earlier build made in .cache
  bench negotiation run simulated flaky models with and without negotiation
  bench rates       choose the first model by rates of success, beside always small and always large; see its --help
  bench durable     measure durable runs; durable-sizes prints workers and cost by runs a day
  bench small-model have the bundled model do strangers' tasks, as taught and untaught; see its --help
  bench page-model  measure the default model in a page, with its weights packed and unpacked
  bench frameworks  run scripted agents beside other frameworks, which it installs into .cache/peers
  fuzz [MINUTES]    fuzz every function that reads untrusted text, guided by coverage if atheris is installed in .venv;
                    arguments go to tools/fuzz, e.g. --seed 7
  explore [STATES]  make every sequence of observations for small definitions, with a rule for each promise;
                    arguments go to tools/exploring, e.g. asks parallel
  explore mutants   seed faults into copies of the core, and show that the exploration finds each; or those named
  crash [POINTS]    kill runs at every boundary of what they write and do, and check what is left; arguments go to
                    tools/crashing, e.g. --store sqlite, or --store page
  break [MINUTES]   attack what docs/guarantees.md promises, and count; arguments go to tools/breaking, e.g. --seed 7
  break logs [LOGS] change every byte of recorded logs, drop, swap, repeat and cut off lines, and count what is found
  break patterns    drive every regular expression of the tree with runs, and fail on growth above n^1.3
  web               build the npm package into web/dist/: its JavaScript, and the core with Pyodide
  serve ...         build the playground and open it in the browser; arguments go to vite preview, e.g. --port 8000
  site [BASE]       build documentation and playground as static files into web/dist-site/, for the path BASE of a host
  types             write the TypeScript types and tool specs of web/src/generated, and agent.schema.json, again
  tuning ...        teach the small model, e.g. ./build.sh tuning --tools my_tools.json; arguments go to tools/tuning, and
                    torch goes into .cache/tuning
  wheel             build the core's wheel and sdist and the hosts' wheel into dist/, and check them
  setup             install what these verbs need into .venv and web/node_modules
  help              show this
TEXT
}

say() { printf '%s\n' "$*" >&2; }
die() { say "build.sh: $*"; exit 1; }

# ---------------------------------------------------------------------------------------------- Python

# Succeeds if Python $1 starts (a shim may be on PATH and not), is a release the locks are for, and can make a venv.
usable_python() {
  "$1" -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' >/dev/null 2>&1
}

newest_python() {
  local name
  for name in python3.14 python3.13 python3.12 python3.11 python3 python; do
    if usable_python "$name"; then
      command -v "$name"
      return
    fi
  done
  die "no Python 3.11 to 3.14 with its venv module was found on PATH. Install one" \
    "(Debian: apt-get install python3 python3-venv) and run this again."
}

# The installers keep their own caches under HOME, so one must exist; the commands run afterwards keep the caller's.
with_home() {
  if [[ -z ${HOME:-} || ! -w $HOME ]]; then
    mkdir -p "$cache/home"
    HOME=$cache/home "$@"
  else
    "$@"
  fi
}

venv_pip() { "$venv/bin/python" -m pip --disable-pip-version-check --quiet --quiet "$@"; }

# What the stamp of lock $1 holds: a change of any of it, or of the checkout's place, makes the set-up run again.
stamp() { printf '%s\n' "$root" && cat "$root/requirements/$1.txt" "$root/pyproject.toml" "$root/hosts/pyproject.toml"; }

stamped() { [[ -x $venv/bin/python ]] && stamp "$1" | cmp -s - "$venv/$1.stamp"; }

fill_venv() {
  local lock=$1 python
  if stamped "$lock"; then
    return # another process did it while this one waited
  fi
  # Scripts in a venv name it by its full path, so a moved one has to be created again.
  if ! usable_python "$venv/bin/python" || [[ $(cat "$venv/place" 2>/dev/null) != "$root" ]]; then
    python=$(newest_python)
    say "Setting up .venv with $python; this is done once."
    rm -rf "$venv"
    "$python" -m venv "$venv" || die "$python could not make $venv; its own message is shown above."
    printf '%s\n' "$root" >"$venv/place"
  fi
  venv_pip install --require-hashes --only-binary :all: -r "$root/requirements/$lock.txt" \
    || die "the packages of requirements/$lock.txt could not be installed; pip's own message is shown above."
  venv_pip install --no-index --no-deps --no-build-isolation -e "$root" -e "$root/hosts" \
    || die "this checkout could not be installed into .venv; pip's own message is shown above."
  if [[ $lock == dev ]]; then
    "$venv/bin/python" -m pip check >/dev/null || die "requirements/ is out of date: run tools/lock.sh."
    stamp runtime >"$venv/runtime.stamp" # dev.txt holds all of runtime.txt
  fi
  stamp "$lock" >"$venv/$lock.stamp"
}

# exclusively COMMAND...: two verbs started at once must not fill one folder; without flock the user takes care of that.
exclusively() {
  mkdir -p "$cache"
  (
    if command -v flock >/dev/null; then flock 9; fi
    with_home "$@" 9>&-
  ) 9>"$cache/setup.lock"
}

readonly tuning=$cache/tuning
# By its version alone: each system has its own builds, for one GPU or another or for none, which no lock can name.
readonly torch=torch==2.13.0

tuning_stamp() { printf '%s\n' "$root" "$torch" && cat "$root/requirements/tuning.txt" "$root/pyproject.toml" "$root/hosts/pyproject.toml"; }

fill_tuning() {
  local python
  if tuning_stamp | cmp -s - "$tuning/stamp"; then return; fi
  python=$(newest_python)
  say "Setting up .cache/tuning with $python and $torch; this is done once."
  rm -rf "$tuning"
  "$python" -m venv "$tuning" || die "$python could not make $tuning; its own message is shown above."
  tuning_pip --require-hashes -r "$root/requirements/tuning.txt" \
    || die "the packages of requirements/tuning.txt could not be installed; pip's own message is shown above."
  tuning_pip "$torch" || die "$torch could not be installed; pip's own message is shown above."
  tuning_pip --no-index --no-deps --no-build-isolation -e "$root" -e "$root/hosts" \
    || die "this checkout could not be installed into .cache/tuning; pip's own message is shown above."
  tuning_stamp >"$tuning/stamp"
}

tuning_pip() { "$tuning/bin/python" -m pip --disable-pip-version-check --quiet --quiet install "$@"; }

need_python() { # LOCK: runtime or dev
  stamped "$1" || exclusively fill_venv "$1"
}

# ------------------------------------------------------------------------------------------------ Node

usable_node() {
  local version
  version=$(node --version 2>/dev/null) && version=${version#v} && ((${version%%.*} >= min_node)) && command -v npm >/dev/null
}

fill_node() {
  local lock=$root/web/package-lock.json stamp=$root/web/node_modules/lock.stamp
  if ! cmp -s "$lock" "$stamp"; then
    npm ci --prefix "$root/web" --no-audit --no-fund --loglevel=error >/dev/null \
      || die "the packages of web/package-lock.json could not be installed; npm's own message is shown above."
    cp "$lock" "$stamp"
  fi
  (cd "$root" && "$venv/bin/python" -m tools.wasm.wheels fetch) || die "the core's wheels for Pyodide are missing."
}

need_node() {
  usable_node || die "Node.js $min_node or later with npm was not found. Install it and run this again."
  exclusively fill_node
}

# ----------------------------------------------------------------------------------------------- verbs

run_lint() {
  local bin=$venv/bin failed=0 job
  local -a checks=() scripts web_files prettier=(node web/node_modules/prettier/bin/prettier.cjs --config web/.prettierrc.json --log-level warn)
  cd "$root"
  if [[ ${1:-} == --fix ]]; then
    "$bin/ruff" check --quiet --fix --exit-zero .
    "$bin/ruff" format --quiet .
  fi
  mapfile -t web_files < <(git ls-files --cached --others --exclude-standard -- \
    '*.ts' '*.tsx' '*.mjs' '*.js' '*.jsx' '*.css' '*.html' ':!web/src/generated' \
    ':!hosts/purestep_hosts/serve/dashboard')
  if [[ ${1:-} == --fix ]]; then "${prettier[@]}" --write "${web_files[@]}" >/dev/null; fi
  mapfile -t scripts < <(git ls-files --cached --others --exclude-standard -- '*.sh' .ci/run)
  check "$bin/ruff" check --quiet .
  check "$bin/ruff" format --quiet --check .
  check "$bin/mypy" --no-error-summary
  check "$bin/lint-imports" --no-cache
  check "$bin/shellcheck" "${scripts[@]}"
  check "$bin/python" -m tools.checks.sources
  check node web/node_modules/typescript/bin/tsc -p web --noEmit
  check node web/node_modules/typescript/bin/tsc -p web/playground --noEmit
  check node web/node_modules/typescript/bin/tsc -p web/dashboard
  check node web/node_modules/typescript/bin/tsc -p web/approve_page
  check "${prettier[@]}" --check "${web_files[@]}"
  for job in "${checks[@]}"; do wait "$job" || failed=1; done
  return "$failed"
}

# check COMMAND...: starts one check of run_lint beside the others; its output is shown only if it fails, in one piece.
check() {
  (
    if ! output=$("$@" 2>&1); then
      say "$output"$'\n'"lint: failed: $*"
      exit 1
    fi
  ) &
  checks+=("$!")
}

# The tests of the core, and the rooms that need neither Node nor a browser nor a web build.
readonly core_tests=(core formats policies drift vectors purity fuzz)
readonly python_rooms=("${core_tests[@]}" cli hosts packaging tools)
# Files stay together, because many share a server or a page. A process that crashes or hangs ends the run: pytest-xdist
# 3.8 may replace it and then wait for ever.
readonly in_parallel=(--maxprocesses 4 --dist loadfile --no-loadscope-reorder --max-worker-restart 0)

# Prints how many processes share the tests of $1: one for each processor, and one more where tests wait for browsers,
# servers and time limits while their processor has nothing to do. Each may open a browser, so they are four at most.
processes_for() {
  if [[ " ${core_tests[*]} " == *" $1 "* ]]; then
    echo auto
  else
    echo $(($(getconf _NPROCESSORS_ONLN) + 1))
  fi
}

run_test() {
  local room=${1:-}
  # A named file or option runs in one process; a room, or everything, runs on all processors.
  local -a places=() shared=(-n "$(processes_for "$room")" "${in_parallel[@]}" --durations 20)
  cd "$root"
  if [[ $room == tuning ]]; then
    shift
    exclusively fill_tuning
    # The settings of the rooms beside it are for .venv. Threads that wait leave their processor to others.
    exec env OMP_WAIT_POLICY=passive "$tuning/bin/python" -m pytest --confcutdir tests/tuning --durations 20 tests/tuning "$@"
  elif [[ $room == core ]]; then
    shift
    run_core_tests "$(getconf _NPROCESSORS_ONLN)" "$@"
    return
  elif [[ $room == rest ]]; then
    mapfile -t places < <(rooms_of_the_rest)
    shift
  elif [[ -n $room && -d tests/$room ]]; then
    places=("tests/$room")
    shift
  elif [[ -n $room && $room != -* && ! -e ${room%%::*} ]]; then
    die "tests/ has no room '$room'; the rooms are: $(cd tests && printf '%s ' [a-z]*/ | tr -d /)"
  elif (($#)); then
    shared=()
  fi
  if [[ " ${python_rooms[*]} " != *" $room "* ]]; then ready_engines; fi
  exec "$venv/bin/python" -m pytest "${shared[@]}" "${places[@]}" "$@"
}

# Processes that take files from each other: see tests/shared_files.py. The first one's output is shown as it comes, that
# of the others after it.
run_core_tests() { # PROCESSES OPTION...
  local number processes=$1 failed=0
  shift
  local -a tests=("$venv/bin/python" -m pytest --durations 20 -o console_output_style=classic "${core_tests[@]/#/tests/}" "$@")
  shared_files=$(mktemp -d)
  other_runs=()
  trap 'kill "${other_runs[@]}" 2>/dev/null || true; rm -rf "$shared_files"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  mkdir "$shared_files/taken"
  export PURESTEP_SHARED=$shared_files/taken
  for ((number = 1; number < processes && number < 4; number++)); do
    "${tests[@]}" -o cache_dir="$shared_files/cache-$number" >"$shared_files/$number.txt" 2>&1 </dev/null &
    other_runs+=("$!")
  done
  "${tests[@]}" || failed=1
  for ((number = 1; number <= ${#other_runs[@]}; number++)); do
    wait "${other_runs[number - 1]}" || failed=1
    cat "$shared_files/$number.txt"
  done
  other_runs=()
  return "$failed"
}

# Where the environment forbids Python to write bytecode, each of the hundreds of processes that tests start compiles the
# sources again: over a second for each that imports the hosts, and half of what collecting the tests costs.
keep_bytecode() { unset PYTHONDONTWRITEBYTECODE; }

rooms_of_the_rest() {
  local room
  for room in tests/[a-z]*/; do
    room=${room%/}
    if [[ " ${core_tests[*]} tuning " != *" ${room#tests/} "* ]] && compgen -G "$room/test_*.py" >/dev/null; then echo "$room"; fi
  done
}

# Runs all of ./build.sh test core, so that a CI run need not run that as well; tests/measured.py says how it measures, and
# pyproject.toml what is demanded. A subshell, because run_core_tests has traps of its own.
run_coverage() { # PROCESSES
  local measured=$cache/coverage failed=0
  rm -rf "$measured"
  mkdir -p "$measured"
  cd "$root"
  (run_core_tests "$1" --quiet -p tests.measured --measured-in="$measured") || failed=$?
  if ((failed > 128)); then return "$failed"; fi # somebody ended it
  "$venv/bin/python" -m slipcover --merge "$measured"/*.json --out "$measured/all.json" || failed=1
  return "$failed"
}

# Runs everything. Much of the rest is waiting, for the web build, for browsers, servers and time limits; the core's
# tests wait for nothing, so they run in that time. What they print is shown if they fail, in one piece.
run_all_tests() {
  local output=$cache/core-tests.txt failed=0
  mkdir -p "$cache"
  set -m # a group of its own, which an end before its time can take with it
  run_coverage "$(fewer_processes)" >"$output" 2>&1 </dev/null &
  set +m
  core_run=$!
  trap 'kill -- "-$core_run" 2>/dev/null || true' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  (run_test rest) || failed=1
  if wait "$core_run"; then
    printf "core: %s\n" "$(grep -E ' passed|^\(summary\)' "$output" | tr -s ' \n' ' ')"
  else
    failed=1
    cat "$output"
  fi
  trap - EXIT INT TERM
  return "$failed"
}

# One process for each processor but one, which is left to the tests beside them.
fewer_processes() {
  local processors
  processors=$(getconf _NPROCESSORS_ONLN)
  echo $((processors > 1 ? processors - 1 : 1))
}

# Makes ready what runs the core in JavaScript: Node and browsers where they can be installed, and the web build.
# Tests whose engine is missing are left out and named at the end of the run; with CI set they fail.
ready_engines() {
  install_engines
  if ! usable_node; then return; fi
  if (need_node && run_web && run_page); then
    export PURESTEP_BUILT=1 # the tests need not build it again
  else
    say "build.sh: the tests that run the core in JavaScript will fail, for the reason above."
  fi
}

install_engines() {
  local package
  local -a packages=()
  usable_node || packages+=(nodejs npm)
  on_path chromium chromium-browser google-chrome || packages+=(chromium)
  # Opens the tests' pages in half the time, where the system has it; without it they use the browser.
  on_path chromium-headless-shell chrome-headless-shell || ! has_package chromium-headless-shell \
    || packages+=(chromium-headless-shell)
  on_path firefox-esr firefox || packages+=(firefox-esr)
  on_path postgres || compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || packages+=(postgresql)
  on_path openssl || packages+=(openssl)
  if ((${#packages[@]} == 0)) || [[ $(id -u) != 0 ]] || ! on_path apt-get; then return; fi
  say "Installing with apt-get, for the tests of JavaScript engines, databases and timestamps: ${packages[*]}"
  apt-get update --quiet=2 || say "build.sh: apt-get could not update its lists; its own message is shown above."
  for package in "${packages[@]}"; do
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends "$package" >/dev/null \
      || say "build.sh: apt-get could not install $package; its own message is shown above."
  done
  hash -r
}

# Succeeds if apt-get's lists name package $1.
has_package() { on_path apt-cache && apt-cache show "$1" >/dev/null 2>&1; }

# on_path NAME...: succeeds if one of these programs is there.
on_path() {
  local name
  for name in "$@"; do
    if command -v "$name" >/dev/null; then return; fi
  done
  return 1
}

build_distribution() { # FOLDER SOURCES OPTION...
  local output
  output=$("$venv/bin/python" -m build --no-isolation --outdir "$@" 2>&1) || die "$output"
}

run_wheel() {
  local folder
  # The time of the last commit, so that the same commit gives the same bytes on every day.
  SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 1577836800)}
  export SOURCE_DATE_EPOCH
  rm -rf "$root/dist" "$cache/dist-again"
  for folder in "$root/dist" "$cache/dist-again"; do
    build_distribution "$folder" "$root"
    build_distribution "$folder" "$root/hosts" --wheel
  done
  diff -r "$root/dist" "$cache/dist-again" || die "two builds of the same sources differ."
  (cd "$root" && with_home "$venv/bin/python" -m tools.checks.wheels dist)
  ls "$root/dist"
}

run_types() {
  (cd "$root" && "$venv/bin/python" -m tools.types.wire_schema) \
    | node "$root/web/scripts/make_types.mjs" "$root/web/src/generated/wire.ts"
  (cd "$root" && "$venv/bin/python" -m tools.types.tool_data && "$venv/bin/python" -m tools.types.reply_bounds \
    && "$venv/bin/python" -m tools.types.definition_schema)
}

run_web() {
  "$root/web/node_modules/.bin/tsc" -p "$root/web" || die "web/src does not compile; the compiler's messages are shown above."
  node "$root/web/bundle/build.mjs" || die "the bundle could not be built; the reason is shown above."
  node "$root/web/dashboard/build.mjs" || die "the page of purestep serve could not be built; the reason is shown above."
  node "$root/web/verify_page/build.mjs" || die "the page that checks logs could not be built; the reason is shown above."
  node "$root/web/approve_page/build.mjs" || die "the page for phones could not be built; the reason is shown above."
  node "$root/web/scripts/one_file.mjs" || die "the package as one file could not be built; the reason is shown above."
  node "$root/web/bundle_workerd/build.mjs" || die "the worker for workerd could not be built; the reason is shown above."
}

run_page() {
  node "$root/web/node_modules/vite/bin/vite.js" build --config "$root/web/playground/vite.config.ts" --logLevel warn \
    || die "the playground could not be built; the reason is shown above."
}

run_serve() {
  # The page also works without the default model.
  PURESTEP_MODELS=$(cd "$root" && with_home "$venv/bin/python" -m tools.default_model) \
    || say "build.sh: the default model is not available, for the reason above; choose another one in the page."
  export PURESTEP_MODELS
  exec node "$root/web/node_modules/vite/bin/vite.js" preview --config "$root/web/playground/vite.config.ts" --open "$@"
}

# Only this needs the packages of the documentation.
fill_site() {
  local lock=$root/web/site/package-lock.json stamp=$root/web/site/node_modules/lock.stamp
  cmp -s "$lock" "$stamp" && return
  npm ci --prefix "$root/web/site" --no-audit --no-fund --loglevel=error >/dev/null \
    || die "the packages of web/site/package-lock.json could not be installed; npm's own message is shown above."
  cp "$lock" "$stamp"
}

run_site() { # BASE: where a host serves the folder, such as /purestep/
  node "$root/web/site/build.mjs" "${1:-/}" || die "the site could not be built; the reason is shown above."
  cp -R "$root/web/dist-playground" "$root/web/dist-site/playground"
}

main() {
  local verb=${1:-help}
  shift || true
  case $verb in
    run | cli)
      need_python runtime
      if [[ $verb == run ]]; then set -- run "$@"; fi
      exec "$venv/bin/purestep" "$@"
      ;;
    test)
      need_python dev
      keep_bytecode
      if (($#)); then
        run_test "$@"
      else
        run_all_tests
      fi
      ;;
    coverage)
      need_python dev
      keep_bytecode
      run_coverage "$(getconf _NPROCESSORS_ONLN)"
      ;;
    lint)
      need_python dev
      need_node
      run_lint "$@"
      ;;
    report)
      need_python dev
      need_node
      run_web
      cd "$root"
      exec "$venv/bin/python" -m tests.report.byte_report "$@"
      ;;
    bench)
      need_python dev
      cd "$root"
      if [[ ${1:-} == negotiation || ${1:-} == rates || ${1:-} == small-model ||
        ${1:-} == frameworks || ${1:-} == durable || ${1:-} == durable-sizes ]]; then
        exec "$venv/bin/python" bench/run.py "$@" # runs in Python alone
      fi
      need_node
      run_web
      exec "$venv/bin/python" bench/run.py "$@"
      ;;
    fuzz)
      need_python dev
      if [[ ${1:-} =~ ^[0-9.]+$ ]]; then set -- --minutes "$@"; fi
      cd "$root"
      exec "$venv/bin/python" -m tools.fuzz "$@"
      ;;
    explore)
      need_python dev
      cd "$root"
      if [[ ${1:-} == mutants ]]; then exec "$venv/bin/python" -m tools.exploring.mutant_runs "${@:2}"; fi
      if [[ ${1:-} =~ ^[0-9]+$ ]]; then set -- --states "$@"; fi
      exec "$venv/bin/python" -m tools.exploring "$@"
      ;;
    crash)
      need_python dev
      cd "$root"
      if [[ " $* " == *" page "* ]]; then need_node && run_web && run_page; fi
      exec "$venv/bin/python" -m tools.crashing "$@"
      ;;
    break)
      need_python dev
      cd "$root"
      if [[ ${1:-} == logs ]]; then exec "$venv/bin/python" -m tools.tampering "${@:2}"; fi
      if [[ ${1:-} == patterns ]]; then need_node && exec "$venv/bin/python" -m tools.patterns; fi
      if [[ ${1:-} =~ ^[0-9.]+$ ]]; then set -- --minutes "$@"; fi
      exec "$venv/bin/python" -m tools.breaking "$@"
      ;;
    web | types)
      need_python dev
      need_node
      "run_$verb"
      ;;
    site)
      need_python dev
      need_node
      exclusively fill_site
      run_web
      run_page
      run_site "$@"
      ;;
    serve)
      need_python dev
      need_node
      run_web
      run_page
      run_serve "$@"
      ;;
    tuning)
      exclusively fill_tuning
      cd "$root"
      exec env OMP_WAIT_POLICY=passive "$tuning/bin/python" -m tools.tuning "$@"
      ;;
    wheel)
      need_python dev
      run_wheel
      ;;
    setup)
      need_python dev
      need_node
      ;;
    help | -h | --help) usage ;;
    *)
      usage >&2
      die "there is no verb '$verb'; the verbs are listed above."
      ;;
  esac
}

main "$@"
