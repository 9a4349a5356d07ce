// Bench-lower emits the programs in testdata/programs/bench as Go packages, builds them with
// and without vectors, and times them beside the serial loops; those with vectors by turns with
// the block executor and with loops that only load, over the same arrays. The table goes to standard output as tab-separated values:
//
//	reduction n goroutines backend ms gb_s limit_gb_s serial_ms speedup
//
// With -auto it measures the schedules that rfactor lower -auto chooses beside the serial loops, in one
// process and by turns; ratio is the serial loop's median time over the schedule's:
//
//	program n portable_us serial_us ratio simd_us ratio
//
// With -peer it times products of matrices on one core beside those of OpenBLAS and Halide, in place of the table. With
// -rows it times the programs beside Halide's best schedule of each, with vectors and by turns; ratio is Halide's median over ours,
// of time by the clock and of processor time:
//
//	reduction n goroutines us halide_us ratio cpu_us halide_cpu_us cpu_ratio halide_schedule
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
)

func main() { os.Exit(doMain(os.Args[1:], os.Stdout, os.Stderr)) }

// options are what the user asks to measure.
type options struct {
	dir   string // of the programs
	sizes []int
	procs []int
	only  *regexp.Regexp
	auto  bool // schedules that -auto chooses, beside the serial loops
}

func doMain(args []string, stdout, stderr io.Writer) int {
	o := options{sizes: []int{32 << 10, 16 << 20, 64 << 20}, procs: []int{1, 2}}
	fs := flag.NewFlagSet("bench-lower", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.dir, "programs", "testdata/programs/bench", "`DIR` of the programs")
	only := fs.String("only", "", "`REGEXP` of the reductions to measure")
	fs.BoolVar(&o.auto, "auto", false, "measure the schedules that lower -auto chooses beside the serial loops, by turns, whatever schedules the programs have")
	rows := fs.Bool("rows", false, "compare the programs with Halide's best schedule of each, by turns: 32Ki elements on one core and 16Mi on two, unless -n or -goroutines is given")
	peers := fs.String("peer", "", "`LIST` of openblas and halide: compare products of matrices with theirs on one core, by turns, in place of the table; -n lists sizes of a side, 512 and 1000 where it is not given")
	fs.Func("n", "`LIST` of sizes in elements, such as 32Ki,16Mi (default 32Ki,16Mi,64Mi)", func(s string) (err error) {
		o.sizes, err = numbers(s)
		return err
	})
	fs.Func("goroutines", "`LIST` of how many (default 1,2)", func(s string) (err error) {
		o.procs, err = numbers(s)
		return err
	})
	if err := fs.Parse(args); err != nil {
		return 2
	}
	var err error
	if o.only, err = regexp.Compile(*only); err != nil {
		fmt.Fprintln(stderr, "bench-lower:", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *rows {
		configs := []config{{32 << 10, 1}, {16 << 20, 2}}
		fs.Visit(func(f *flag.Flag) {
			if f.Name == "n" || f.Name == "goroutines" {
				configs = o.configs()
			}
		})
		if err := compareRows(ctx, &o, configs, 15, stdout, stderr); err != nil {
			fmt.Fprintln(stderr, "bench-lower:", err)
			return 1
		}
		return 0
	}
	if *peers != "" {
		sides := []int{512, 1000}
		fs.Visit(func(f *flag.Flag) {
			if f.Name == "n" {
				sides = o.sizes
			}
		})
		if err := comparePeers(ctx, strings.Split(*peers, ","), sides, 11, stdout, stderr); err != nil {
			fmt.Fprintln(stderr, "bench-lower:", err)
			return 1
		}
		return 0
	}
	if err := run(ctx, &o, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "bench-lower:", err)
		return 1
	}
	return 0
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
