// Bench measures rfactor: each measurement is a command, which prints tab-separated values.
//
//	bench            lists the commands
//	bench match -h   says what one measures, and its flags
//
// It runs in the root of the tree, wherever in it it is started: go -C bench run . match testdata/corpus/real.tsv
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/rfactor-go/rfactor/bench/effort"
	"github.com/rfactor-go/rfactor/bench/egraph"
	"github.com/rfactor-go/rfactor/bench/golang"
	"github.com/rfactor-go/rfactor/bench/halide"
	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/bench/llvm"
	"github.com/rfactor-go/rfactor/bench/lower"
	"github.com/rfactor-go/rfactor/bench/match"
	"github.com/rfactor-go/rfactor/bench/mutants"
	"github.com/rfactor-go/rfactor/bench/run"
	"github.com/rfactor-go/rfactor/bench/scan"
	"github.com/rfactor-go/rfactor/bench/tables"
	"github.com/rfactor-go/rfactor/bench/truth"
	"github.com/rfactor-go/rfactor/bench/write"
)

// groups are the commands, by what they measure.
var groups = []struct {
	name     string
	commands []*command.Command
}{
	{"matching", []*command.Command{
		match.Times, match.Compare,
		match.Times.Preset("parsynt", "measures each reduction that the synthesis tool ParSynt was shown", []string{"-each=parsynt", "-runs=5"}, nil),
		match.Processor,
		halide.Command, egraph.Command, egraph.Peers, tables.Command, effort.Command,
	}},
	{"what is answered", []*command.Command{
		match.Coverage,
		match.Coverage.Preset("unseen", "counts the same of updates that were written after the rules, by someone else", nil, []string{"testdata/corpus/unseen.tsv"}),
		match.Outcomes, match.Constructions, match.Digest, match.Scramble,
		match.Scramble.Preset("scramble-corpus", "matches every update that has an answer in spellings that are 1 to 6 steps away", []string{"-times=10"}, []string{"testdata/corpus/updates.tsv"}),
	}},
	{"whether it is true", []*command.Command{truth.Random, truth.Refused, mutants.Command}},
	{"Go programs", []*command.Command{
		golang.Command,
		golang.Command.Preset("golang-obstacles", "counts what stopped the reader of loops", []string{"-obstacles"}, nil),
		golang.Fix,
	}},
	{"LLVM IR", []*command.Command{llvm.Command, llvm.Plugin}},
	{"emitted code", []*command.Command{
		lower.Command,
		lower.Command.Preset("histograms", "times histograms of random keys, of bytes and of words, and of weights alone", []string{"-only=histogram|weighted|pairs", "-n=1Ki,32Ki,1Mi,16Mi"}, nil),
		lower.Auto,
		lower.Auto.Preset("auto-sums", "times the schedules that it chooses for sums alone, of few elements to many", []string{"-programs=testdata/programs/bench", "-only=^sum-", "-n=64,1Ki,32Ki,1Mi,16Mi"}, nil),
		lower.Rows, lower.Products, lower.Ends, scan.Command}},
	{"programs in this process", []*command.Command{run.Command}},
	{"documents", []*command.Command{write.Command}},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(doMain(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func doMain(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		list(stdout)
		return 0
	}
	for _, g := range groups {
		for _, k := range g.commands {
			if k.Name != args[0] {
				continue
			}
			if err := toRoot(); err != nil {
				fmt.Fprintln(stderr, "bench:", err)
				return 2
			}
			return k.Run(ctx, args[1:], stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "bench: there is no command %q; bench alone lists them\n", args[0])
	return 2
}

// list prints a line of each command.
func list(w io.Writer) {
	fmt.Fprintln(w, "usage: bench COMMAND [flags] [arguments]\n\nEach prints tab-separated values. bench COMMAND -h says what they are. Files are named from the root of the tree.")
	for _, g := range groups {
		fmt.Fprintf(w, "\n%s\n", g.name)
		for _, k := range g.commands {
			fmt.Fprintf(w, "  %-17s %s\n", k.Name, k.About)
		}
	}
}

// toRoot goes up to the root of the tree that this program is of.
func toRoot() error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if bytes.HasPrefix(text, []byte("module github.com/rfactor-go/rfactor\n")) {
			return os.Chdir(dir)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if dir == filepath.Dir(dir) {
			return errors.New("it measures the tree in which it is started, and there is none of rfactor")
		}
		dir = filepath.Dir(dir)
	}
}
