// Package golang measures what the front end for Go finds: how many loops are read and answered, and what parallel calls
// in place of loops save.
package golang

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/golang"
)

// modules are those that are looked at besides the standard library.
const modules = "gonum.org/v1/gonum@v0.17.0,github.com/klauspost/compress@v1.18.0,github.com/montanaflynn/stats@v0.14.0," +
	"github.com/RoaringBitmap/roaring/v2@v2.30.0,github.com/bits-and-blooms/bitset@v1.29.0,github.com/apache/arrow-go/v18@v18.8.0," +
	"github.com/ethereum/go-ethereum@v1.17.10:crypto:common:core/types:trie:rlp," +
	"github.com/prometheus/prometheus@v0.316.0:model:promql:storage:tsdb:util"

// Command counts the loops of Go code that are read and answered.
var Command = &command.Command{
	Name:  "golang",
	About: "counts the loops of the standard library and of modules that are read and answered",
	Doc:   "Modules come from the module proxy. Folders of a module may be named behind its version, as crypto:trie; otherwise all of it is looked at.",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		list := f.String("modules", modules, "`LIST` of modules with their versions, separated by commas, besides the standard library")
		obstacles := f.Bool("obstacles", false, "print what stopped the reader instead of the counts")
		return func(c *command.Call) error {
			var all []*measured
			for _, name := range append([]string{"std"}, strings.FieldsFunc(*list, func(r rune) bool { return r == ',' })...) {
				fmt.Fprintln(c.Stderr, name)
				m, err := measure(c.Context, name)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				all = append(all, m)
			}
			if *obstacles {
				printObstacles(c.Stdout, all)
			} else {
				printCounts(c.Stdout, all)
			}
			return nil
		}
	},
}

// measured is what was found in the standard library or in a module.
type measured struct {
	name              string
	packages, leftOut int
	sum               golang.Summary
	load, look        time.Duration
	first, sole       map[string]int // loops by the kind of their first and of their only obstacle
	verdicts          map[golang.Verdict]int
	plain             int
}

func measure(ctx context.Context, name string) (*measured, error) {
	m := &measured{name: name, first: map[string]int{}, sole: map[string]int{}, verdicts: map[golang.Verdict]int{}}
	dir, patterns := ".", []string{name}
	if path, version, ok := strings.Cut(name, "@"); ok {
		version, folders, _ := strings.Cut(version, ":")
		patterns = nil
		for _, folder := range strings.Split(folders, ":") {
			patterns = append(patterns, strings.TrimSuffix(path+"/"+folder, "/")+"/...")
		}
		made, err := moduleThatRequires(ctx, version, patterns)
		defer os.RemoveAll(made)
		if err != nil {
			return nil, err
		}
		dir = made
	}
	start := time.Now()
	packages, problems, err := golang.Load(ctx, dir, false, patterns...)
	if err != nil {
		return nil, err
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("%s: no package could be loaded: %w", name, errors.Join(problems...))
	}
	m.packages, m.leftOut, m.load = len(packages), len(problems), time.Since(start)
	start = time.Now()
	var in golang.Inspector
	for _, p := range packages {
		findings, sum, err := in.Inspect(ctx, p)
		if err != nil {
			return nil, err
		}
		m.sum.Add(sum)
		for _, f := range findings {
			m.count(f)
		}
	}
	m.look = time.Since(start)
	return m, nil
}

// moduleThatRequires makes a module of its own that requires packages of another one, with all that they import.
func moduleThatRequires(ctx context.Context, version string, patterns []string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "bench-golang"); err != nil {
		return "", err
	}
	get := []string{"get"}
	for _, p := range patterns {
		get = append(get, p+"@"+version)
	}
	for _, args := range [][]string{{"mod", "init", "bench"}, get} {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return dir, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	return dir, nil
}

func (m *measured) count(f *golang.Finding) {
	m.verdicts[f.Verdict]++
	if f.Plain {
		m.plain++
	}
	if len(f.Obstacles) == 0 {
		return
	}
	m.first[f.Obstacles[0].Kind]++
	for _, o := range f.Obstacles {
		if o.Kind != f.Obstacles[0].Kind {
			return
		}
	}
	m.sole[f.Obstacles[0].Kind]++
}

func printCounts(w io.Writer, all []*measured) {
	fmt.Fprintln(w, "code\tpackages\tloops\tinnermost\tcarry values\tread\tof them outer\tanswered\tplain\tlifted\trefused\tload s\tlook s")
	for _, m := range append(all, together("together", all)) {
		s := m.sum
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%.1f\n", strings.ReplaceAll(m.name, ":", " "), m.packages, s.Loops, s.Innermost, s.Carried, s.Read, s.Outer, s.Answered,
			m.plain, s.Lifted, m.verdicts[golang.Refused], m.load.Seconds(), m.look.Seconds())
	}
}

// together sums up.
func together(name string, all []*measured) *measured {
	sum := &measured{name: name, first: map[string]int{}, sole: map[string]int{}, verdicts: map[golang.Verdict]int{}}
	for _, m := range all {
		sum.packages += m.packages
		sum.sum.Add(m.sum)
		sum.load += m.load
		sum.look += m.look
		sum.plain += m.plain
		for k, n := range m.verdicts {
			sum.verdicts[k] += n
		}
		for k, n := range m.first {
			sum.first[k] += n
		}
		for k, n := range m.sole {
			sum.sole[k] += n
		}
	}
	return sum
}

func printObstacles(w io.Writer, all []*measured) {
	fmt.Fprintln(w, "obstacle\tstd first\tsole\tmodules first\tsole")
	modules := together("modules", all[1:])
	for _, kind := range golang.Obstacles() {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\n", kind, all[0].first[kind], all[0].sole[kind], modules.first[kind], modules.sole[kind])
	}
}
