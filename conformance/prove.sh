#!/usr/bin/env bash
# Proves the rulesets of countries, of EN 16931 and of XRechnung against their published files,
# and records what was seen in conformance/proofs. The files are those of a checkout of
# phax/phive-rules.
#
# usage: prove.sh EINVOICE PHIVE_RULES COUNTRIES SUITES [NAME...]
set -euo pipefail
binary=$1 phive=$2 countries=$3 suites=$4
shift 4
here=$(dirname "$0")
mkdir -p "$here/proofs"
prove() { # NAME FOLDER RULESET ORIGINAL...
	local name=$1 on=$2 ruleset=$3
	shift 3
	local originals=()
	for file in "$@"; do originals+=(--original "$phive/phive-rules-$file"); done
	echo "$name"
	local status=0
	"$binary" rules prove "$ruleset" "${originals[@]}" --on "$on" --record "$here/proofs/$name.yaml" >"bin/proof-$name.txt" || status=$?
	test $status -le 1
	tail -1 "bin/proof-$name.txt"
}
s=src/main/resources/external/schematron
wanted() { test $# -eq 1 || { local n=$1; shift; [[ " $* " == *" $n "* ]]; }; }
run() { if wanted "$1" "${names[@]}"; then prove "$@"; fi; }
names=("$@")
run cius-ro "$countries/ro" cius-ro cius-ro/$s/1.0.9/ROeFactura-UBL-validation-Invoice_v1.0.9.xslt
run hr-eracun "$countries/hr" hr-eracun eracun/$s/1.0.3/HR-CIUS-EXT-EN16931-UBL.xslt
run nlcius "$countries/nl" nlcius simplerinvoicing/$s/simplerinvoicing/si-ubl-2.0.3.13.xslt simplerinvoicing/$s/nlcius/nlcius-cii-1.0.3.13.xslt
run nlcius-gaccount "$countries/nl" nlcius-gaccount simplerinvoicing/$s/simplerinvoicing/si-ubl-2.0-ext-gaccount-1.0.13.xslt
run cius-pt "$countries/pt" cius-pt cius-pt/$s/2.1.1/urn_feap.gov.pt_CIUS-PT_2.1.1.xslt
run ubl-be "$countries/be" ubl-be ublbe/$s/ublbe/en16931/v1.31/GLOBALUBL.BE.xslt
run fr-ctc "$countries/fr" fr-ctc france/$s/ctc/1.4.0.03/xslt/20260804_BR-FR-Flux2-Schematron-{UBL,CII}_V1.4.0.03.xslt
run fr-ctc-extended "$countries/fr" fr-ctc-extended france/$s/ctc/1.4.0.03/xslt/20260804_EXTENDED-CTC-FR-{UBL,CII}-V1.4.0.03.xslt
run xrechnung "$suites/xrechnung-testsuite" xrechnung xrechnung/$s/3.0.2/XRechnung-{UBL,CII}-validation.xslt
run en16931 "$suites/cen-examples" en16931 en16931/$s/1.3.16/ubl/EN16931-UBL-validation.xslt en16931/$s/1.3.16/cii/EN16931-CII-validation.xslt
