package lower

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/bench/internal/emitted"
	"github.com/rfactor-go/rfactor/bench/internal/turns"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Ends times loops that end early and loops that keep some elements.
var Ends = &command.Command{
	Name:  "ends",
	About: "times searches, sums up to a budget and compactions as emitted Go, beside loops in Go, and loops and libraries in C++, by turns",
	Doc: `The programs are those of testdata/programs/bench/ends. With their names stands where the loop ends (10, 1000, none), or the per cent that is kept.
call is the nanoseconds of a call, ns what each element up to the end took, the least of all turns. one and two are emitted code on as many
processors, whose results go to memory that is used again; go is the loop in Go, loop that in C++, library what C or C++ has for it, and copy a copy
of all elements. Vectors need GOTOOLCHAIN=go1.27.4, which is set.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		count := f.Int("turns", 5, "take `N` turns")
		only := f.String("only", "", "measure the works whose name has `TEXT` alone")
		sizes := f.String("n", "32Ki,4Mi", "measure these numbers of elements")
		return func(c *command.Call) error {
			ns, err := turns.Sizes(*sizes)
			if err != nil {
				return command.Usage(err.Error())
			}
			return compareEnds(c.Context, ns, *count, *only, c.Stdout, c.Stderr)
		}
	},
}

// none is where a loop ends that runs through.
const none = -1

// endWorks are the programs, with where they end or how many of a hundred elements they keep.
var endWorks = []struct {
	name  string
	cases []int
}{
	{"compact-i32", []int{1, 50, 99}},
	{"find-i32", []int{10, 1000, none}},
	{"find-u8", []int{10, 1000, none}},
	{"budget-i32", []int{10, 1000, none}},
}

func compareEnds(ctx context.Context, sizes []int, count int, only string, stdout, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "bench-ends")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	exe, err := buildEnds(ctx, dir)
	if err != nil {
		return err
	}
	own, err := turns.Start(ctx, nil, []string{"copy", "go", "one", "two"}[:min(4, 2+runtime.NumCPU())], exe)
	if err != nil {
		return err
	}
	peers := []*turns.Peer{own}
	text, err := peerFiles.ReadFile("peers/ends.cpp")
	if err != nil {
		return err
	}
	if p := turns.Compiled(ctx, stderr, dir, text, "loop", "library"); p != nil {
		peers = append(peers, p)
	}
	for _, p := range peers {
		defer p.Stop()
	}
	fmt.Fprintln(stdout, "work\tn\tway\tcall\tns")
	for _, w := range endWorks {
		for _, at := range w.cases {
			for _, n := range sizes {
				if !strings.Contains(w.name, only) || at >= n {
					continue
				}
				if err := compareEnd(ctx, w.name, at, n, count, peers, stdout); err != nil {
					return fmt.Errorf("%s: %w", w.name, err)
				}
			}
		}
	}
	return nil
}

func compareEnd(ctx context.Context, work string, at, n, count int, peers []*turns.Peer, stdout io.Writer) error {
	var ways []*turns.Way
	for _, p := range peers {
		for _, name := range p.Ways {
			ways = append(ways, &turns.Way{Name: name, NS: func() (float64, error) { return p.Ask(work, name, n, at) }})
		}
	}
	if err := turns.Take(ctx, count, ways); err != nil {
		return err
	}
	label, elements := fmt.Sprint(at), n
	switch {
	case at == none:
		label = "none"
	case strings.HasPrefix(work, "compact"):
		label += " %"
	default:
		elements = at + 1
	}
	for _, w := range ways {
		if w.Best > 0 { // a peer may have no such work
			fmt.Fprintf(stdout, "%s %s\t%d\t%s\t%.4g\t%.3f\n", work, label, n, w.Name, w.Best, w.Best/float64(elements))
		}
	}
	return nil
}

// buildEnds emits the programs and builds the command that times them.
func buildEnds(ctx context.Context, dir string) (exe string, err error) {
	rs, err := readAll(&options{dir: "testdata/programs/bench/ends", only: regexp.MustCompile("")})
	if err != nil {
		return "", err
	}
	for _, r := range rs {
		if err := emitPackage(ctx, r.prog, plan.Options{}, dir, r.pkg); err != nil {
			return "", fmt.Errorf("%s: %w", r.name, err)
		}
	}
	main, err := peerFiles.ReadFile("peers/ends.go.txt")
	if err != nil {
		return "", err
	}
	return emitted.Program(ctx, dir, main)
}
