package tablegen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
)

// report writes what was enumerated, what became of it, and what the tables hold.
func (r *generation) report() error {
	var b strings.Builder
	b.WriteString("# Operator tables\n\nWritten by `rfactor tablegen`; do not edit. Functions are enumerated, not spellings: the Halide paper lists 17,905 spellings\nup to 8 leaves (about 9,000 a type), made in 24 to 36 hours; its 11,273 one-component spellings on i32 are 96 functions.\n")
	if err := r.reportStudies(&b); err != nil {
		return err
	}
	if err := r.reportSelections(&b); err != nil {
		return err
	}
	if err := r.reportTables(&b); err != nil {
		return err
	}
	r.reportProofs(&b)
	fmt.Fprintf(&b, "\n## This run\n\n%d workers; ", r.workers())
	for i, s := range r.stages {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %s", s.name, s.time.Round(time.Second))
	}
	b.WriteString(".\n")
	if err := os.MkdirAll(filepath.Dir(r.o.report()), 0o777); err != nil {
		return err
	}
	return writeFile(r.o.report(), b.String())
}

func (r *generation) reportStudies(b *strings.Builder) error {
	b.WriteString(`
## Enumerated

Of the expressions tried, those that evaluation refutes at 16 points (of pairs, only those that may have an identity are asked); that do not depend on both operands, or, of pairs, whose use as
an update falls apart into updates of the components (neither reads the other's state, or one keeps its value, is replaced, or is read by none); whose function has fewer leaves too; that 2,000 more points refute; that have no identity on either side; that are an instance of one
with a constant in place of a literal or term; that set, keep or clamp, or answer nothing but values of the operands and constants (one for every condition, pair of bounds and order; the matcher needs no entry for them); and that an operator known to
the field, or its mirror image, answers by probing. In a shape n is a number and f a flag.

| world | shape | signature | leaves | tried | refuted early | independent | smaller | refuted late | no identity | instances | set, keep, clamp, choose | answered | candidates |
|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
`)
	for _, s := range studies(r.o) {
		var of [maxLeaves + 1]tally
		var n [maxLeaves + 1]int
		for _, j := range s.jobs() {
			f, err := readFound(r.file(j.name()))
			if err != nil {
				return err
			}
			of[j.n[0]+j.n[1]].add(f.tally)
			n[j.n[0]+j.n[1]] += len(f.candidates)
		}
		for leaves, t := range of {
			if t.tried > 0 {
				sig := "paper"
				if s.wide {
					sig = "wide"
				}
				fmt.Fprintf(b, "| %s | %s | %s | %d | %s | %d |\n", s.world.name, s.shape, sig, leaves,
					strings.ReplaceAll(t.String(), " ", " | "), n[leaves])
			}
		}
	}
	return nil
}

func (r *generation) reportSelections(b *strings.Builder) error {
	b.WriteString(`
## Selected

Of the candidates, those whose function was considered before, those that lie between their operands or, of pairs, clamp both components (one for every bound), those that an enumerated operator or its mirror image answers, and that are not proven.

| family | shape | world | candidates | again | between | answered | not proven | kept |
|---|---|---|--:|--:|--:|--:|--:|--:|
`)
	for _, s := range r.selections() {
		_, fates, err := r.readSelected(s)
		if err != nil {
			return err
		}
		for _, w := range s.worlds {
			if f, ok := fates[w]; ok {
				fmt.Fprintf(b, "| %s | %s | %s | %s |\n", s.family.name, s.shape, w, strings.ReplaceAll(f.String(), " ", " | "))
			}
		}
	}
	return nil
}

func (r *generation) reportTables(b *strings.Builder) error {
	b.WriteString("\n## Tables\n\nEntries by what their associativity relies on, and by leaves; every one is proven by package prove, and its certificates are replayed before it is written. Enumerated ones\nthat saturation finds by other entries, or by none, are left out.\n\n" +
		"| types | entries | enumerated | listed | exact | nsw, nuw | floats | leaves |\n|---|--:|--:|--:|--:|--:|--:|---|\n")
	total := 0
	for _, types := range r.signatures() {
		name := pattern.TableName(types)
		text, err := os.ReadFile(filepath.Join(r.o.Out, name))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		entries, err := pattern.ReadTable(name, string(text))
		if err != nil {
			return err
		}
		total += len(entries)
		fmt.Fprintf(b, "| %s |%s\n", strings.TrimSuffix(name, ".txt"), tableRow(entries))
	}
	fmt.Fprintf(b, "\n%d entries in all.\n", total)
	return nil
}

func tableRow(entries []*pattern.Entry) string {
	var listed, exact, overflow, floats int
	leaves := map[int]int{}
	most := 0
	for _, e := range entries {
		if e.Source == "listed" {
			listed++
		}
		switch {
		case e.Assumes == 0:
			exact++
		case e.Assumes.Has(ir.NSW) || e.Assumes.Has(ir.NUW):
			overflow++
		default:
			floats++
		}
		leaves[e.Leaves]++
		most = max(most, e.Leaves)
	}
	var by []string
	for n := range most + 1 {
		if leaves[n] > 0 {
			by = append(by, fmt.Sprintf("%d:%d", n, leaves[n]))
		}
	}
	return fmt.Sprintf(" %d | %d | %d | %d | %d | %d | %s |", len(entries), len(entries)-listed, listed, exact, overflow, floats, strings.Join(by, " "))
}

// proofs are those of one method: how many, the nodes of their certificates, and the time
// that all the laws of the entries took.
type proofs struct {
	entries, nodes, largest int
	time, longest           time.Duration
}

func (p *proofs) add(q proofs) {
	p.entries += q.entries
	p.nodes += q.nodes
	p.largest = max(p.largest, q.largest)
	p.time += q.time
	p.longest = max(p.longest, q.longest)
}

func (r *generation) reportProofs(b *strings.Builder) {
	b.WriteString("\n## Proofs\n\nOf the entries proven in this run, by what associativity needs: one polynomial on both sides (ring); decisions, closed by linear arithmetic (cases);\n" +
		"equations that follow from decisions; how often a sum wraps (carry); the signs of variables. Nodes are those of the certificates of associativity; the times are of all laws and identities.\n\n" +
		"| method | entries | nodes | most nodes | time | longest |\n|---|--:|--:|--:|--:|--:|\n")
	for m, p := range r.proofs {
		if p.entries > 0 {
			fmt.Fprintf(b, "| %s | %d | %d | %d | %s | %s |\n", prove.Method(m), p.entries, p.nodes, p.largest,
				p.time.Round(time.Millisecond), p.longest.Round(time.Millisecond))
		}
	}
}
