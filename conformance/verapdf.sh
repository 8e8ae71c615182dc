#!/bin/sh
# Usage: conformance/verapdf.sh DIR... : hold every PDF in these folders against
# PDF/A-3b, or against the profile in FLAVOUR (3a, 3u, ua1, ...; 0 is what each
# file claims). Prints how many passed, and for each that did not the clauses
# that it breaks. Fails if one did not pass, or there was none.
set -eu

test $# -gt 0 || { sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 2; }
verapdf=$(dirname "$0")/../bin/verapdf/verapdf
test -x "$verapdf" || { echo "veraPDF is not there; run make verapdf" >&2; exit 2; }

report=$(mktemp)
trap 'rm -f "$report"' EXIT
"$verapdf" --flavour "${FLAVOUR:-3b}" --recurse --format text --verbose "$@" >"$report" 2>&1 || true
awk '
	/^PASS / { passed++ }
	/^FAIL / { failed++; print; next }
	/^  FAIL / { clauses[$2]++; print; next }
	!/^PASS / && NF { other++; print } # a file that veraPDF cannot read, or words of its own
	END {
		printf "%d passed, %d failed\n", passed, failed
		for (c in clauses) printf "  clause %s: %d files\n", c, clauses[c]
		exit failed > 0 || passed == 0 || other > 0
	}
' "$report"
