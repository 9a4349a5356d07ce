// Package lower measures what package lower emits: programs beside their serial loops, beside the block executor, and beside
// what others make of them.
package lower

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/command"
)

// options are what the user asks to measure.
type options struct {
	dir   string // of the programs
	sizes []int
	procs []int
	only  *regexp.Regexp
	auto  bool // schedules that -auto chooses, beside the serial loops
}

// programs declares the flags that choose programs and sizes.
func (o *options) programs(f *command.Flags, dir string) {
	f.StringVar(&o.dir, "programs", dir, "`DIR` of the programs")
	f.Func("only", "`REGEXP` of the reductions to measure", func(s string) (err error) {
		o.only, err = regexp.Compile(s)
		return err
	})
	o.only = regexp.MustCompile("")
}

func (o *options) lists(f *command.Flags) {
	sizesFlag(f, &o.sizes)
	f.Func("goroutines", "`LIST` of how many (default 1,2)", func(s string) (err error) {
		o.procs, err = numbers(s)
		return err
	})
}

func sizesFlag(f *command.Flags, to *[]int) {
	usual := *to
	f.Func("n", fmt.Sprintf("`LIST` of sizes in elements, such as 32Ki,16Mi (default %s)", join(usual)), func(s string) (err error) {
		*to, err = numbers(s)
		return err
	})
}

// Command measures emitted programs beside serial loops.
var Command = &command.Command{
	Name:  "lower",
	About: "times the programs of testdata/programs/bench as emitted Go, beside serial loops and loops that only load",
	Doc: `They are built with and without vectors; those with vectors are timed by turns with the block executor and with loops that only load,
over the same arrays. Elements are small, or of the kind that a line "// Data: KIND" of a program names. Vectors need Go 1.27.4 at hand; without it their rows are left out.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		o := options{sizes: []int{32 << 10, 16 << 20, 64 << 20}, procs: []int{1, 2}}
		o.programs(f, "testdata/programs/bench")
		o.lists(f)
		return func(c *command.Call) error { return run(c.Context, &o, c.Stdout, c.Stderr) }
	},
}

// Auto measures the schedules that lower -auto chooses.
var Auto = &command.Command{
	Name:  "auto",
	About: "times the schedules that rfactor lower -auto chooses beside the serial loops, by turns",
	Doc:   "ratio is the serial loop's median time over the schedule's. Schedules that the programs have do not count.",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		o := options{auto: true, sizes: []int{0, 1, 7, 64, 1 << 10, 32 << 10, 1 << 20}, procs: []int{1, 2}}
		o.programs(f, "testdata/programs")
		sizesFlag(f, &o.sizes)
		return func(c *command.Call) error { return run(c.Context, &o, c.Stdout, c.Stderr) }
	},
}

// Rows measures programs beside Halide's.
var Rows = &command.Command{
	Name:  "rows",
	About: "times the programs of testdata/programs/bench beside Halide's best schedule of each, by turns",
	Doc: `Ours have vectors. ratio is Halide's median over ours, of time by the clock and of processor time. It measures 32Ki elements on one core
and 16Mi on two, unless -n or -goroutines is given, and needs a C++ compiler and Debian's package libhalide14-0-dev.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		o := options{sizes: []int{32 << 10, 16 << 20}, procs: []int{1, 2}}
		o.programs(f, "testdata/programs/bench")
		o.lists(f)
		return func(c *command.Call) error {
			configs := []config{{32 << 10, 1}, {16 << 20, 2}}
			if f.IsSet("n") || f.IsSet("goroutines") {
				configs = o.configs()
			}
			return compareRows(c.Context, &o, configs, 15, c.Stdout, c.Stderr)
		}
	},
}

// Products measures products of matrices beside those of libraries.
var Products = &command.Command{
	Name:  "products",
	About: "times products of matrices on one core beside those of OpenBLAS and Halide, by turns",
	Doc:   "It needs C and C++ compilers and Debian's packages libopenblas-dev and libhalide14-0-dev; a peer that cannot be built is left out.",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		sides := []int{512, 1000}
		sizesFlag(f, &sides)
		peers := f.String("peers", "openblas,halide", "`LIST` of those to compare with")
		return func(c *command.Call) error {
			return comparePeers(c.Context, strings.Split(*peers, ","), sides, 11, c.Stdout, c.Stderr)
		}
	},
}

// numbers reads 32Ki,16Mi.
func numbers(list string) (out []int, err error) {
	for word := range strings.SplitSeq(list, ",") {
		unit := 1
		for suffix, u := range map[string]int{"Ki": 1 << 10, "Mi": 1 << 20} {
			if rest, ok := strings.CutSuffix(word, suffix); ok {
				word, unit = rest, u
			}
		}
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is no number of elements", word)
		}
		out = append(out, n*unit)
	}
	return out, nil
}

// run emits, builds, measures and prints.
func run(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "bench-lower")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	reductions, err := readAll(o)
	if err != nil {
		return err
	}
	if reductions, err = emit(ctx, o, reductions, dir, stderr); err != nil {
		return err
	}
	var all []measured
	for _, b := range builds {
		fmt.Fprintf(stderr, "building: %s\n", b.name)
		ts, err := b.measure(ctx, o, dir, stderr)
		if err != nil {
			if b.optional {
				fmt.Fprintf(stderr, "%s is left out: %v\n", b.name, err)
				continue
			}
			return err
		}
		all = append(all, ts...)
	}
	if o.auto {
		autoTable(stdout, o, reductions, all)
		return nil
	}
	table(stdout, o, reductions, all)
	return nil
}
