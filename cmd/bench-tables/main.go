// Bench-tables measures how long the operator tables take to make: the i32 tables of 5
// leaves, and all tables of -leaves leaves, which are compared with those in the program.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/tablegen"
)

func main() { os.Exit(doMain(os.Args[1:], os.Stdout, os.Stderr)) }

func doMain(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench-tables", flag.ContinueOnError)
	flags.SetOutput(stderr)
	leaves := flags.Int("leaves", 8, "`NUMBER` of leaves of the tables of all types")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	fmt.Fprintln(stdout, "types\tleaves\tseconds\ttables\tentries\tas_embedded")
	for _, run := range []struct {
		name  string
		types []ir.Type
		n     int
	}{{"i32", []ir.Type{ir.I32}, 5}, {"all", nil, *leaves}} {
		if err := measure(ctx, stdout, run.name, run.types, run.n); err != nil {
			fmt.Fprintln(stderr, "bench-tables:", err)
			return 1
		}
	}
	return 0
}

// measure makes tables in a folder of its own and prints a row.
func measure(ctx context.Context, stdout io.Writer, name string, types []ir.Type, leaves int) error {
	dir, err := os.MkdirTemp("", "bench-tables")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	start := time.Now()
	if err := tablegen.Generate(ctx, tablegen.Options{Types: types, Leaves: leaves, Out: dir}); err != nil {
		return err
	}
	took := time.Since(start)
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return err
	}
	embedded := map[string]string{}
	for _, s := range pattern.Signatures() {
		embedded[pattern.TableName(s)] = pattern.TableText(s)
	}
	entries, same := 0, 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		entries += strings.Count(string(text), "\n") - 3 // two lines of head, one at the end
		if embedded[filepath.Base(f)] == string(text) {
			same++
		}
	}
	_, err = fmt.Fprintf(stdout, "%s\t%d\t%.0f\t%d\t%d\t%d\n", name, leaves, took.Seconds(), len(files), entries, same)
	return err
}
