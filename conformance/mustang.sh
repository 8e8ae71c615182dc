#!/bin/sh
# Usage: conformance/mustang.sh DIR [EVERY] : validate the PDFs of a folder, or one of
# EVERY, with Mustang. Prints how many it reports as valid, and the others with the rules
# that it reports. Fails if there is one.
set -eu

test $# -gt 0 || { sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 2; }
jars=$(dirname "$0")/../bin/mustang/jars
test -d "$jars" || { echo "Mustang is not there; run make mustang" >&2; exit 2; }
mustang() { java -cp "$jars/*" org.mustangproject.commandline.Main --no-notices "$@"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/pdf"
ls "$1" | awk -v every="${2:-1}" 'NR % every == 0' | while read -r name; do cp "$1/$name" "$work/pdf/"; done

mustang --action validateExpectValid -d "$work/pdf" >"$work/report" 2>&1 || true
valid=$(grep -c 'Testing file.* valid (' "$work/report" || true)
total=$(ls "$work/pdf" | wc -l)
echo "$valid of $total are valid to Mustang"
sed -n 's/.* invalid (\(.*\)).*/\1/p' "$work/report" | while read -r file; do
	echo "invalid: $(basename "$file")"
	mustang --action validate --source "$file" 2>/dev/null | sed -n 's/.*<error[^>]*>\(.*\)<\/error>.*/  \1/p'
done
test "$valid" -eq "$total"
