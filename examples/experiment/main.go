// Experiment asks how many ways of writing "the greatest element so far" each matcher understands. It
// prints a table that tools for statistics read: a row for each spelling and a column for each matcher.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// spellings are a corpus: name, source, types and update, as rfactor coverage reads them.
const spellings = `
max	here	x0:i32,y0:i32	max(x0, y0)
select	here	x0:i32,y0:i32	select(x0 < y0, y0, x0)
guarded	here	x0:i32,y0:i32	select(!(y0 <= x0), max(y0, x0), x0)
added	here	x0:i32,y0:i32	x0 + select(x0 < y0, y0 - x0, 0)
`

var matchers = []struct {
	name string
	set  rfactor.Matchers
}{{"greedy", rfactor.Greedy}, {"saturation", rfactor.EGraph}, {"probing", rfactor.Probe}, {"all", rfactor.AllMatchers}}

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer) error {
	lines, err := program.ReadCorpus(strings.NewReader(spellings))
	if err != nil {
		return err
	}
	fmt.Fprint(w, "spelling")
	for _, m := range matchers {
		fmt.Fprintf(w, "\t%s", m.name)
	}
	fmt.Fprintln(w)
	for _, l := range lines {
		u, err := l.Update()
		if err != nil {
			return err
		}
		fmt.Fprint(w, l.Name)
		for _, m := range matchers {
			a, err := rfactor.Match(ctx, u, rfactor.Options{Name: l.Name, Matchers: m.set})
			if err != nil {
				return err
			}
			result := "-"
			if a.Status == rfactor.Associative {
				result = ir.Strings(a.Operator.Exprs)
			}
			fmt.Fprintf(w, "\t%s", result)
		}
		fmt.Fprintln(w)
	}
	return nil
}
