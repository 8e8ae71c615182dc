#!/usr/bin/env bash
# Holds the rules of countries against the verdicts of their published artefacts. Documents
# that are known to differ are counted in differs, with the reasons in docs/countries.md:
# more of them, or fewer, fail.
#
# usage: countries.sh EINVOICE FOLDER PARITY_SCRIPT
set -euo pipefail
binary=$1 folder=$2 script=$3
if ! test -d "$folder" || ! test -f "$script"; then
	echo "skipped: $folder or $script is not there, so there is nothing to compare the rules of countries with"
	exit 0
fi
expected() {
	case $1 in
	ro) echo "country 373/373; en16931 373/373; schema 400/400" ;;
	hr) echo "country 369/369; en16931 369/369; schema 400/400" ;;
	nl) echo "country 366/366; en16931 366/366; schema 400/400" ;;
	pt) echo "country 378/378; en16931 378/378; schema 400/400" ;;
	be) echo "country 371/371; en16931 371/371; schema 400/400" ;;
	fr) echo "country 609/609; en16931 607/609; schema 639/640" ;;
	esac
}
status=0
for country in ro hr nl pt be fr; do
	got=$(python3 "$script" "$binary" "$folder/$country" | tail -1 || true)
	echo "$country: $got"
	if test "$got" != "$(expected $country)"; then
		echo "$country: expected $(expected $country)"
		status=1
	fi
done
exit $status
