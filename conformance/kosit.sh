#!/bin/bash
# Usage: conformance/kosit.sh BINARY JAR CONFIGURATION OUT SUITES... : check all documents
# of the suites with KoSIT's validator (JAR, the standalone one) and with BINARY, by the
# scenarios.xml in the folder CONFIGURATION, and leave the reports in OUT/kosit and
# OUT/einvoice. Prints the processor time of both. conformance/kosit_test.go compares.
set -eu

test $# -ge 5 || { sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 2; }
binary=$1 jar=$2 configuration=$3 out=$4
shift 4
rm -rf "$out"
mkdir -p "$out/documents"
for suite in "$@"; do
	(cd "$suite" && find . -name '*.xml' | sed 's|^\./||') | while read -r file; do
		ln -s "$(realpath "$suite/$file")" "$out/documents/$(printf %s "$file" | sed 's|/|__|g')"
	done
done
TIMEFORMAT="processor time: %U s user, %S s system; %R s by the clock"
echo "KoSIT's validator, $(ls "$out/documents" | wc -l) documents"
time nice -n 19 java -Xmx1g -jar "$jar" -l INFO -s "$configuration/scenarios.xml" -r "$configuration" -o "$out/kosit" "$out/documents" </dev/null >"$out/kosit.out" 2>"$out/kosit.log" || true
echo "einvoice"
time nice -n 19 "$binary" kosit -s "$configuration/scenarios.xml" -r "$configuration" -o "$out/einvoice" "$out/documents" </dev/null >"$out/einvoice.out" || true
