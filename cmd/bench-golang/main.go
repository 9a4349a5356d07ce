// Bench-golang looks for reductions in the standard library and in modules, and prints how many loops were read and
// answered; with -obstacles what stopped the reader. Values are tab-separated.
//
//	bench-golang -modules gonum.org/v1/gonum@v0.17.0
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
	dir, pattern := ".", name
	if path, _, ok := strings.Cut(name, "@"); ok {
		made, err := moduleThatRequires(path, name)
		defer os.RemoveAll(made)
		if err != nil {
			return nil, err
		}
		dir, pattern = made, path+"/..."
	}
	start := time.Now()
	packages, problems, err := golang.Load(context.Background(), dir, false, pattern)
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

// moduleThatRequires makes a module of its own that requires another one, with all that its packages import.
func moduleThatRequires(path, version string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "bench-golang"); err != nil {
		return "", err
	}
	_, number, _ := strings.Cut(version, "@")
	for _, args := range [][]string{{"mod", "init", "bench"}, {"get", path + "/...@" + number}} {
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
	fmt.Fprintln(w, "code\tpackages\tloops\tinnermost\tcarry values\tread\tanswered\tplain\tlifted\trefused\tload s\tlook s")
	for _, m := range all {
		s := m.sum
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%.1f\n", m.name, m.packages, s.Loops, s.Innermost, s.Carried, s.Read, s.Answered,
			m.plain, s.Lifted, m.verdicts[golang.Refused], m.load.Seconds(), m.look.Seconds())
	}
}

func printObstacles(w io.Writer, all []*measured) {
	fmt.Fprint(w, "obstacle")
	for _, m := range all {
		name, _, _ := strings.Cut(m.name, "@")
		fmt.Fprintf(w, "\t%s first\tsole", name[strings.LastIndexByte(name, '/')+1:])
	}
	fmt.Fprintln(w)
	for _, kind := range golang.Obstacles() {
		fmt.Fprint(w, kind)
		for _, m := range all {
			fmt.Fprintf(w, "\t%d\t%d", m.first[kind], m.sole[kind])
		}
		fmt.Fprintln(w)
	}
}
