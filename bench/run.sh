#!/bin/sh
# Times our move generators and our server against published ones: prepares the peers, builds, runs.
# Arguments go to agon-bench-peers: games to restrict it to, --json, --rounds N. `run.sh serve` measures only the server.
set -eu
cd "$(dirname "$0")"

venv=.venv
install_open_spiel() {
    # Debian keeps what `python3 -m venv` needs in a package of its own.
    python3 -c 'import ensurepip' 2>/dev/null || { apt-get update -qq && apt-get install -y -qq python3-venv; } || return
    python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check open_spiel==2.0.2
}

rules() {
    if ! "$venv/bin/python" -c 'import pyspiel' 2>/dev/null; then
        echo "installing OpenSpiel into bench/$venv" >&2
        install_open_spiel >&2 || echo "OpenSpiel could not be installed: playouts will be timed without a peer" >&2
    fi
    if "$venv/bin/python" -c 'import pyspiel' 2>/dev/null; then
        set -- --python "$venv/bin/python" "$@"
    fi
    cargo run --release --quiet -- "$@"
}

server() {
    if [ ! -d web/node_modules/boardgame.io ]; then
        echo "installing boardgame.io into bench/web/node_modules" >&2
        (cd web && npm ci --silent) >&2 || {
            echo "boardgame.io could not be installed: the server is measured without a peer (agon bench serve)" >&2
            cargo run --release --quiet --manifest-path ../Cargo.toml --bin agon -- bench serve --only moves
            return
        }
    fi
    cargo build --release --quiet --manifest-path ../Cargo.toml --bin agon
    node web/compare.js "${CARGO_TARGET_DIR:-../target}/release/agon" "$@"
}

case "${1-}" in
serve)
    shift
    server "$@"
    ;;
-* | '')
    status=0
    rules "$@" || status=$?
    server "$@" || status=$?
    exit "$status"
    ;;
*)
    rules "$@"
    ;;
esac
