#!/bin/sh
# Usage: conformance/verapdf.sh DIR... : validate every PDF in these folders with veraPDF,
# as PDF/A-3b or as the profile in FLAVOUR (3a, 3u, ua1, ...; 0 is what each file claims).
# Prints how many passed, and for each that did not the clauses that it violates. Fails if
# one did not pass, or if there was none.
set -eu

test $# -gt 0 || { sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 2; }
verapdf=$(dirname "$0")/../bin/verapdf/verapdf
test -x "$verapdf" || { echo "veraPDF is not there; run make verapdf" >&2; exit 2; }

report=$(mktemp)
trap 'rm -f "$report"' EXIT
"$verapdf" --flavour "${FLAVOUR:-3b}" --recurse --format text --verbose "$@" 2>/dev/null >"$report" || true
awk -v files="$(find "$@" -type f -name '*.pdf' | wc -l)" '
	function validated(name) {
		sub(/^[A-Z]+ /, "", name)
		sub(/ [^ ]*$/, "", name) # the profile it was validated as; a file can claim several
		if (!(name in seen)) { seen[name]; read++ }
	}
	/^PASS / { passed++; validated($0) }
	/^FAIL / { failed++; validated($0); print }
	/^  FAIL / { clauses[$2]++; print }
	END {
		printf "%d files, %d could not be read; %d claims hold, %d do not\n", files, files - read, passed, failed
		for (c in clauses) printf "  clause %s: %d times\n", c, clauses[c]
		exit failed > 0 || files == 0 || read < files
	}
' "$report"
