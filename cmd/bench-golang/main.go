// Bench-golang looks for reductions in the standard library and in modules, and prints how many loops were read and
// answered; with -obstacles what stopped the reader. Values are tab-separated.
//
//	bench-golang -modules gonum.org/v1/gonum@v0.17.0,github.com/ethereum/go-ethereum@v1.17.10:crypto:trie
//
// Folders of a module may be named behind its version; otherwise all of it is looked at.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/golang"
)

func main() { os.Exit(doMain(os.Args[1:], os.Stdout, os.Stderr)) }

func doMain(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("bench-golang", flag.ContinueOnError)
	fs.SetOutput(stderr)
	modules := fs.String("modules", "", "modules with their versions, separated by commas, besides the standard library")
	obstacles := fs.Bool("obstacles", false, "print the obstacles instead of the counts")
	if fs.Parse(args) != nil || fs.NArg() > 0 {
		return 2
	}
	var all []*measured
	for _, name := range append([]string{"std"}, strings.FieldsFunc(*modules, func(r rune) bool { return r == ',' })...) {
		fmt.Fprintln(stderr, name)
		m, err := measure(name)
		if err != nil {
			fmt.Fprintf(stderr, "bench-golang: %s: %v\n", name, err)
			return 1
		}
		all = append(all, m)
	}
	if *obstacles {
		printObstacles(stdout, all)
	} else {
		printCounts(stdout, all)
	}
	return 0
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

func measure(name string) (*measured, error) {
	m := &measured{name: name, first: map[string]int{}, sole: map[string]int{}, verdicts: map[golang.Verdict]int{}}
	dir, patterns := ".", []string{name}
	if path, version, ok := strings.Cut(name, "@"); ok {
		version, folders, _ := strings.Cut(version, ":")
		patterns = nil
		for _, folder := range strings.Split(folders, ":") {
			patterns = append(patterns, strings.TrimSuffix(path+"/"+folder, "/")+"/...")
		}
		made, err := moduleThatRequires(version, patterns)
		defer os.RemoveAll(made)
		if err != nil {
			return nil, err
		}
		dir = made
	}
	start := time.Now()
	packages, problems, err := golang.Load(context.Background(), dir, false, patterns...)
	if err != nil {
		return nil, err
	}
	m.packages, m.leftOut, m.load = len(packages), len(problems), time.Since(start)
	start = time.Now()
	var in golang.Inspector
	for _, p := range packages {
		findings, sum, err := in.Inspect(context.Background(), p)
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
func moduleThatRequires(version string, patterns []string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "bench-golang"); err != nil {
		return "", err
	}
	get := []string{"get"}
	for _, p := range patterns {
		get = append(get, p+"@"+version)
	}
	for _, args := range [][]string{{"mod", "init", "bench"}, get} {
		cmd := exec.Command("go", args...)
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
