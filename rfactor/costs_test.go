package rfactor

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

var costs = flag.Bool("costs", false, "measure what TestCosts checks: nanoseconds a unit of each kind of work")

// kindOf says which kind of work a function does, by a part of its name in a profile. The first line
// that fits a frame counts, and of the frames of a sample the innermost that fits.
var kindOf = []struct {
	part string
	kind effort.Kind
}{
	{"rfactor/egraph.(*Table).Match", effort.Tables},
	{"rfactor/egraph.Run", effort.Saturation},
	{"rfactor/canon.(*Session)", effort.Saturation},
	{"rfactor/ir/tape.(*Tape)", effort.Points},
	{"rfactor/prove/testpoint.", effort.Points},
	{"rfactor/rfactor/internal/sample.", effort.Points},
	{"rfactor/prove/internal/search.", effort.Cases},
	{"rfactor/prove/internal/bits.Diagrams", effort.Diagrams},
	{"rfactor/prove/internal/bits.(*blaster)", effort.Circuits},
	{"rfactor/prove/internal/bits.(*circuit)", effort.Circuits},
	{"rfactor/prove/internal/bits.", effort.Clauses},
	{"rfactor/internal/maxplus.", effort.Sums},
	{"rfactor/internal/gf2.", effort.Polynomials},
	{"rfactor/ir.(*Pool)", effort.Terms},
	{"rfactor/ir.Make", effort.Terms},
	{"rfactor/ir.Rebuild", effort.Terms},
	{"rfactor/ir.Walk", effort.Terms},
	{"rfactor/ir.Vars", effort.Terms},
	{"rfactor/canon.", effort.Terms},
	{"rfactor/rfactor.", effort.Candidates},
}

// uncharged lists functions whose work no match is charged for: each runs once for a table.
var uncharged = []string{"rfactor.attempt.facts.", "rfactor.attempt.probeTable", "pattern.Table"}

// TestCosts measures what an item of each kind of work takes, by a profile of the corpora, beside what
// it is charged for.
func TestCosts(t *testing.T) {
	if !*costs {
		t.Skip("without -costs")
	}
	var all budget
	file := filepath.Join(t.TempDir(), "cpu")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		t.Fatal(err)
	}
	for _, corpus := range []string{"updates", "unseen", "unseen_lift", "real", "go-std"} {
		for _, l := range readCorpus(t, corpus+".tsv") {
			for _, allowed := range []ir.Assume{ir.AllAssumptions, ir.DefaultAssumptions} {
				u, err := program.ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := Match(t.Context(), u, Options{Allowed: allowed, payer: &all}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	pprof.StopCPUProfile()
	f.Close()
	took, other := byKind(t, file)
	work := &all.meter
	fmt.Println("kind\titems\tcharged_ms\ttook_ms\tns_a_unit")
	for k := range effort.NumKinds {
		charged := k.Cost(work.Spent(k))
		fmt.Printf("%s\t%d\t%.1f\t%.1f\t%.2f\n", k, work.Spent(k), float64(charged)/1e6, float64(took[k])/1e6, float64(took[k])/float64(charged))
	}
	fmt.Printf("no kind\t\t\t%.1f\t\n", float64(other)/1e6)
}

// byKind reads a profile: how many nanoseconds were spent on each kind of work, and on none.
func byKind(t *testing.T, file string) (took [effort.NumKinds]int64, other int64) {
	out, err := exec.CommandContext(context.Background(), "go", "tool", "pprof", "-traces", "-unit=ns", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	var ns int64
	var kind effort.Kind
	found, left := true, false
	flush := func() {
		if found && !left {
			took[kind] += ns
		} else if !left {
			other += ns
		}
		ns, found, left = 0, false, false
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "---") {
			flush()
			continue
		}
		name := fields[len(fields)-1]
		if n, err := strconv.ParseInt(strings.TrimSuffix(fields[0], "ns"), 10, 64); err == nil && len(fields) > 1 {
			ns = n
		}
		for _, u := range uncharged {
			left = left || strings.Contains(name, u)
		}
		for _, k := range kindOf {
			if !found && strings.Contains(name, k.part) {
				kind, found = k.kind, true
			}
		}
	}
	flush()
	return took, other
}
