#!/bin/sh
# Generates clients from the OpenAPI document that the program serves, compiles them, and
# has each call every group of operations. Needs python3, node and npm, Java and Maven;
# what is missing is said and skipped.
#
#   make.sh PROGRAM FOLDER    FOLDER keeps what is downloaded and generated
set -eu
program=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
case $program in /*) ;; *) program=$PWD/$program ;; esac
mkdir -p "$work"
cd "$work"
OPENAPI_GENERATOR=7.17.0 OAPI_CODEGEN=v2.5.1 PYTHON_CLIENT=0.28.3 TYPESCRIPT=5.9.3

rm -f keys
: >log # which the loop below reads before the server writes
key=$("$program" keys new --keys keys client-test 2>/dev/null)
rm -rf sources results
mkdir -p sources results && cp -r "$here/../../cmd/einvoice/samples" sources/samples
tar -cf archive.tar -C sources samples
"$program" serve --bulk-sources sources --bulk-results results --listen 127.0.0.1:0 --keys keys --rate 0 2>log &
server=$!
trap 'kill $server 2>/dev/null' EXIT INT TERM
address=
until [ -n "$address" ]; do
	kill -0 $server || { cat log >&2; exit 1; } # it ended
	sleep 0.1
	address=$(sed -n 's/.*"msg":"serving","address":"\([^"]*\)".*/\1/p' log)
done
export EINVOICE_URL="http://$address" EINVOICE_KEY="$key"
export EINVOICE_SAMPLES="$here/../../cmd/einvoice/samples" EINVOICE_REQUEST="$here/../../service/create/testdata/smallest.json" EINVOICE_ARCHIVE="$PWD/archive.tar"
python3 -c 'import os, urllib.request; open("openapi.json", "wb").write(urllib.request.urlopen(os.environ["EINVOICE_URL"] + "/openapi.json").read())'

has() { for tool in "$@"; do command -v "$tool" >/dev/null || { echo "skipped: there is no $tool"; return 1; }; done; }

echo "oapi-codegen $OAPI_CODEGEN"
rm -rf go && mkdir -p go/einvoice && cp "$here/testdata/client_test_go.txt" go/main.go
(
	cd go
	go mod init client 2>/dev/null
	go run "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@$OAPI_CODEGEN" -generate types,client -package einvoice ../openapi.json >einvoice/client.go
	go mod tidy 2>/dev/null
	go run .
)

if has python3; then
	echo "openapi-python-client $PYTHON_CLIENT"
	[ -d venv ] || python3 -m venv venv
	venv/bin/pip -q install "openapi-python-client==$PYTHON_CLIENT" ruff
	PATH="$PWD/venv/bin:$PATH" venv/bin/openapi-python-client generate --path openapi.json --output-path python-httpx --overwrite >python-httpx.log 2>&1
	venv/bin/pip -q install ./python-httpx
	venv/bin/python "$here/testdata/client_test_httpx.py"
fi

if has java mvn; then
	jar=openapi-generator-cli-$OPENAPI_GENERATOR.jar
	[ -f "$jar" ] || mvn -q dependency:copy "-Dartifact=org.openapitools:openapi-generator-cli:$OPENAPI_GENERATOR" -DoutputDirectory=.
	generate() { rm -rf "$2" && java -jar "$jar" generate -i openapi.json -g "$1" -o "$2" $3 >"$2.log" 2>&1; }
	if has python3; then
		echo "openapi-generator $OPENAPI_GENERATOR, Python"
		generate python python ""
		venv/bin/pip -q install --force-reinstall ./python
		venv/bin/python "$here/testdata/client_test.py"
	fi
	if has node npm; then
		echo "openapi-generator $OPENAPI_GENERATOR, TypeScript $TYPESCRIPT"
		mkdir -p typescript && generate typescript-fetch typescript/client ""
		cp "$here/testdata/client_test.ts" typescript/
		(
			cd typescript
			[ -d node_modules ] || npm install --silent --no-save "typescript@$TYPESCRIPT" @types/node@22
			npx tsc --strict --skipLibCheck --target es2022 --module commonjs --moduleResolution node --lib es2022,dom --types node --outDir out client_test.ts
			node out/client_test.js
		)
	fi
	echo "openapi-generator $OPENAPI_GENERATOR, Java"
	generate java java "--library native --additional-properties=hideGenerationTimestamp=true,openApiNullable=false"
	cp "$here/testdata/ClientTest.java" java/src/main/java/
	(
		cd java
		mvn -q -DskipTests -Dmaven.javadoc.skip=true package dependency:copy-dependencies
		java -cp "target/classes:target/dependency/*" ClientTest
	)
fi
