#!/bin/sh
# Times our move generators against published ones: prepares the peers, builds, runs.
# Arguments go to agon-bench-peers: games to restrict it to, --json, --rounds N.
set -eu
cd "$(dirname "$0")"

venv=.venv
install_open_spiel() {
    # Debian keeps what `python3 -m venv` needs in a package of its own.
    python3 -c 'import ensurepip' 2>/dev/null || { apt-get update -qq && apt-get install -y -qq python3-venv; } || return
    python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check open_spiel==2.0.2
}
if ! "$venv/bin/python" -c 'import pyspiel' 2>/dev/null; then
    echo "installing OpenSpiel into bench/$venv" >&2
    install_open_spiel >&2 || echo "OpenSpiel could not be installed: playouts will be timed without a peer" >&2
fi
if "$venv/bin/python" -c 'import pyspiel' 2>/dev/null; then
    set -- --python "$venv/bin/python" "$@"
fi

exec cargo run --release --quiet -- "$@"
