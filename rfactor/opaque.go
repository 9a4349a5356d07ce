package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// opaque remarks functions that are known only by name: maxx(f(), in(r)). Inputs are read by calls too, so that one of
// coordinates alone is no function, however it is called.
func (m *matcher) opaque() (remarks []string) {
	names := m.calls
	seen := map[string]bool{}
	for _, e := range names {
		name := e.Name()
		ofData := e.States() != 0
		for i := range e.NumArgs() {
			ofData = ofData || e.Arg(i).HasCall()
		}
		if !ofData || seen[name] {
			continue
		}
		var others []string
		for _, c := range names {
			if c.Name() != name && c.NumArgs() == e.NumArgs() {
				others = append(others, c.Name())
			}
		}
		meant := program.FunctionLike(name, e.NumArgs(), others)
		if e.States() == 0 && (meant == "" || slices.Contains(others, meant)) {
			continue // in(index(r)) reads an input by an input
		}
		seen[name] = true
		text := name + " is taken as opaque"
		if meant != "" {
			text += "; did you mean " + meant + "?"
		}
		remarks = append(remarks, text)
	}
	return remarks
}

// callsIn lists the opaque calls of an update.
func callsIn(values []ir.Expr) (calls []ir.Expr) {
	if !slices.ContainsFunc(values, ir.Expr.HasCall) {
		return nil
	}
	ir.Walk(values, func(e ir.Expr) {
		if e.Op() == ir.Call {
			calls = append(calls, e)
		}
	})
	return calls
}
