# shellcheck shell=bash
# Find or build the Python environment that runs this checkout. Sourced by the scripts beside it.
#
# The environment holds the dependencies; the package itself is used from the checkout, which may be
# read-only. It lies in .venv, else in the user's cache folder, else in a private temporary folder.
# A stamp, written last, says for which pyproject.toml and interpreter a set of packages is complete:
# with it in place nothing is started but bash and a checksum. Everything said here goes to stderr.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
env_dir=  # what use_environment found or built
spec=     # checksum of pyproject.toml, which names the dependencies

say() { printf 'jokersim: %s\n' "$*" >&2; }

refuse() {
    say "$1"
    exit "${2:-2}"
}

checksum() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi
}

# Complete for this pyproject.toml and the interpreter that it was built with?
is_current() { # DIR SET
    local stamp
    [[ -x $1/bin/python && -r $1/.stamp-$2 ]] || return 1
    IFS= read -r stamp <"$1/.stamp-$2" || return 1
    [[ $stamp == "$spec $(readlink -f "$1/bin/python")" ]]
}

# The folders that an environment may lie in, best first.
list_places() {
    local cache=
    places=("$root/.venv")
    if [[ ${XDG_CACHE_HOME:-} == /* ]]; then
        cache=$XDG_CACHE_HOME
    elif [[ ${HOME:-} == /* && -d $HOME ]]; then
        cache=$HOME/.cache
        [[ $OSTYPE == darwin* ]] && cache=$HOME/Library/Caches
    fi
    # Named by its content, so that checkouts with the same dependencies share one.
    [[ -n $cache ]] && places+=("$cache/jokersim/env-${spec:0:16}")
    private=${TMPDIR:-/tmp}/jokersim-env-$UID
    places+=("$private/env-${spec:0:16}")
}

# What lies in a shared temporary folder is run only if nobody else could have put it there.
is_trusted() { # DIR
    [[ $1 == "$private"/* ]] || return 0
    [[ -d $private && ! -L $private && -O $private && $(ls -ld "$private") == drwx------* ]]
}

# Make DIR's parent and open its lock as file 9.
open_lock() { # DIR
    if [[ $1 == "$private"/* ]]; then
        mkdir -m 700 "$private" 2>/dev/null || is_trusted "$1" || return 1
    fi
    mkdir -p "$(dirname "$1")" 2>/dev/null || return 1
    [[ ! -e $1 || -w $1 ]] || return 1
    { exec 9>>"$1.lock"; } 2>/dev/null
}

# The interpreter to build with: $PYTHON, else the first on the path that is new enough and whole
# (some systems package venv apart).
find_python() {
    local name
    local -a names=(python3 python3.13 python3.12 python3.11 python3.14 python)
    [[ -n ${PYTHON:-} ]] && names=("$PYTHON")
    for name in "${names[@]}"; do
        python=$(command -v "$name") || continue
        "$python" -I -c '
import ensurepip, sys, venv
sys.exit(sys.version_info < (3, 11))' 2>/dev/null && return
    done
    refuse "no usable Python: ${PYTHON:-python3} must be Python 3.11 or newer with the venv module (set PYTHON to name another)"
}

# flock(2) through Python, since flock(1) is not everywhere. Freed when this shell and what it started
# are gone, however they end.
take_lock() {
    "$python" -I -c '
import fcntl, sys
try:
    fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print("jokersim: waiting for another set-up to end", file=sys.stderr)
    fcntl.flock(9, fcntl.LOCK_EX)'
}

# Install SET into DIR and stamp it. Fails if a package cannot be had, returns 3 if one is broken.
install() { # DIR SET
    local -a lines=()
    local line
    while IFS= read -r line; do lines+=("$line"); done \
        < <("$1/bin/python" -I "$root/scripts/_requirements.py" list "$2")
    [[ ${#lines[@]} -gt 0 ]] || return 3
    "$1/bin/python" -I -m pip install --quiet --quiet --disable-pip-version-check --no-input \
        --prefer-binary "${lines[@]}" >&2 || return 1
    "$1/bin/python" -I "$root/scripts/_requirements.py" check "$2" >&2 || return 3
    line="$spec $(readlink -f "$1/bin/python")"
    rm -f "$1/.building" && printf '%s\n' "$line" >"$1/.stamp-run" || return 1
    [[ $2 == run ]] || printf '%s\n' "$line" >"$1/.stamp-$2"
}

# Some makers of environments leave pip out; then Python's own copy goes in.
has_pip() { # PYTHON
    "$1" -I -c 'import pip' 2>/dev/null || "$1" -I -m ensurepip >/dev/null 2>&1
}

# Complete what is in DIR, or start anew where that was left half-built or is broken.
build() { # DIR SET
    local status
    if [[ ! -e $1/.building ]] && has_pip "$1/bin/python"; then
        rm -f "$1"/.stamp-* && : >"$1/.building" || return
        install "$1" "$2" && return
        status=$?
        if [[ $status -ne 3 ]]; then # pip said why, and left what was there as it was
            rm -f "$1/.building"
            return "$status"
        fi
    fi
    rm -rf "$1" && mkdir "$1" && : >"$1/.building" || return
    "$python" -I -m venv "$1" >&2 || return
    install "$1" "$2"
}

# Set env_dir to an environment that is complete for SET: run, or test with the test tools as well.
use_environment() { # SET
    local dir
    local -a places
    local private python
    read -r spec _ < <(checksum "$root/pyproject.toml")
    list_places
    for dir in "${places[@]}"; do
        if is_current "$dir" "$1" && is_trusted "$dir"; then
            env_dir=$dir
            return
        fi
    done
    find_python
    for dir in "${places[@]}"; do
        open_lock "$dir" || continue
        take_lock || refuse "cannot lock $dir.lock" 1
        if ! is_current "$dir" "$1"; then
            say "setting up the environment for '$1' in $dir, once (about a minute)"
            build "$dir" "$1" ||
                refuse "could not set up $dir: the packages in pyproject.toml must be installable with pip" 1
        fi
        exec 9>&-
        env_dir=$dir
        return
    done
    refuse "no folder for the environment: none of ${places[*]} can be written; set HOME to a folder of yours"
}
