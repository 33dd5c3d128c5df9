#!/bin/sh
# Stands in for `agon` where tournaments are started: it notes what it is asked for, and plays until its input is closed.
echo "$@" >> ../../asked
case "$2" in
check)
    grep -q 'name = "bad"' "$4" && echo "error: refused because of --strict: no sandbox" >&2 && exit 2
    exit 0
    ;;
run)
    mkdir -p "$5" && cp "$3" "$5/tournament.toml"
    cat > /dev/null
    exit 130
    ;;
resume)
    cat > /dev/null
    exit 130
    ;;
esac
