// Package tables measures how long the operator tables take to make: the i32 tables of 5
// leaves, and all tables of -leaves leaves, which are compared with those in the program.
package tables

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/tablegen"
)

// Command measures how long the operator tables take to make.
var Command = &command.Command{
	Name:  "tables",
	About: "measures how long the operator tables take to make, and compares them with those in the program",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		long := f.Long("all tables as well", "the i32 tables of 5 leaves alone")
		leaves := f.Int("leaves", 8, "`NUMBER` of leaves of the tables of all types")
		return func(c *command.Call) error {
			fmt.Fprintln(c.Stdout, "types\tleaves\tseconds\ttables\tentries\tas_embedded")
			if err := measure(c.Context, c.Stdout, "i32", []ir.Type{ir.I32}, 5); err != nil || !*long {
				return err
			}
			return measure(c.Context, c.Stdout, "all", nil, *leaves)
		}
	},
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
