package tables

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/pace"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/tablegen"
)

// Entries measures what it takes to prove the entries of the tables again.
var Entries = &command.Command{
	Name:  "entries",
	About: "proves the entries of the operator tables again, and measures the processor time",
	Doc: `Every law that a table states is proven, and evaluated at -points points. It takes one table after another. Exit code 1: a table
is not what is proven, and is named on standard error.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		long := f.Long("all tables", "those of components that are truth values")
		points := f.Int("points", 64, "`NUMBER` of points at which each law is evaluated")
		return func(c *command.Call) error {
			fmt.Fprintln(c.Stdout, "components\ttables\tentries\tseconds\tfailed")
			failed := 0
			for n := 1; n <= 4; n++ { // components
				tables, entries, bad := 0, 0, 0
				start := pace.ProcessorTime()
				for _, types := range pattern.Signatures() {
					if len(types) != n || !*long && !allBool(types) {
						continue
					}
					text := pattern.TableText(types)
					if err := tablegen.Verify(c.Context, pattern.TableName(types), text, *points); err != nil {
						if c.Context.Err() != nil {
							return err
						}
						fmt.Fprintln(c.Stderr, err)
						bad++
					}
					tables++
					entries += strings.Count(text, "\n") - 3 // two lines of head, one at the end
				}
				failed += bad
				fmt.Fprintf(c.Stdout, "%d\t%d\t%d\t%.1f\t%d\n", n, tables, entries, (pace.ProcessorTime() - start).Seconds(), bad)
			}
			if failed > 0 {
				return command.ErrFailed
			}
			return nil
		}
	},
}

func allBool(types []ir.Type) bool {
	for _, t := range types {
		if t != ir.Bool {
			return false
		}
	}
	return true
}
