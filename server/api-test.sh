#!/bin/sh
# Starts the program on a free port of loopback and tests its API with
# schemathesis, from the OpenAPI document that it serves.
#
#   api-test.sh PROGRAM SCHEMATHESIS [option of schemathesis]...
set -eu
program=$1 st=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
config=$here/schemathesis.toml
export SCHEMATHESIS_HOOKS="$here/schemathesis_hooks.py"
case $st in /*) ;; *) st=$PWD/$st ;; esac
work=$(mktemp -d)
key=$("$program" keys new --keys "$work/keys" api-test 2>/dev/null)
mkdir -p "$work/sources" "$work/results"
cp -r "$here/../cmd/einvoice/samples" "$work/sources/2025" # the source of the example
"$program" serve --bulk-sources "$work/sources" --bulk-results "$work/results" --listen 127.0.0.1:0 --keys "$work/keys" --rate 0 2>"$work/log" &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT INT TERM
address=
for _ in $(seq 120); do
	address=$(sed -n 's/.*"msg":"serving","address":"\([^"]*\)".*/\1/p' "$work/log")
	[ -n "$address" ] && break
	sleep 1
done
[ -n "$address" ] || { cat "$work/log" >&2; exit 1; }
cd "$work" # where schemathesis leaves its notes
# DELETE, which there is for jobs alone, cancels one; it stays, so that use_after_free is not a fault.
"$st" --config-file "$config" run "http://$address/openapi.json" -H "Authorization: Bearer $key" -H "Accept: application/json" --checks all --exclude-checks use_after_free "$@"
