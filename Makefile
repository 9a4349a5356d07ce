# Everything here needs Go alone; tests that ask a solver run where z3 is on the path, and
# say so where it is not.

# What a target that compiles first says on a terminal: without a cache of builds that takes minutes.
COMPILING = @[ ! -t 2 ] || echo "compiling; the first time takes a minute or two" >&2

# The modules beside the main one that are linted, where they are. Beam is vetted by CI: what it imports takes staticcheck minutes.
MODULES := $(patsubst %/go.mod,%,$(wildcard bench/go.mod lab/go.mod cmd/librfactor/go.mod))

.PHONY: help bench-weight build editor pages playground playground-br docs lab lab-full lab-rules release check-release test race fuzz lint check ci verify tcb bench tables tables-small tables-check rules-proofs digest docs-outputs

# What there is, in groups: the first line of the comment above each target.
help:
	@awk '/^##@ hidden/ { exit } /^##@ / { printf "\n%s\n", substr($$0, 5); next } /^$$/ { text = "" } \
	  /^#/ { if (text == "") text = substr($$0, 3) } \
	  /^[a-z-]+( [a-z-]+)*:( |$$)/ && $$1 != "help:" { sub(/[: ].*/, ""); printf "  %-15s %s\n", $$0, text }' Makefile
	@printf '\nlong suites, make check-NAME or make check SUITE=NAME\n'; .ci/suites
	@printf '\nmake bench lists the measurements, make bench-NAME\n'

##@ use

# The command, in bin/rfactor, and beside it rfactor-go, which does run, lower and vet.
build:
	@mkdir -p bin
	$(COMPILING)
	go build -o bin/ ./cmd/rfactor ./cmd/rfactor-go

# The playground, a static page, in bin/playground; rfactor-lab serve opens it.
# The matcher is there as it is and by gzip, which the page asks for where the host does not compress.
# A table of the runtime, a ninth of what is linked, is left to a start function by lab/cmd/shrink, and lines of traces are left out.
# In packages where a match spends little time nothing is inlined: that is smaller by a tenth where it is compressed, and no slower.
M := github.com/rfactor-go/rfactor
COLD := $M/lower/... $M/internal/view/... $M/ir/program $M/ndarray $M/rfactor $M/rfactor/plan $M/rfactor/internal/find $M/rfactor/internal/lift/... $\
	$M/rfactor/internal/laws $M/rfactor/internal/gf2 $M/rules $M/verify/... $\
	encoding/... fmt go/... internal/poll io/... math/big os reflect syscall/... text/... time
playground:
	@mkdir -p bin/playground
	GOOS=js GOARCH=wasm go build -trimpath -ldflags="-s -w" $(COLD:%=-gcflags=%=-l) -o bin/playground/rfactor.wasm ./playground
	GOOS=js GOARCH=wasm go build -trimpath -ldflags="-s -w" $(COLD:%=-gcflags=%=-l) -o bin/playground/program.wasm ./playground/program
	cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" playground/*.html playground/*.css playground/*.js playground/*.json playground/*.svg playground/*.LICENSE internal/view/*.css internal/view/*.js internal/view/*.LICENSE bin/playground/
	@go run ./playground/kept playground/gallery.json > bin/playground/kept.json
	@go run -C lab ./cmd/shrink ../bin/playground/rfactor.wasm ../bin/playground/program.wasm
	@go run -C lab ./cmd/compress ../bin/playground/rfactor.wasm ../bin/playground/program.wasm

# Pictures of twelve states of the playground, in bin/pages; docs/playground.md says what to look for. Needs Chromium.
pages:
	@mkdir -p bin/pages
	cd lab && PLAYGROUND_PICTURES="$(CURDIR)/bin/pages" SAMPLES=more go test ./browser -count=1 -run '^(TestPages|TestCards)$$'

# The documentation, a static site, in bin/docs. Programs of the gallery open in the playground at PLAYGROUND, where rfactor serve listens.
PLAYGROUND ?= http://127.0.0.1:8080/
docs:
	rm -rf bin/docs
	go run ./cmd/docs -out bin/docs -playground "$(PLAYGROUND)"

# Experiments on matching coverage, in bin/lab-small, five minutes; lab-full takes an hour, and lab-rules removes each rule once.
# Each gives tables, plots and report.html. What is there already is kept, and completed.
lab lab-full lab-rules:
	@mkdir -p bin
	$(COMPILING)
	@go build -C lab -o ../bin/rfactor-lab ./cmd/rfactor-lab
	bin/rfactor-lab -resume -out bin/lab-$(patsubst lab,small,$(patsubst lab-%,%,$@)) testdata/experiments/$(patsubst lab,small,$(patsubst lab-%,%,$@)).json

# Commands for linux, darwin and windows on amd64 and arm64, as archives in bin/release; VERSION=v1.2.3 names them.
# With SBOMs, checksums and the section of the changelog. check-release builds them twice and compares.
VERSION ?=
RELEASE_TARGETS ?= linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64
release check-release:
	$(COMPILING)
	@go run -C lab ./cmd/release -root .. -out ../bin/release -version "$(VERSION)" -targets $(RELEASE_TARGETS) $(if $(filter check-%,$@),-check)

##@ test

# Every test, with samples of the long suites. What go test has of vet is left to make lint, which has all of it.
# The compiler and tests collect garbage only where a process has a gigabyte: that saves the compiler a tenth of its processor time.
test: export GOGC ?= off
test: export GOMEMLIMIT ?= 1GiB
test:
	@command -v z3 >/dev/null || echo "z3 is not on the path: tests that ask a solver are skipped"
	go test -vet=off ./...
	cd lab && go test -vet=off . ./cmd/...

# The race detector, on the short tests of what runs at the same time.
# It has nothing to find in tests that do one thing after another, and they take ten times as long.
race:
	go test -vet=off -race -short ./golang ./lower ./lower/emit
	cd lab && go test -vet=off -race -short .
	go test -vet=off -race -short ./lower/exec -run 'TestPrograms$$|TestReductions$$|TestSeveral$$|TestLongRows$$|TestRun|TestVersions$$'
	go test -vet=off -race ./lower/internal/programs -run 'TestPrograms$$' -args -programs 150 -programs-from 1000
	go test -vet=off -race -short ./rfactor -run 'TestPools|TestCorpus$$|TestUnseenCorpus$$|TestBound$$|TestCancel$$|TestDeterministic$$'
	go test -vet=off -race -short ./tablegen -run 'TestGenerate$$'
	go test -vet=off -race -short ./cmd/rfactor -run 'TestInterrupt$$|TestRunScripts|TestScripts/(coverage|lower)$$'

# Every fuzz target of every package, FUZZTIME=20s each.
# That the time ran out in the middle of an input is no finding, though go test calls it a failure ("context deadline exceeded").
FUZZTIME ?= 20s
fuzz:
	@set -e; for pkg in $$(go list ./...); do \
	  for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "fuzz $$pkg $$target"; \
	    out=$$(go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$pkg 2>&1) || \
	      { echo "$$out"; case "$$out" in *"Failing input"*) exit 1;; *"context deadline exceeded"*) ;; *) exit 1;; esac; }; \
	    echo "$$out" | tail -n 1; \
	  done; \
	done

# Gofmt, vet and staticcheck, of the main module, bench and lab.
lint:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "the files above are not gofmt'd"; exit 1; }
	@set -e; for module in . $(MODULES); do \
	  echo "vet and staticcheck $$module"; (cd $$module && go vet ./... && staticcheck ./...); \
	done

# A long suite whole: make check SUITE=digest, or check-digest; the suites are listed below.
check:
	@.ci/suites $(SUITE)

# All that CI runs.
ci:
	.ci/run

# Every certificate of the corpus, replayed: the suite certificates.
verify:
	@.ci/suites certificates

##@ measure

# The measurements, listed; bench-NAME runs one whole, such as bench-match, with further flags in ARGS.
bench:
	@go -C bench run .

# What the tree weighs: the command by what it is linked of, its first answer, the tests, the playground. ARGS=- leaves the latter two out.
bench-weight:
	@bench/weight $(or $(ARGS),-long)

# What must be believed: the packages that verify depends on, with their lines without tests.
# The second column counts those that are code: neither blank nor a comment alone. More lines than the limits are an error.
# A new kind of certificate raises the limits in the commit that adds it, by 400 lines at most.
VERIFY_LINES := 9000
TRUSTED_LINES := 12500
tcb:
	@go list -deps -f '{{if and .Module .Module.Main}}{{.ImportPath}} {{.Dir}}{{range .GoFiles}} {{.}}{{end}}{{end}}' ./verify/... | \
	while read -r package dir files; do \
	  lines=$$(cd "$$dir" && cat $$files | wc -l); code=$$(cd "$$dir" && cat $$files | grep -vcE '^[[:space:]]*(//|$$)'); \
	  printf '%6d %6d  %s\n' "$$lines" "$$code" "$${package#*/*/*/}"; \
	done | awk 'BEGIN { print " lines   code" } { print; all += $$1; code += $$2; if ($$3 ~ /^verify/) { own += $$1; owncode += $$2 } } \
	  END { printf "%6d %6d  verify and its folders, of at most %d lines\n%6d %6d  in all, of at most %d lines\n", own, owncode, $(VERIFY_LINES), all, code, $(TRUSTED_LINES); \
	    exit all == 0 || own > $(VERIFY_LINES) || all > $(TRUSTED_LINES) }'

##@ generate

# The operator tables, byte for byte what is committed.
LEAVES ?= 8
tables:
	go run -C lab ./cmd/rfactor-lab tablegen -leaves $(LEAVES) -out ../pattern/tables -report ../testdata/tables/REPORT.md
	go test ./internal/identity -update

# The proofs of the rules, which are committed, made anew.
rules-proofs:
	go run ./cmd/rules-proofs > rules/certificates.tmp
	mv rules/certificates.tmp rules/certificates.jsonl
	go test ./internal/identity -update

# The digests of answers, printed; bench digest -update writes testdata/digests.txt anew.
digest:
	@go -C bench run . digest $(CORPORA)

# What the commands of the documents print, and their pictures, written into them.
docs-outputs:
	go test ./cmd/docs -count=1 -run Excerpts -update
	go test ./cmd/rfactor -count=1 -run 'Console|Gallery|Pictures|TrustTable' -update

# The editor of the playground, playground/editor.min.js, bundled of CodeMirror in the versions that editor/package-lock.json names. Needs npm.
editor:
	@set -e; dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; cp playground/editor/* "$$dir"; cd "$$dir"; npm ci --silent --no-audit --no-fund; \
	npx --no-install esbuild editor.mjs --bundle --minify --format=iife --target=es2022 --legal-comments=none --outfile="$(CURDIR)/playground/editor.min.js"

##@ hidden

# A suite by its name. Variables such as SURFACE=150 reach it through the environment.
check-%:
	@.ci/suites $*

# A measurement by its name: of those that have a sample the whole. What is called FLAGS-NAME are flags that variables stand for.
WHOLE             := constructions mutants random refused tables
FLAGS-match        = $(MATCH_RUNS:%=-runs %)
FLAGS-compare      = $(ROUNDS_COMPARED:%=-rounds %) $(BASE)
FLAGS-tables       = $(LEAVES:%=-leaves %)
FLAGS-scramble     = $(SCRAMBLES:%=-times %) $(SEED:%=-seed %)
FLAGS-scramble-corpus = $(SEED:%=-seed %)
FLAGS-random       = $(UPDATES:%=-n %) $(FIRST:%=-first %)
FLAGS-mutants      = $(MUTANTS:%=-n %) $(SEED:%=-seed %)
FLAGS-golang       = $(GO_MODULES:%=-modules %)
FLAGS-golang-obstacles = $(FLAGS-golang)
FLAGS-auto         = $(AUTO_SIZES:%=-n %) $(AUTO_ONLY:%=-only '%')
FLAGS-write        = -update
bench-%:
	@go -C bench run . $* $(if $(filter $*,$(WHOLE)),-long) $(FLAGS-$*) $(ARGS)

# The i32 tables of 5 leaves, kept to be compared with what the generator makes today, by check-tables.
tables-small:
	go run -C lab ./cmd/rfactor-lab tablegen -leaves 5 -types i32 -out ../testdata/tables/leaves5

# An older name of check-tables.
tables-check: check-tables

# The playground, and the matcher by brotli, for hosts that send that: a minute of compression.
playground-br: playground
	@go run -C lab ./cmd/compress -br ../bin/playground/rfactor.wasm ../bin/playground/program.wasm
