#!/bin/sh
# Starts Epistream on the Node that lies beside this file. Without a command: records, with the screen in the browser.
#   epistream                        the page opens at http://localhost:4310
#   epistream --data D --ui 5000     the same, with another data folder and port
#   epistream status                 a command; "epistream --help" lists them
here=$(dirname "$(readlink -f "$0")")
# One pool of memory for all threads, which leaves fewer holes than one for each.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"
case "${1:-}" in
--help | --version) ;;
'' | -*) set -- run --ui 4310 --open "$@" ;;
esac
exec "$here/node" --max-semi-space-size=2 "$here/dist/main/cli.js" "$@"
