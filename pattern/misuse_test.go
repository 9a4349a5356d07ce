package pattern

import (
	"context"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
)

// Misuse panics with a text that begins with a package's name and says what was wrong.
func TestMisuse(t *testing.T) {
	var noContext context.Context
	s := canon.NewSession()
	s.Reset(ir.NewPool(), 0, false)
	table := Table([]ir.Type{ir.I32}, 0)
	const noTable = "pattern: matching needs a table from Table, and a session"
	for _, c := range []struct {
		want string
		do   func()
	}{
		{noTable, func() { (*Compiled)(nil).Match(s, nil, nil) }},
		{noTable, func() { new(Compiled).Match(s, nil, nil) }},
		{noTable, func() { table.Match(nil, nil, nil) }},
		{noTable, func() { new(Compiled).Search(t.Context(), s, nil, nil) }},
		{"pattern: 0 states for 1 components", func() { table.Match(s, nil, []egraph.Class{0}) }},
		{"pattern: Expressions of the zero Hit, which is no match", func() { Hit{}.Expressions(s) }},
		{"pattern: Needed needs a context", func() { Needed(noContext, nil, nil) }},
		{"program: the pool is nil", func() { Parse(nil, []ir.Type{ir.I32}, "1") }},
	} {
		if got := panicOf(c.do); got != c.want {
			t.Errorf("panics with %v, want %s", got, c.want)
		}
	}
}

// panicOf is what f panics with; nil where it does not.
func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// Types without a table have no entries, and a text that is no table is an error.
func TestRefused(t *testing.T) {
	for _, types := range [][]ir.Type{nil, {ir.Invalid}, {ir.Type(99)}, make([]ir.Type, 99)} {
		if es, text, c := Entries(types), TableText(types), Table(types, 0); es != nil || text != "" || len(c.Entries) != 0 {
			t.Errorf("%v has a table", types)
		}
	}
	pool, i32 := ir.NewPool(), []ir.Type{ir.I32}
	for _, c := range []struct {
		want string
		err  func() error
	}{
		{"2 expressions for 1 components: x0; y0", func() error { _, err := Parse(pool, i32, "x0; y0"); return err }},
		{"0 components", func() error { _, err := Parse(pool, nil, ""); return err }},
		{"z0 is not declared", func() error { _, err := Parse(pool, i32, "z0"); return err }},
		{"no 'with' in x0", func() error { _, err := ParseForm(pool, i32, "x0"); return err }},
		{"i33.txt: not the name of a table", func() error { _, err := ReadTable("i33.txt", ""); return err }},
		{"i32.txt:1: not a table of rfactor tablegen", func() error { _, err := ReadTable("i32.txt", ""); return err }},
		{"i32.txt:1: the table is cut short", func() error { _, err := ReadTable("i32.txt", tableHead); return err }},
		{"i32.txt:2: the line is not as it was generated", func() error { _, err := ReadTable("i32.txt", tableHead+"\nmax\n# end of 1 entries\n"); return err }},
	} {
		if err := c.err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
