// Package effort measures what an item of each kind of work takes, beside what a match is charged for it.
package effort

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/internal/pace"
	"github.com/rfactor-go/rfactor/internal/study"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Command measures the kinds of work by a profile of matches.
var Command = &command.Command{
	Name:  "effort",
	About: "measures the nanoseconds a unit of each kind of work, by a profile of all corpora",
	Doc: `charged_ms is what matches were charged for the items of a kind, took_ms the time of the profile that is of the kind. ns_a_unit is the
one over the other, in time of the machine on which effort was fixed: calibration is how much slower this one is.`,
	Args: "[CORPUS.tsv…]   (all corpora)",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		return func(c *command.Call) error {
			files := c.Args
			for _, name := range []string{"updates", "unseen", "unseen_lift", "real", "go-std"} {
				if len(c.Args) == 0 {
					files = append(files, "testdata/corpus/"+name+".tsv")
				}
			}
			return measure(c, files)
		}
	},
}

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
	{"rfactor/prove/internal/witness.", effort.Witnesses},
	{"rfactor/verify/bits.", effort.Diagrams},
	{"rfactor/verify/", effort.Witnesses},
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

func measure(c *command.Call, corpora []string) error {
	slower := pace.Slower()
	dir, err := os.MkdirTemp("", "bench-effort")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	profile := filepath.Join(dir, "cpu")
	work, err := matchAll(c, corpora, profile)
	if err != nil {
		return err
	}
	took, other, err := byKind(c.Context, profile)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.Stdout, "kind\titems\tcharged_ms\ttook_ms\tns_a_unit")
	for k := range effort.NumKinds {
		charged := k.Cost(work.Spent(k))
		fmt.Fprintf(c.Stdout, "%s\t%d\t%.1f\t%.1f\t%.2f\n", k, work.Spent(k), float64(charged)/1e6, float64(took[k])/1e6, float64(took[k])/slower/float64(charged))
	}
	fmt.Fprintf(c.Stdout, "no kind\t\t\t%.1f\t\n", float64(other)/1e6)
	fmt.Fprintf(c.Stdout, "calibration\t\t\t\t%.2f\n", slower)
	return nil
}

// matchAll matches every update under all and under the default assumptions, writes a profile, and returns what was spent.
func matchAll(c *command.Call, corpora []string, profile string) (all effort.Meter, err error) {
	f, err := os.OpenFile(profile, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return all, err
	}
	defer f.Close()
	if err := pprof.StartCPUProfile(f); err != nil {
		return all, err
	}
	defer pprof.StopCPUProfile()
	for _, file := range corpora {
		fmt.Fprintln(c.Stderr, file)
		text, err := os.ReadFile(file)
		if err != nil {
			return all, err
		}
		lines, err := program.ReadCorpus(bytes.NewReader(text))
		if err != nil {
			return all, fmt.Errorf("%s: %w", file, err)
		}
		for _, l := range lines {
			for _, allowed := range []ir.Assume{ir.AllAssumptions, ir.DefaultAssumptions} {
				u, err := l.Update()
				if err != nil {
					return all, fmt.Errorf("%s:%d: %w", file, l.Line, err)
				}
				watch := &study.Watch{}
				if _, err := rfactor.Match(c.Context, u, rfactor.Options{Allowed: allowed, Study: &study.Setup{Watch: watch}}); err != nil {
					return all, fmt.Errorf("%s:%d: %w", file, l.Line, err)
				}
				all.Charge(&watch.Spent)
			}
		}
	}
	return all, nil
}

// byKind reads a profile: how many nanoseconds were spent on each kind of work, and on none.
func byKind(ctx context.Context, file string) (took [effort.NumKinds]int64, other int64, err error) {
	out, err := exec.CommandContext(ctx, "go", "tool", "pprof", "-traces", "-unit=ns", file).Output()
	if err != nil {
		return took, 0, err
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
	return took, other, nil
}
