#!/usr/bin/env bash
# Runs the independent parity script, which comes with the suites, on each suite. Usage:
#
#   parity.sh EINVOICE_BINARY SUITES PARITY_SCRIPT [OPTION...]
#
# The script does not know accepted differences, so the documents that
# expected_differences.yaml names are left out; `einvoice conformance` compares them.
set -euo pipefail

binary=$1 suites=$2 script=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n 's/^ *document: *\(.*\)/"file": "\1"/p' "$(dirname "$0")/expected_differences.yaml" >"$work/accepted"

status=0
while read -r verdicts; do
	from=$(cd "$(dirname "$verdicts")" && pwd)
	suite=$work/suite
	mkdir "$suite"
	ln -s "$from"/*.xml "$suite"
	grep -vFf "$work/accepted" "$from/verdicts.jsonl" >"$suite/verdicts.jsonl"
	if test -f "$from/manifest.jsonl"; then cp "$from/manifest.jsonl" "$suite"; fi
	left=$(($(wc -l <"$from/verdicts.jsonl") - $(wc -l <"$suite/verdicts.jsonl")))
	echo "${from##*/suites/}$(test "$left" = 0 || echo " without $left documents with accepted differences")"
	python3 "$script" "$binary" "$suite" "$@" || status=1
	rm -r "$suite"
done < <(find "$suites" -name verdicts.jsonl | sort)
exit $status
