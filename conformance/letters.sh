#!/bin/sh
# Usage: conformance/letters.sh PROGRAM SUITES DIR : make a PDF in DIR of each of the 40 letters of
# the XRechnung test suite (its documents in UBL, without those that have every term), and count
# their pages with pdfinfo, and how often each size of type is set with pdftohtml, both of poppler.
# Fails if fewer than 30 letters are on one page, or if type is smaller than 8 points.
set -eu

test $# -eq 3 || { sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 2; }
mkdir -p "$3"
rm -f "$3"/*.pdf
for xml in "$2"/xrechnung-testsuite/*ubl.xml; do
	name=$(basename "$xml" .xml)
	case $name in *comprehensive* | *cvd*) continue ;; esac
	"$1" render --language de --look din5008 "$xml" -o "$3/$name.pdf" 2>/dev/null
done
for pdf in "$3"/*.pdf; do
	printf 'pages %d %s\n' "$(pdfinfo "$pdf" | awk '/^Pages:/ {print $2}')" "$(basename "$pdf")"
	pdftohtml -xml -stdout -i -zoom 3 "$pdf" # sizes are whole numbers, in thirds of a point
done | awk '
	/^pages / { letters++; single += $2 == 1; if ($2 > 1) longer = longer "  " $2 " pages: " $3 "\n"; delete size }
	/<fontspec/ { match($0, /id="[0-9]+"/); id = substr($0, RSTART+4, RLENGTH-5); match($0, /size="[0-9]+"/); size[id] = substr($0, RSTART+6, RLENGTH-7) / 3 }
	/<text/ { match($0, /font="[0-9]+"/); s = sprintf("%.1f", size[substr($0, RSTART+6, RLENGTH-7)]); set[s]++; small += s + 0 < 7.9 }
	END {
		printf "%d of %d letters are on one page\n%s", single, letters, longer
		for (s in set) printf "  %4.1f points: %d texts\n", s, set[s] | "sort -n"
		exit letters != 40 || single < 30 || small > 0
	}'
