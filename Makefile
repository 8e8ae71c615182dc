# Every task of the project; `make help` lists them.

GO        ?= go
BIN       := bin/einvoice
SUITES    ?= ../shared/suites
MORE      ?= ../shared/more
COUNTRIES ?= ../shared/countries
PARITY    ?= ../shared/tools/parity.py
FUZZTIME  ?= 20s
MUTANTS   ?= 1000000
SOAKTIME  ?= 4m
GROWTH    ?= 0
GROWTH_SEED ?= 1
TRANSLATIONS ?= 600
TRANSLATIONS_SEED ?= 1
BULK_DOCUMENTS ?= 100000
BULK_KILLS ?= 50
BULK_LARGEST ?= 1000000
LINE_TIME    ?= 3m
LINE_A_DAY   ?= 1000000
MUSTANG_EVERY ?= 10
# Of how many documents of each suite make pdfs takes one.
PDFS_EVERY ?= 1
# The revision of the source, where there is no version control to ask.
REVISION  ?=
# What is built has no tables for debuggers, a quarter of its size; the stack of a fault stays readable.
LDFLAGS   := -s -w -X einvoice/cmd/internal/cli.revision=$(REVISION)
# The tool that looks for known vulnerabilities.
VULN      := golang.org/x/vuln/cmd/govulncheck@v1.1.4
# The tool that tests the API from its OpenAPI document.
SCHEMATHESIS := schemathesis==4.32.5
# The validator of KoSIT (its standalone jar) and the folder of its configuration.
KOSIT_JAR    ?= bin/kosit/validator-standalone.jar
KOSIT_CONFIG ?= bin/kosit/configuration
# What checks the Helm chart, and the version of Kubernetes that it is checked for.
HELM        := helm.sh/helm/v3/cmd/helm@v3.16.4
KUSTOMIZE   := sigs.k8s.io/kustomize/kustomize/v5@v5.7.1
KUBECONFORM := github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7
KUBERNETES  := 1.31.0
# Where kubeconform finds the schemas: default downloads them.
KUBE_SCHEMAS ?= default
# Packages that the program for browsers has without inlining, which would be a twelfth of
# what is loaded: nothing in them takes the time of a verdict.
WASM_SMALL := github.com/... golang.org/... google.golang.org/... cel.dev/... crypto/... net/... image/... encoding/gob einvoice/formats/pdf/... einvoice/formats/parse/...
# What packages of other languages have inside them is without inlining in these, for its size.
WASI_SMALL := github.com/... golang.org/... google.golang.org/... cel.dev/... crypto/... net/... image/... encoding/gob
# Packages are compared on one of so many documents.
PACKAGES_EVERY ?= 1
# The runtime of WebAssembly that the packages for PHP and .NET are tried with.
WAZERO := github.com/tetratelabs/wazero/cmd/wazero
# What the image is made for.
IMAGE_ARCH ?= $(shell $(GO) env GOARCH)
# The program in the image: einvoice, or einvoiced for bulk jobs over several machines.
PROGRAM    ?= einvoice
# Servers of S3 by others, for make s3-test.
S3_SERVERS := github.com/versity/versitygw/cmd/versitygw@v1.8.0 github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c
# What runs published stylesheets, and what it needs to run at all.
SAXON := net.sf.saxon:Saxon-HE:12.5
SAXON_RESOLVER := org.xmlresolver:xmlresolver:5.2.2
# Another validator of hybrid invoices.
MUSTANG := org.mustangproject:Mustang-CLI:2.26.0

# The tool that reads JSON Schemas in editors.
YAML_SERVER_PACKAGE := yaml-language-server@1.18.0
YAML_SERVER := bin/yaml-language-server/node_modules/.bin/yaml-language-server

# What looks for barriers in HTML.
AXE_PACKAGE := axe-core@4.14.1
AXE := bin/axe/node_modules/axe-core/axe.min.js

.DEFAULT_GOAL := help
.PHONY: help compose run build size einvoiced test test-corpus lint race bench fuzz conformance parity company mutate cel-oracle spec-tests fmt schemas schema-test api-test client-test bulk-test s3-test bulk-bench soak attack mutants verapdf producers layouts parse-model parse-reliability parse-score pdfs look-test pages-test letters commands law terms diagram pictures growth contact-sheets corpus mustang saxon translations proofs repeated proof-pages kosit chart image module notices pdfium-licences vuln clean html-test app app-test wasm wasm-test packages packages-test

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## validate the shipped samples: two valid invoices, two faulty ones
	@$(BIN) validate cmd/einvoice/samples; status=$$?; test $$status -eq 1 # two of the four are invalid

# What is built and tested alike is compiled once, and a process that is tested starts with
# rules that are compiled, as the program does. Names are looked up without libraries in C, as in
# the image: loading them is a twentieth of a start. Tables for debuggers, which the programs do not have,
# are not written: they would be an eighth of the time of a build. Tests leave out the table of symbols as
# well, a quarter of the time of a link: there are more than a hundred to link.
PLAIN := -trimpath -gcflags=all=-dwarf=false
BUILT := $(PLAIN) -tags packed,netgo,osusergo

# How much garbage the compiler and tests leave before it is collected, in percent of what is alive: with
# 100 a sixth of the time of a build is its collection, and a fifth of that of the tests.
prepared build einvoiced test test-corpus: export GOGC = 400

.PHONY: prepared
prepared:
	@$(GO) run $(PLAIN) ./cmd/pack
	@$(GO) run $(BUILT) ./cmd/pack/rules

build: prepared ## build bin/einvoice, with the rules' expressions checked beforehand
	$(GO) build $(BUILT) -ldflags "$(LDFLAGS)" -o $(BIN) ./cmd/einvoice

size: build ## hold the program at its bound of 50,000,000 bytes
	@size=$$(wc -c < $(BIN)); echo "$(BIN) has $$size bytes"; test $$size -le 50000000

einvoiced: build ## build bin/einvoiced, which is einvoice with NATS, S3 and Parquet for bulk jobs over several machines
	$(GO) build $(BUILT) -ldflags "$(LDFLAGS)" -o $(BIN)d ./cmd/einvoiced

test: prepared ## run all tests of einvoice, of what is large a sample; needs nothing but Go
	$(GO) test $(BUILT) -ldflags=-s -vet=off -p $(TEST_PACKAGES) -timeout 30m $$($(GO) list $(LONGEST) ./... | grep -v -x -E '$(MACHINES)')

# Vetting all packages is part of make lint; with the tests it cost 80 seconds of a processor.

# How many packages are tested at once: one more than there are processors, as some wait for processes that they kill.
TEST_PACKAGES ?= $(shell expr $$(getconf _NPROCESSORS_ONLN || echo 1) + 1)

# The packages whose tests take longest begin first: at the end, a processor would wait for them.
LONGEST := ./server ./cmd/internal/cli ./formats/parse ./formats/pdf/page ./service/watch

# Packages that einvoiced alone has. NATS, S3 and Parquet take a minute of a processor to compile: their tests,
# here and in files with the tag machines, are part of make test-corpus.
MACHINES := einvoice/(cmd/einvoiced|service/bulk/(nats|s3|parquet))

# Packages whose tests take a sample.
SAMPLED = $(shell grep -l model/sampled $$(git ls-files '*_test.go') | xargs -n 1 dirname | sort -u | grep -v '^server$$' | sed 's,^,./,')

# The tests of the server that take a sample; all of them together take minutes.
SAMPLED_OF_SERVER = $(shell awk '/^func Test/{sub(/[^A-Za-z0-9_].*/, "", $$2); name = $$2} /sampled\./ && name {print name}' server/*_test.go | sort -u | paste -s -d '|')

test-corpus: prepared ## run the tests of which make test takes a sample, with all that they have, and those of einvoiced (NATS, S3, Parquet)
	WHOLE=1 $(GO) test $(BUILT),machines -timeout 30m -count=1 $(SAMPLED) ./service/bulk/nats
	WHOLE=1 $(GO) test $(BUILT),machines -timeout 30m -count=1 ./server -run '^($(SAMPLED_OF_SERVER)|TestResultsAsParquet)$$'

lint: ## gofmt, go vet, staticcheck, revive, deadcode, misspelt words in docs, every word of the OpenAPI document, tidy modules
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run make fmt"; exit 1; }
	$(GO) vet -tags machines,browser ./...
	$(GO) tool staticcheck -tags machines,browser ./...
	$(GO) tool revive -config revive.toml -set_exit_status ./...
	@unused="$$($(GO) tool deadcode -tags machines,browser -test ./...)"; test -z "$$unused" || { echo "$$unused"; exit 1; }
	$(GO) tool misspell -error -i circulaire,exemple server/docs/openapi.yaml README.md CONTRIBUTING.md CHANGELOG.md docs
	$(GO) test ./server/docs -count=1 -run '^TestSpelling$$'
	$(GO) mod tidy -diff

fmt: ## format the code
	gofmt -w .

race: prepared ## run all tests with the race detector (needs a C compiler; an hour)
	$(GO) test -race $(BUILT),machines -timeout 2h ./...

bench: ## time reading, rules and whole validations
	$(GO) test -run '^$$' -bench . -benchmem ./model/... ./formats/... ./engine/... ./service/... ./cmd/...

fuzz: ## fuzz every reader and the rule loader, FUZZTIME each
	@for p in $$($(GO) list ./...); do for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
		echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x $$p || exit 1; done; done

conformance: build ## compare every verdict with the published artefacts', and see that every rule is exercised (needs ../shared)
	@if test -d $(SUITES); then $(BIN) conformance $(SUITES) $(wildcard $(MORE)) && $(BIN) rules coverage $(SUITES) $(wildcard $(MORE) $(COUNTRIES)); \
	else echo "skipped: $(SUITES) is not there, so there is nothing to compare with"; fi

parity: build ## the same with the independent script beside the suites (needs ../shared and python3)
	@if test -f $(PARITY); then conformance/parity.sh $(BIN) $(SUITES) $(PARITY) && \
		if test -d $(MORE); then conformance/parity.sh $(BIN) $(MORE) $(PARITY); else echo "skipped: $(MORE) is not there"; fi; \
	else echo "skipped: $(PARITY) is not there, so there is nothing to compare with"; fi
	@conformance/countries.sh $(BIN) $(COUNTRIES) $(dir $(PARITY))parity_countries.py

company: build ## time five hundred rules of a company: to check them, to start with them, and on 1,500 documents
	$(GO) test ./cmd/internal/cli -count=1 -v -run '^TestCompanyRules$$' -company-binary $(CURDIR)/$(BIN) $(if $(wildcard $(SUITES)),-company-documents $(abspath $(SUITES)))

mutate: build ## change the built-in rules one bit at a time: examples notice 95 % of what differs on a suite document (needs ../shared)
	@if test -d $(SUITES); then $(BIN) rules mutate --least 95 --on $(SUITES); \
	else echo "skipped: $(SUITES) is not there, so there is nothing that changes could differ on"; fi

cel-oracle: ## compare every expression of every rule with cel-go's own interpreter on all suite documents (needs ../shared)
	@if test -d $(SUITES); then $(GO) test ./engine/expr -count=1 -v -run '^TestInterpreterAgreesOnSuites$$' -suites $(abspath $(SUITES)); \
	else echo "skipped: $(SUITES) is not there, so there is nothing to compare on"; fi

spec-tests: ## evaluate the cases of google/cel-spec (CEL_SPEC, a checkout) and of libxml2 (LIBXML2, a checkout), and count what is refused by reason
	@test -d "$(CEL_SPEC)/tests/simple/testdata" -o -d "$(LIBXML2)/test/XPath" || { echo "say where they are checked out: make spec-tests CEL_SPEC=DIR LIBXML2=DIR"; exit 2; }
	@if test -d "$(CEL_SPEC)/tests/simple/testdata"; then $(GO) test ./engine/expr -count=1 -v -run '^TestCELSpec$$' -cel-spec $(abspath $(CEL_SPEC))/tests/simple/testdata; \
	else echo "skipped: CEL_SPEC is not a checkout of google/cel-spec"; fi
	@if test -d "$(LIBXML2)/test/XPath"; then $(GO) test ./engine/xpath/query -count=1 -v -run '^TestLibxml2$$' -libxml2 $(abspath $(LIBXML2)); \
	else echo "skipped: LIBXML2 is not a checkout of libxml2"; fi

schema-test: ## try the JSON Schemas of rule files with yaml-language-server (needs npm)
	@mkdir -p bin/yaml-language-server
	@test -x $(YAML_SERVER) || npm install --silent --prefix bin/yaml-language-server $(YAML_SERVER_PACKAGE)
	$(GO) test ./service/authoring/lsp -count=1 -v -run '^TestYAMLLanguageServer$$' -yaml-language-server $(CURDIR)/$(YAML_SERVER)

schemas: ## write rulesets/schemas again from the published schemas in ../shared
	$(GO) run ./formats/schema/gen

api-test: build ## test the API from its OpenAPI document with schemathesis (needs python3)
	@test -x bin/venv/bin/st || { python3 -m venv bin/venv && bin/venv/bin/pip install -q $(SCHEMATHESIS); }
	@server/api-test.sh $(BIN) bin/venv/bin/st

client-test: build ## generate clients from the OpenAPI document and have them call every group of operations (needs Python, Node, Java)
	server/clients/make.sh $(BIN) $(CURDIR)/bin/clients

bulk-test: einvoiced ## kill the parts of bulk jobs at random moments, fill the disk, have S3 and NATS fail; the results are those of validate
	$(GO) test -tags machines ./service/bulk/... -count=1
	$(GO) test -tags machines ./cmd/internal/cli -count=1 -v -timeout 2h -run '^TestBulk' -bulk-binary $(CURDIR)/$(BIN)d -bulk-documents $(BULK_DOCUMENTS) -bulk-kills $(BULK_KILLS)

s3-test: ## run the tests of S3 against Versity S3 Gateway and MinIO, servers by others, in buckets without and with object lock (installs them into bin/s3; five minutes)
	@mkdir -p bin/s3
	@set -e; for server in $(S3_SERVERS); do name="$${server%@*}"; program=$(CURDIR)/bin/s3/"$${name##*/}"; \
	test -x "$$program" || GOBIN=$(CURDIR)/bin/s3 $(GO) install "$$server"; \
	for locked in false true; do echo "$$server, with object lock: $$locked"; \
	$(GO) test -tags machines ./service/bulk/s3 -count=1 -v -timeout 30m -s3-server "$$program" -s3-locked=$$locked; done; done

bulk-bench: einvoiced ## measure bulk jobs: cost against validate and xargs, submission, two workers, up to BULK_LARGEST documents, impact (needs 6 GB in TMPDIR)
	$(GO) test -tags machines ./cmd/internal/cli -count=1 -v -timeout 3h -run '^TestBench' -bulk-bench $(CURDIR)/$(BIN)d -bulk-largest $(BULK_LARGEST)

line-bench: einvoiced ## an hour of an access point with a rush hour and kills in LINE_TIME, of LINE_A_DAY documents a day; measure
	$(GO) test -tags machines ./cmd/internal/cli -count=1 -v -timeout 3h -run '^TestLineBench$$' -line-bench $(CURDIR)/$(BIN)d -line-time $(LINE_TIME) -line-a-day $(LINE_A_DAY)

soak: build ## keep the service at its limits for SOAKTIME, then give an honest client hostile neighbours; measure
	$(GO) test ./server -count=1 -v -timeout 1h -run '^Test(Soak|Neighbours)$$' -soak $(SOAKTIME) -soak-binary $(CURDIR)/$(BIN)

mutants: ## validate and convert MUTANTS documents that were changed at random
	$(GO) test ./service/operation -count=1 -v -timeout 12h -run '^TestMutants$$' -mutants $(MUTANTS)

attack: build ## send the service, in the sizes of its deployments, what is meant to hurt; over loopback alone
	$(GO) test ./server -count=1 -v -timeout 2h -run '^Test(Attack|LawMeasured|Stretches|KeysOfDrafts)$$' -attack -attack-binary $(CURDIR)/$(BIN)

saxon: ## install Saxon, which runs published stylesheets for rules prove, into bin/saxon (needs Maven and Java)
	@mkdir -p bin/saxon
	mvn --quiet --batch-mode dependency:copy -Dartifact=$(SAXON) -DoutputDirectory=$(CURDIR)/bin/saxon
	mvn --quiet --batch-mode dependency:copy -Dartifact=$(SAXON_RESOLVER) -DoutputDirectory=$(CURDIR)/bin/saxon

translations: ## hold what rules import translates of random expressions against Saxon (needs make saxon and Java; minutes)
	$(GO) test $(BUILT) ./service/proving -count=1 -v -timeout 2h -run '^TestRandomTranslations$$' -random-asserts $(TRANSLATIONS) -random-seed $(TRANSLATIONS_SEED)

proofs: build ## prove the rules against published files of a checkout of phax/phive-rules (PHIVE), and record the counts (needs make saxon, ../shared; an hour)
	@test -d "$(PHIVE)" || { echo "say where phax/phive-rules is checked out: make proofs PHIVE=DIR"; exit 2; }
	conformance/prove.sh $(BIN) $(PHIVE) $(COUNTRIES) $(SUITES)
	$(MAKE) proof-pages

repeated: ## hold documents with each group twice that its schema lets repeat against the stylesheets of EN 16931 in a checkout of phax/phive-rules (PHIVE; needs make saxon, some minutes)
	@test -d "$(PHIVE)" || { echo "say where phax/phive-rules is checked out: make repeated PHIVE=DIR"; exit 2; }
	$(GO) test ./service/proving -count=1 -v -timeout 20m -run '^TestRepeatedGroups$$' -phive $(abspath $(PHIVE)) -saxon $(CURDIR)/bin/saxon

proof-pages: ## write the table of proofs and the page of published faults again from conformance/proofs
	$(GO) test ./conformance -count=1 -run '^TestProofPages$$' -update-pages

verapdf: ## install veraPDF, the judge of PDF/A, into bin/verapdf (needs Maven and Java); conformance/verapdf.sh DIR runs it
	@mkdir -p bin/verapdf
	mvn --quiet --batch-mode --file conformance/verapdf.xml dependency:copy-dependencies -DoutputDirectory=$(CURDIR)/bin/verapdf/jars
	@printf '%s\n' '#!/bin/sh' 'exec java -cp "$$(dirname "$$0")/jars/*" org.verapdf.apps.GreenfieldCliWrapper "$$@"' > bin/verapdf/verapdf
	@chmod +x bin/verapdf/verapdf

layouts: ## print invoices of our own in the layouts of 51 invoicing programs, in 12 languages, into bin/layouts (needs Chromium, some minutes)
	@browser="$$(command -v chromium || command -v chromium-browser || command -v google-chrome)"; test -n "$$browser" || { echo "make layouts needs Chromium on the PATH" >&2; exit 1; }; \
		rm -rf bin/layouts && $(GO) test ./conformance -count=1 -run '^TestLayouts$$' -layouts $(CURDIR)/bin/layouts -layout-seeds 3 -timeout 40m -chromium "$$browser"

parse-model: layouts ## train and calibrate the confidences of what is read off pages (formats/parse/ranker/model.yaml, model.yaml and calibration.yaml; the same every time, some minutes)
	$(GO) test ./formats/parse -run '^TestTrain$$' -update -whole -layouts $(CURDIR)/bin/layouts -count 1

parse-reliability: layouts ## how well the layouts that were kept apart are read, and the table of reliability in docs/parse.md
	$(GO) test ./formats/parse -run '^TestLayoutScore$$' -layouts $(CURDIR)/bin/layouts -part test -reliability $(CURDIR)/docs/parse.md -count 1 -v

parse-score: build ## how well invoices are read off pages: made layouts, calibration, ablation, hybrid PDFs, pages of other programs, scans, photographs and worse (needs ../shared)
	$(GO) test ./formats/parse -run '^(TestMadePages|TestCalibration|TestAblation|TestRecognisedAblation|TestHostilePages)$$' -whole -seeds 2 -count 1 -v
	@if test -d $(SUITES)/zugferd-corpus/pdf && command -v python3 pdftotext >/dev/null; then \
		python3 $(dir $(PARITY))parse_score.py $(BIN) $(SUITES)/zugferd-corpus/pdf --condition typed; \
	else echo "skipped: hybrid PDFs, which need $(SUITES), python3 and poppler-utils"; fi
	@if test -d $(SUITES) && command -v python3 pdftotext >/dev/null; then rm -rf bin/filled; \
		browser="$$(command -v chromium || command -v chromium-browser || command -v google-chrome)"; \
		$(GO) test ./conformance -count=1 -v -run '^TestFilledPages$$' -filled $(CURDIR)/bin/filled -chromium "$$browser" | grep -v '^=== ' && \
		python3 $(dir $(PARITY))parse_score.py $(BIN) bin/filled --condition typed; \
	else echo "skipped: pages of other programs, which need $(SUITES), python3 and poppler-utils"; fi
	@if command -v tesseract >/dev/null && test -d $(SUITES)/zugferd-corpus/pdf && python3 -c 'import PIL' 2>/dev/null; then for c in scan photo; do \
		python3 $(dir $(PARITY))parse_score.py $(BIN) $(SUITES)/zugferd-corpus/pdf --condition $$c; done; \
		if test -d bin/filled; then python3 conformance/degraded.py $(dir $(PARITY))parse_score.py $(BIN) bin/filled; fi; \
	else echo "skipped: scans, photographs and worse, which need Tesseract, Pillow and $(SUITES)"; fi

pdfs: verapdf ## make every kind of PDF out of suite documents, one of PDFS_EVERY in each suite, and hold each against veraPDF and, if it is there, qpdf (needs ../shared)
	rm -rf bin/pdfs
	$(GO) test ./conformance -count=1 -v -timeout 30m -run '^TestWritePDFs$$' -pdfs $(CURDIR)/bin/pdfs -pdfs-every $(PDFS_EVERY)
	FLAVOUR=0 conformance/verapdf.sh bin/pdfs/render bin/pdfs/transform bin/pdfs/create bin/pdfs/embed
	@if command -v qpdf >/dev/null; then find bin/pdfs -name '*.pdf' -print0 | xargs -0 -n 1 qpdf --check >/dev/null && echo "qpdf finds no fault"; \
	else echo "skipped: qpdf is not there"; fi

look-test: verapdf ## draw suite documents in every look and language, read the pages back, and have veraPDF judge them (needs ../shared)
	rm -rf bin/looks
	$(GO) test ./conformance -count=1 -v -timeout 30m -run '^TestWriteLooks$$' -look-pdfs $(CURDIR)/bin/looks
	$(GO) test ./formats/pdf/page -count=1 -run '^TestEveryTermOfTheSuitesIsPrinted$$' -all-suites
	FLAVOUR=0 conformance/verapdf.sh bin/looks

pages-test: ## the proofs about pages on all suite documents: sums add down and are read back, letters on one page, no row alone, each term in one region (needs ../shared, some minutes)
	WHOLE=1 $(GO) test ./formats/pdf/page -count=1 -v -timeout 30m -run '^Test(OnePage|PagesAddUp|AnySumAddsDown|NoRowAlone|AccountsByChance|EveryTermIsInOneRegion|SuiteTermsAreInTheirRegion|EveryTermByChanceIsPrinted|CheckedLooksHideNothing)$$' -adding-all
	$(GO) test ./conformance -count=1 -v -timeout 1h -run '^TestSumsAreReadBack$$' -adding-all

letters: build ## count the pages of the 40 letters of the XRechnung test suite with pdfinfo, and the sizes of their type (needs ../shared, poppler-utils)
	@if ! command -v pdfinfo >/dev/null; then echo "skipped: pdfinfo is not there"; \
	elif ! test -d $(SUITES); then echo "skipped: $(SUITES) is not there, so there are no letters"; \
	else conformance/letters.sh $(BIN) $(SUITES) bin/letters; fi

html-test: ## open rendered HTML and SVG in Chromium: it loads nothing, nothing is cut off on screens and paper, and axe finds no barrier (needs npm, ../shared)
	@test -f $(AXE) || npm install --silent --no-audit --no-fund --prefix bin/axe $(AXE_PACKAGE)
	@browser="$$(command -v chromium || command -v chromium-browser || command -v google-chrome)"; \
	if test -z "$$browser"; then echo "skipped: Chromium is not there"; \
	else $(GO) test ./conformance -count=1 -v -timeout 15m -run '^TestHTML' -chromium "$$browser" -axe $(CURDIR)/$(AXE); fi

compose: ## compose 10,000 random pairs of overlays: each is refused by the check or sound everywhere (some minutes)
	$(GO) test ./cmd/internal/cli -count=1 -timeout 3h -run '^TestComposition$$' -v -compose-pairs 10000

law: ## write docs/law.md again from the law of the countries (formats/pdf/page/law/countries)
	$(GO) test ./formats/pdf/page/law -count=1 -run '^TestLawPage$$' -update

terms: ## write docs/terms-on-pages.md again: where pages show each term of the model
	$(GO) test ./formats/pdf/page -count=1 -run '^TestTermsPage$$' -update-terms

diagram: ## write the diagrams of docs/architecture.md again from the imports of the packages
	$(GO) test ./cmd/internal/cli -count=1 -run '^TestDiagram$$' -update

commands: ## write docs/commands.md again from the program's own help
	$(GO) test ./cmd/internal/cli -count=1 -run '^TestCommandsPage$$' -update

pictures: build ## make the pictures of the documentation again (needs Chromium and script)
	@browser="$$(command -v chromium || command -v chromium-browser || command -v google-chrome)"; \
	if test -z "$$browser"; then echo "skipped: Chromium is not there"; \
	else $(GO) test -tags browser ./server/app -count=1 -v -run '^TestPictures$$' -chromium "$$browser" -pictures $(CURDIR)/docs/pictures -binary $(CURDIR)/$(BIN); fi

growth: build ## search for work that grows faster than its input, and write docs/growth.md (all pairs: hours of a processor; GROWTH=10m ends earlier, GROWTH_SEED chooses what comes first)
	$(GO) test $(BUILT) ./conformance/growth -count=1 -v -timeout 24h -run '^TestGrowth$$' -growth-binary $(CURDIR)/$(BIN) -growth-time $(GROWTH) -growth-seed $(GROWTH_SEED) -growth-page $(CURDIR)/docs/growth.md

contact-sheets: ## pictures of the pages of difficult invoices, for people to look at, and those of docs; BEFORE=PROGRAM shows those of another version as well (needs ../shared)
	$(GO) test ./conformance -count=1 -v -timeout 30m -run '^TestContactSheets$$' -sheets $(CURDIR)/bin/contact-sheets $(if $(BEFORE),-sheets-before $(abspath $(BEFORE)))
	$(GO) test ./conformance -count=1 -run '^TestGallery$$' -gallery $(CURDIR)/docs/pictures

corpus: verapdf ## embed an invoice in every PDF of the folder DIR, twice, and have veraPDF judge what is delivered
	@test -d "$(DIR)" || { echo "usage: make corpus DIR=folder-of-PDFs"; exit 2; }
	@rm -rf bin/corpus && mkdir -p bin/corpus
	$(GO) test ./conformance -count=1 -v -timeout 6h -run '^TestCorpus$$' -corpus $(abspath $(DIR)) -corpus-out $(CURDIR)/bin/corpus
	conformance/verapdf.sh bin/corpus

mustang: ## install Mustang into bin/mustang and ask it about one of MUSTANG_EVERY PDFs that make pdfs left (needs Maven and Java)
	mvn --quiet --batch-mode dependency:copy -Dartifact=$(MUSTANG) -DoutputDirectory=$(CURDIR)/bin/mustang/jars
	conformance/mustang.sh bin/pdfs/create $(MUSTANG_EVERY)

kosit: build ## check all suite documents with KoSIT's validator as well and compare the reports (needs ../shared, Java, KOSIT_JAR, KOSIT_CONFIG)
	@test -f "$(KOSIT_JAR)" && test -f "$(KOSIT_CONFIG)/scenarios.xml" || { echo "skipped: KOSIT_JAR is no file, or KOSIT_CONFIG has no scenarios.xml (docs/from-kosit.md says where they are from)"; exit 0; }; \
	test -d $(SUITES) || { echo "skipped: $(SUITES) is not there, so there is nothing to compare on"; exit 0; }; \
	conformance/kosit.sh $(BIN) "$(KOSIT_JAR)" "$(KOSIT_CONFIG)" bin/kosit/reports $(SUITES) $(wildcard $(MORE)) && \
	$(GO) test ./conformance -count=1 -v -run '^TestKosit$$' -kosit $(CURDIR)/bin/kosit/reports

producers: verapdf ## make PDFs with whatever makes PDFs here, convert them to PDF/A-3, and have veraPDF and qpdf judge the results
	conformance/producers/make.sh bin/producers
	@rm -rf bin/producers/converted
	@$(GO) run ./conformance/producers bin/producers/converted bin/producers/pdf $(wildcard $(SUITES)/zugferd-corpus/pdf)
	conformance/verapdf.sh bin/producers/converted
	@if command -v qpdf >/dev/null; then for f in bin/producers/converted/*.pdf; do qpdf --check $$f >/dev/null || { echo "qpdf: $$f"; exit 1; }; done; \
	else echo "skipped: qpdf is not there"; fi

chart: ## check the Helm chart and the manifests with helm lint, kustomize, the types of Kubernetes and KEDA, and kubeconform (needs the Go proxy and the schemas of Kubernetes)
	@test -x bin/helm || GOBIN=$(CURDIR)/bin $(GO) install $(HELM)
	@test -x bin/kubeconform || GOBIN=$(CURDIR)/bin $(GO) install $(KUBECONFORM)
	bin/helm lint --strict deploy/helm/einvoice
	@bin/helm template check deploy/helm/einvoice --kube-version $(KUBERNETES) >bin/chart.yaml
	@test -x bin/kustomize || GOBIN=$(CURDIR)/bin $(GO) install $(KUSTOMIZE)
	@bin/kustomize build deploy/bulk >bin/bulk.yaml && bin/kustomize build deploy/kubernetes >bin/kubernetes.yaml
	cd deploy/manifests && $(GO) run . ../../bin/chart.yaml ../../bin/bulk.yaml ../../bin/kubernetes.yaml ../bulk/indexed-job.yaml
	bin/kubeconform -strict -summary -schema-location "$(KUBE_SCHEMAS)" -kubernetes-version $(KUBERNETES) -skip ScaledObject bin/chart.yaml $(filter-out %/kustomization.yaml %/nats-values.yaml,$(wildcard deploy/kubernetes/*.yaml deploy/bulk/*.yaml)) || \
		{ echo "kubeconform failed; where it could not download a schema, nothing was looked at"; exit 1; }

image: prepared ## make the image of deploy/Dockerfile as bin/image.tar, without a daemon or a registry (needs the Go proxy), and start the program in it
	CGO_ENABLED=0 GOOS=linux GOARCH=$(IMAGE_ARCH) $(GO) build $(BUILT) -ldflags "$(LDFLAGS)" -o bin/image/$(PROGRAM) ./cmd/$(PROGRAM)
	cd deploy/image && $(GO) run . -binary ../../bin/image/$(PROGRAM) -notices ../../cmd/internal/cli/notices.txt -dockerfile ../Dockerfile -platform linux/$(IMAGE_ARCH) -o ../../bin/image.tar
	@deploy/image/try.sh bin/image.tar

app: ## make the page /app again from server/app/src (needs npm), with the licences of what is in it
	cd server/app && npm ci --silent --no-audit --no-fund && npm run --silent build

wasm: prepared ## build the program for browsers, which the service then serves to the page /app
	@$(GO) run $(PLAIN) ./cmd/wasm/prepare
	GOOS=js GOARCH=wasm $(GO) build $(PLAIN) -tags stored -ldflags "-s -w" $(foreach p,$(WASM_SMALL),-gcflags=$(p)=-l) -o bin/einvoice.wasm ./cmd/wasm
	$(GO) run $(PLAIN) ./cmd/wasm/pack bin/einvoice.wasm server/app/wasm/einvoice.wasm.br
	cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" server/app/wasm/

wasm-test: ## compare the verdicts of the program for browsers with the native ones on all suite documents (needs node, ../shared, make wasm)
	@if ! command -v node >/dev/null; then echo "skipped: node is not there"; elif ! test -f bin/einvoice.wasm; then echo "skipped: make wasm was not run"; \
	elif ! test -d $(SUITES); then echo "skipped: $(SUITES) is not there, so there is nothing to compare on"; else \
	$(GO) test ./cmd/wasm/compare -count=1 -v -timeout 1h -run '^TestSameVerdicts$$' -wasm $(CURDIR)/bin/einvoice.wasm -suites "$(abspath $(SUITES) $(wildcard $(MORE)))"; fi

packages: prepared ## make packages for npm, PyPI, Maven, Composer and NuGet in bin/packages (the jar needs Maven and Java)
	GOOS=wasip1 GOARCH=wasm $(GO) build $(BUILT) -ldflags "-s -w" $(foreach p,$(WASI_SMALL),-gcflags=$(p)=-l) -buildmode=c-shared -o bin/wasi-module.wasm ./cmd/wasi
	GOOS=wasip1 GOARCH=wasm $(GO) build $(BUILT) -ldflags "-s -w" $(foreach p,$(WASI_SMALL),-gcflags=$(p)=-l) -o bin/wasi-program.wasm ./cmd/wasi
	$(GO) run $(PLAIN) ./cmd/packages -module bin/wasi-module.wasm -program bin/wasi-program.wasm -out bin/packages
	@if command -v mvn >/dev/null && command -v javac >/dev/null; then mvn --quiet --batch-mode --file bin/packages/maven/pom.xml package; \
	else echo "skipped: the jar, as there is no Maven or no Java"; fi

packages-test: build ## install each package into a clean project and compare its verdicts with the program's, on one of PACKAGES_EVERY documents (needs make packages, ../shared)
	@test -d bin/packages || { echo "skipped: make packages was not run"; exit 0; }; mkdir -p bin/wazero; \
	test -x bin/wazero/wazero || GOBIN=$(CURDIR)/bin/wazero $(GO) install $(WAZERO) || echo "wazero cannot be had: what needs it is skipped"; \
	$(GO) test ./cmd/packages -count=1 -v -timeout 3h -run '^TestSameVerdicts$$' -packages $(CURDIR)/bin/packages -program $(CURDIR)/$(BIN) -every $(PACKAGES_EVERY) -suites "$(abspath $(wildcard $(SUITES) $(MORE)))"

app-test: ## try the page /app in Chromium, with axe and zero foreign requests; SHOTS=FOLDER keeps pictures of every view
	@browser="$$(command -v chromium || command -v chromium-browser || command -v google-chrome)"; \
	if test -z "$$browser"; then echo "skipped: there is no Chromium"; else \
	{ test -d server/app/node_modules/axe-core || (cd server/app && npm ci --silent --no-audit --no-fund); } && \
	$(GO) test -tags browser ./server/app -count=1 -v -timeout 2h -chromium "$$browser" $(if $(SHOTS),-shots $(abspath $(SHOTS))); fi

module: ## write the sources with a module path of your own (MODULE) to bin/module, for programs elsewhere
	@test -n "$(MODULE)" || { echo "say the path: make module MODULE=git.example.org/tax/einvoice"; exit 2; }
	@rm -rf bin/module && mkdir -p bin/module
	@git ls-files -z | tar --null -T - -cf - | tar -xf - -C bin/module
	@find bin/module -name '*.go' -exec sed -i.bak 's#"einvoice/#"$(MODULE)/#g' {} +
	@cd bin/module && sed -i.bak '1s#.*#module $(MODULE)#' go.mod && find . -name '*.bak' -delete && $(GO) build ./service/... && echo "bin/module builds as $(MODULE)"

pdfium-licences: ## write the licences of PDFium and of what is in it, as its package for Python has them (needs pip)
	rm -rf bin/pdfium && pip3 download -q --no-deps -d bin/pdfium pypdfium2==5.15.2 && python3 -m zipfile -e bin/pdfium/*.whl bin/pdfium
	cd bin/pdfium/*.dist-info/licenses/BUILD_LICENSES && for f in [a-z]*.* SHARED/* pbin_and_sbuild/* pbin_musl/*; do echo "$$(basename $$f)"; echo; if iconv -f utf-8 $$f >/dev/null 2>&1; then cat $$f; else iconv -f latin1 -t utf-8 $$f; fi; echo; done >../../../licences.txt
	mv bin/pdfium/licences.txt formats/pdf/raster/licences.txt

notices: ## write the licences of everything that is linked, for the program and the repository
	$(GO) run ./cmd/notices > bin/notices.txt && mv bin/notices.txt cmd/internal/cli/notices.txt

vuln: ## look for known vulnerabilities in what is linked (needs the database of Go)
	@$(GO) run $(VULN) ./... || { status=$$?; test $$status -eq 3 && exit 3; echo "the database, or the tool, cannot be reached: nothing was looked at"; exit $$status; }

clean: ## remove what was built
	rm -rf bin rulesets/compiled/*.bin rulesets/packed model/embedded/packed formats/pdf/*/packed
