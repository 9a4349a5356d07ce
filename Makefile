# Everything here needs Go alone; tests that ask a solver run where z3 is on the path, and
# say so where it is not.

CORPUS  := testdata/corpus/updates.tsv
FUZZTIME ?= 20s

.PHONY: help test race fuzz check-lower lint verify rules-proofs check-rules tables tables-small tables-check bench-match bench-compare bench-parsynt bench-coverage bench-unseen bench-outcomes bench-constructions bench-scramble bench-scramble-corpus bench-random bench-refused bench-egraph bench-lower bench-auto bench-tables bench-golang bench-golang-obstacles bench-golang-fix check-golang-overlay bench-write bench-effort bench-mutants check-mutants differential check-targets check-prove check-match check-hints check-metamorphic check-kinds check-around check-effort bench-halide digest check-digest lab lab-full lab-rules check-lab check-install playground playground-br docs docs-outputs

# The targets, each with what it is for.
help:
	@awk '/^[A-Z_]+ *[?:]?=/ { next } /^#/ { if (text == "") text = substr($$0, 3); next } \
	  /^[a-z-]+:/ { sub(":.*", ""); printf "%-22s %s\n", $$0, text } { text = "" }' Makefile

# Everything that takes minutes.
test:
	@command -v z3 >/dev/null || echo "z3 is not on the path: tests that ask a solver are skipped"
	go test ./...

# The race detector, on the short tests of what runs at the same time: it has nothing to find in tests that do one
# thing after another, and they take ten times as long.
race:
	go test -race -short ./golang ./internal/lab ./lower ./lower/emit
	go test -race -short ./lower/exec -run 'TestPrograms$$|TestReductions$$|TestSeveral$$|TestLongRows$$|TestRun|TestVersions$$'
	go test -race -short ./rfactor -run 'TestCorpus$$|TestUnseenCorpus$$|TestBound$$|TestCancel$$|TestDeterministic$$'
	go test -race -short ./tablegen -run 'TestGenerate$$'
	go test -race -short ./cmd/rfactor -run 'TestInterrupt$$|TestRunScripts|TestScripts/(coverage|lower)$$'

# Every fuzz target of every package, FUZZTIME each. That the time ran out in the middle of an
# input is no finding, though go test calls it a failure ("context deadline exceeded").
fuzz:
	@set -e; for pkg in $$(go list ./...); do \
	  for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "fuzz $$pkg $$target"; \
	    out=$$(go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$pkg 2>&1) || \
	      { echo "$$out"; case "$$out" in *"Failing input"*) exit 1;; *"context deadline exceeded"*) ;; *) exit 1;; esac; }; \
	    echo "$$out" | tail -n 1; \
	  done; \
	done

# The long suites of package lower, whole: make test runs a sample of them. Every operator of the
# table at every type has ROUNDS schedules: the serial program, the plan interpreted, in blocks,
# and (one of sixteen) emitted. With one round they take three minutes on two busy cores.
ROUNDS ?= 1
SEED   ?= 1
check-lower:
	go test ./lower/exec ./lower/emit -count=1 -timeout 120m -args -full -rounds $(ROUNDS) -seed $(SEED)

# Gofmt, vet and staticcheck.
lint:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "the files above are not gofmt'd"; exit 1; }
	go vet ./...
	staticcheck ./...

# The random suites of the prover in full, with the seeds that are fixed in them; go test runs a
# fifth or so of each.
check-prove:
	go test -count=1 ./prove ./prove/smt ./prove/internal/bits -args -long

# The suites of matching, of the tables' generator and of the rules in full; go test runs a sample of
# each that is stated there: one line in four of unseen.tsv, a third of what the generator drops, one
# rule in five by the solver. On two idle cores they take some twenty minutes.
check-match:
	go test -count=1 -timeout 120m ./rfactor ./tablegen ./rules -args -long

# Go vet for other machines, and tests of what is trusted, and below, on one of 32 bits, whose
# programs a Linux kernel on x86-64 runs as well.
TARGETS := linux/386 linux/arm64 windows/amd64 darwin/arm64 js/wasm
check-targets:
	@set -e; for t in $(TARGETS); do \
	  GOOS=$${t%/*} GOARCH=$${t#*/} go vet ./...; echo "ok      vet $$t"; \
	done
	@if [ "$$(go env GOHOSTOS)/$$(go env GOHOSTARCH)" = linux/amd64 ]; then \
	  GOARCH=386 go test -short ./ir/... ./egraph ./rules ./canon/... ./verify/...; \
	else echo "not linux/amd64: tests of linux/386 are skipped"; fi

# Every certificate of the corpus, replayed; what fails is shown.
verify:
	@mkdir -p bin
	@go build -o bin/rfactor ./cmd/rfactor
	@for set in all default; do \
	  bin/rfactor coverage -json -proof -assume $$set $(CORPUS) > bin/$$set.jsonl || exit 1; \
	  if bin/rfactor verify bin/$$set.jsonl > bin/$$set.verified; \
	  then echo "ok      -assume $$set: $$(tail -n 1 bin/$$set.verified)"; \
	  else grep '^FAILED' bin/$$set.verified; exit 1; fi; \
	done

# The proofs of the rules, which are committed, made anew.
rules-proofs:
	go run ./cmd/rules-proofs > rules/certificates.tmp
	mv rules/certificates.tmp rules/certificates.jsonl

# Every rule, proven from the axioms by its certificate.
check-rules:
	go run ./cmd/rfactor verify -rules

# What must be believed: the packages that verify depends on, with their lines without tests,
# and how many of those are code: neither blank nor a comment alone. Each kind of certificate that came later may
# cost 400 lines beside the limits.
LATER_KINDS := predicates staged gf2
tcb:
	@go list -deps -f '{{if and .Module .Module.Main}}{{.ImportPath}} {{.Dir}}{{range .GoFiles}} {{.}}{{end}}{{end}}' ./verify/... | \
	while read -r package dir files; do \
	  lines=$$(cd "$$dir" && cat $$files | wc -l); code=$$(cd "$$dir" && cat $$files | grep -vcE '^[[:space:]]*(//|$$)'); \
	  printf '%6d %6d  %s\n' "$$lines" "$$code" "$${package#*/*/*/}"; \
	done | awk 'BEGIN { print " lines   code" } { print; all += $$1; code += $$2; if ($$3 ~ /^verify/) { own += $$1; owncode += $$2 } } \
	  END { later = 400 * $(words $(LATER_KINDS)); printf "%6d %6d  verify and its folders, of at most %d lines\n%6d %6d  in all, of at most %d lines\n", own, owncode, 5000 + later, all, code, 9000 + later }'

# Every hint that a refusal gives over all corpora, followed. The ordinary test takes a sample.
check-hints:
	go test ./rfactor -run 'TestHints$$' -count=1 -v -timeout 60m -args -hints-every 1

# Every update of the corpora in other literals, spellings, leaves and orders of components. The ordinary test
# takes a sample.
check-metamorphic:
	go test ./rfactor -run 'TestMetamorphic$$' -count=1 -v -timeout 60m -args -metamorphic-every 1

# Random updates of the kinds that constructions, finite control and stages answer, and near misses of them: every answer is
# evaluated and its certificate replayed. The ordinary test takes 60.
KINDS ?= 100000
check-kinds:
	go test ./rfactor -run 'TestKinds$$' -count=1 -v -timeout 0 -args -kinds $(KINDS) -kinds-first $(FIRST)

# What is said around answers to random updates (counterexamples, near operators, hints, assumptions), held
# against the reference evaluator and against other matches. The ordinary test takes a sample.
AROUND ?= 20000
check-around:
	go test ./rfactor -run 'TestAround$$' -count=1 -v -timeout 0 -args -around $(AROUND) -around-first $(FIRST)

# That no random or mutated update takes more than the effort that a match may take, and that the status
# is the same on one processor and on two. The ordinary test takes 600.
N ?= 100000
check-effort:
	go test ./rfactor -run 'TestBound$$' -count=1 -v -timeout 0 -args -bound $(N) -bound-first $(FIRST)

# A digest of the answers to each corpus, without proofs and times; check-digest compares it with
# the one that is kept. Further corpora: make digest CORPORA="a.tsv b.tsv".
CORPORA ?= testdata/corpus/updates.tsv testdata/corpus/unseen.tsv testdata/corpus/unseen_lift.tsv
digest:
	@go run ./cmd/bench-digest $(CORPORA)

check-digest:
	@go run ./cmd/bench-digest $(CORPORA) | diff testdata/digests.txt - && echo "ok      the answers are what they were"

# Nanoseconds a unit of each kind of work, by a profile of the corpora: see internal/effort.
bench-effort:
	@go test ./rfactor -run 'TestCosts$$' -count=1 -v -timeout 0 -args -costs | grep '	' | grep -v '^ok'

# The operator tables, byte for byte what is committed.
LEAVES ?= 8
tables:
	go run ./cmd/rfactor tablegen -leaves $(LEAVES) -out pattern/tables -report testdata/tables/REPORT.md

# The i32 tables of 5 leaves, kept to be compared with what the generator makes today.
tables-small:
	go run ./cmd/rfactor tablegen -leaves 5 -types i32 -out testdata/tables/leaves5

tables-check:
	@rm -rf bin/leaves5
	go run ./cmd/rfactor tablegen -leaves 5 -types i32 -out bin/leaves5
	@for f in testdata/tables/leaves5/*.txt; do cmp $$f bin/leaves5/$$(basename $$f) || exit 1; done
	@echo "ok      the 5-leaf tables are what is committed"
	go run ./cmd/rfactor tablegen -verify -points 64

# Tables of figures: tab-separated values on standard output, progress on standard error.
# Percentiles of the time of a match, over each corpus and over 1,000 random updates, each matched
# MATCH_RUNS times; on two idle cores three runs take four minutes.
MATCH_RUNS ?= 3
CORPORA_TIMED := $(CORPUS) $(addprefix testdata/corpus/,unseen.tsv unseen_lift.tsv real.tsv go-std.tsv)
bench-match:
	@go run ./cmd/bench-match -runs $(MATCH_RUNS) -random 1000 $(CORPORA_TIMED)

# The same beside what it was at the commit BASE, by turns.
ROUNDS_COMPARED ?= 5
bench-compare:
	@go run ./cmd/bench-compare -rounds $(ROUNDS_COMPARED) $(BASE) $(CORPUS)

# Matching beside the prover of Halide 14, over the updates that both accept, in one run. It needs a C++
# compiler and the package libhalide14-0-dev of Debian, and says so where they are not.
bench-halide:
	@go run ./cmd/bench-halide $(CORPUS) testdata/corpus/unseen.tsv

# Each reduction that the synthesis tool ParSynt was shown, on its own.
bench-parsynt:
	@go run ./cmd/bench-match -each parsynt -runs 5 $(CORPUS)

bench-tables:
	@go run ./cmd/bench-tables -leaves $(LEAVES)

bench-coverage:
	@go run ./cmd/bench-match -coverage $(CORPUS)

# The same of 700 updates that were written after the rules, by someone else.
bench-unseen:
	@go run ./cmd/bench-match -coverage testdata/corpus/unseen.tsv

# How the updates of real programs and of Go's standard library are answered, and the codes of refusals.
bench-outcomes:
	@go run ./cmd/bench-match -outcomes testdata/corpus/real.tsv testdata/corpus/go-std.tsv

# Each construction and each family of lifts left out: the updates that it answers, and what becomes of them.
bench-constructions:
	@go test ./rfactor -run 'TestConstructionsLeftOut$$' -count=1 -v -timeout 60m -args -leave-out | awk -F'\t' 'NF == 8'

# Every operator of the table, spelled by 1 to 30 random steps that change nothing; misses are
# printed on standard error.
SCRAMBLES ?= 1
bench-scramble:
	@go run ./cmd/bench-match -scramble $(SCRAMBLES) -seed $(SEED)

# Every update of the corpus that has an answer, in spellings that are 1 to 6 such steps away.
bench-scramble-corpus:
	@go run ./cmd/bench-match -scramble 10 -seed $(SEED) $(CORPUS)

# Random updates over all operators and types: every answer is evaluated and its certificate
# replayed. FIRST is the number of the first of them. On two idle cores 20,000 take three minutes.
UPDATES ?= 20000
FIRST   ?= 0
bench-random:
	@go test ./rfactor -run 'TestRandom$$' -count=1 -v -timeout 0 -args -updates $(UPDATES) -first $(FIRST) -table | grep '	' | grep -v '^ok'

# Refusals of updates of up to 5 leaves, confirmed by trying every operator at 2 and at 3 bits.
bench-refused:
	@go test ./rfactor -run 'TestRefusedSmall$$' -count=1 -v -timeout 0 -args -small 10000 -table | grep '	' | grep -v '^ok'

# Certificates of the corpora with something changed: what the checker accepts is judged by
# evaluation. A false claim that is accepted, or a panic, is an error; so many mutants take
# most of an hour on two idle cores.
MUTANTS ?= 100000
PROGRAMS := $(wildcard testdata/programs/*.rf)
bench-mutants:
	@go run ./cmd/bench-mutants -n $(MUTANTS) -seed $(SEED) $(CORPUS) testdata/corpus/unseen.tsv testdata/corpus/unseen_lift.tsv $(PROGRAMS)

# A sample of the same of one corpus.
check-mutants:
	@go run ./cmd/bench-mutants -n 3000 $(CORPUS) $(PROGRAMS)

# Loops of the standard library and of modules: how many were read and answered; bench-golang-obstacles prints
# what stopped the reader. The modules come from the module proxy.
GO_MODULES := gonum.org/v1/gonum@v0.17.0,github.com/klauspost/compress@v1.18.0,github.com/montanaflynn/stats@v0.14.0,$\
	github.com/RoaringBitmap/roaring/v2@v2.30.0,github.com/bits-and-blooms/bitset@v1.29.0,github.com/apache/arrow-go/v18@v18.8.0,$\
	github.com/ethereum/go-ethereum@v1.17.10:crypto:common:core/types:trie:rlp,$\
	github.com/prometheus/prometheus@v0.316.0:model:promql:storage:tsdb:util
bench-golang:
	@go run ./cmd/bench-golang -modules $(GO_MODULES)

bench-golang-obstacles:
	@go run ./cmd/bench-golang -modules $(GO_MODULES) -obstacles

# Loops of the standard library and of modules, compiled as tests of their packages and run on random inputs: 300 that execute, in
# a random order with a fixed seed, held against their updates step by step. The modules come from the module proxy.
OVERLAY_LOOPS ?= 300
OVERLAY_CODE := std,gonum.org/v1/gonum@v0.17.0,github.com/klauspost/compress@v1.18.0,github.com/montanaflynn/stats@v0.14.0,$\
	github.com/RoaringBitmap/roaring/v2@v2.30.0,github.com/bits-and-blooms/bitset@v1.29.0
check-golang-overlay:
	go test ./golang -run 'Overlay$$' -count=1 -v -timeout 120m -args -overlay $(OVERLAY_CODE) -overlay-loops $(OVERLAY_LOOPS)

# Loops of a module that are replaced by calls of parallel functions, in a copy: the packages' tests, and times by turns.
bench-golang-fix:
	@go run ./cmd/bench-golang-fix -module gonum.org/v1/gonum@v0.17.0 -packages ./floats

# Experiments on matching coverage: tables, plots and report.html in bin/lab-small and bin/lab-full.
# What is there already is kept, and completed. The small one is made for 5 minutes of two idle
# cores, the full one for an hour. make lab-rules removes each rule, stage and family once.
lab lab-full lab-rules:
	@mkdir -p bin
	@go build -o bin/rfactor ./cmd/rfactor
	bin/rfactor lab -resume -out bin/lab-$(patsubst lab,small,$(patsubst lab-%,%,$@)) testdata/experiments/$(patsubst lab,small,$(patsubst lab-%,%,$@)).json

# What go install gives from a proxy, in an empty module cache: it builds everything anew.
check-install:
	go test ./cmd/rfactor -run 'TestInstall$$' -count=1 -args -install

# A sample of the small experiment on this machine, on one of 32 bits and, where node is on the path, as WebAssembly: the
# verdicts are the same.
check-lab:
	@rm -rf bin/lab-here bin/lab-386 bin/lab-wasm; mkdir -p bin
	@go build -o bin/rfactor ./cmd/rfactor && GOARCH=386 go build -o bin/rfactor-386 ./cmd/rfactor
	@bin/rfactor lab -out bin/lab-here testdata/experiments/machines.json > bin/lab-here.txt
	@bin/rfactor-386 lab -out bin/lab-386 testdata/experiments/machines.json > bin/lab-386.txt
	@bin/rfactor lab diff bin/lab-here bin/lab-386 | tail -n 1
	@if command -v node >/dev/null; then \
	  GOOS=js GOARCH=wasm go build -o bin/rfactor-command.wasm ./cmd/rfactor && \
	  env -i PATH="$$PATH" HOME="$$HOME" node --stack-size=8192 "$$(go env GOROOT)/lib/wasm/wasm_exec_node.js" bin/rfactor-command.wasm lab -out bin/lab-wasm testdata/experiments/machines.json > bin/lab-wasm.txt && \
	  bin/rfactor lab diff bin/lab-here bin/lab-wasm | tail -n 1; \
	else echo "no node: WebAssembly is skipped"; fi

# The playground, a static page, in bin/playground; rfactor serve opens it. The matcher is there as it is and by gzip, which the
# page asks for where the host does not compress.
# In packages where a match spends little time nothing is inlined: that is smaller by a tenth where it is compressed, and no slower.
M := github.com/rfactor-go/rfactor
COLD := $M/lower/... $M/internal/view $M/ir/program $M/ndarray $M/rfactor $M/rfactor/plan $M/rfactor/internal/lift $\
	$M/rfactor/internal/laws $M/rfactor/internal/gf2 $M/rules $M/verify/... $\
	encoding/... fmt go/... internal/poll io/... math/big os reflect syscall/... text/... time
playground:
	@mkdir -p bin/playground
	GOOS=js GOARCH=wasm go build -trimpath -ldflags="-s -w" $(COLD:%=-gcflags=%=-l) -o bin/playground/rfactor.wasm ./playground
	cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" playground/*.html playground/*.js playground/*.json playground/*.svg internal/view/page.css internal/view/page.js internal/view/dagre.min.js internal/view/dagre.LICENSE bin/playground/
	@go run ./cmd/compress bin/playground/rfactor.wasm

# The same, and the matcher by brotli, for hosts that send that: a minute of compression.
playground-br: playground
	@go run ./cmd/compress -br bin/playground/rfactor.wasm

# The documentation, a static site, in bin/docs.
docs:
	rm -rf bin/docs
	go run ./cmd/docs -out bin/docs

# What the commands of the documents print, and their pictures, written into them: see CONTRIBUTING.md.
docs-outputs:
	go test ./cmd/rfactor -count=1 -run 'Console|Gallery|Pictures|READMETrust' -update

bench-egraph:
	@go run ./cmd/bench-egraph

# Vector kernels need Go 1.27.4 at hand; without it their rows are left out.
bench-lower:
	@go run ./cmd/bench-lower

# Schedules that lower -auto chooses beside the serial loops, in one process and by turns, at sizes from nothing to
# 1 Mi; with AUTO_SIZES=64Mi at that size, of the programs that AUTO_ONLY matches. Five minutes on two idle cores.
AUTO_SIZES ?= 0,1,7,64,1Ki,32Ki,1Mi
AUTO_ONLY  ?= .
bench-auto:
	@go run ./cmd/bench-lower -auto -programs testdata/programs -n $(AUTO_SIZES) -only "$(AUTO_ONLY)"

# Measures everything anew and writes the tables into BENCHMARKS.md.
bench-write:
	go run ./cmd/bench-write BENCHMARKS.md
