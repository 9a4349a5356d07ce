package program

import (
	"os"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

func corpus(t testing.TB) []CorpusLine {
	t.Helper()
	f, err := os.Open("../../testdata/corpus/updates.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := ReadCorpus(f)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// Every update of the corpus parses, and what is printed of it parses back to itself.
func TestCorpusRoundTrip(t *testing.T) {
	lines := corpus(t)
	if len(lines) != 299 {
		t.Errorf("%d lines, want 299", len(lines))
	}
	for _, l := range lines {
		u, err := ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
			continue
		}
		text := ir.Strings(u.Values)
		v, err := ParseUpdate(u.Pool, l.Types, text)
		if err != nil {
			t.Errorf("%s: %s\nprinted: %s\n%v", l.Name, l.Exprs, text, err)
			continue
		}
		for i := range u.Values {
			if u.Values[i] != v.Values[i] {
				t.Errorf("%s: %s\nprinted: %s\nread back: %s", l.Name, l.Exprs, text, ir.Strings(v.Values))
			}
		}
		for i, e := range u.Values {
			if back, err := ir.Read(u.Pool, named(u), u.Types[i], e.String()); err != nil || back != e {
				t.Errorf("%s: %s is read as %s, %v", l.Name, e, back, err)
			}
		}
		if text != l.Exprs && testing.Verbose() {
			t.Logf("%s: %s   ->   %s", l.Name, l.Exprs, text)
		}
	}
}

// named looks a name up among the variables of an update.
func named(u *ir.Update) func(name string) (ir.Expr, bool) {
	return func(name string) (ir.Expr, bool) {
		for _, v := range u.Vars {
			if v.Name() == name {
				return v, true
			}
		}
		return ir.Expr{}, false
	}
}

func TestReadCorpus(t *testing.T) {
	lines, err := ReadCorpus(strings.NewReader("# a comment\n\nsum\ttest\tx0:i32,y0:i32\tx0 + y0\tassoc\t-\tsum\r\nmin\t-\tx0:u8\tx0\n"))
	if err != nil || len(lines) != 2 {
		t.Fatal(lines, err)
	}
	want := CorpusLine{Name: "sum", Source: "test", Types: "x0:i32,y0:i32", Exprs: "x0 + y0", Class: "assoc", Base: "sum", Line: 3}
	if lines[0] != want {
		t.Errorf("%+v", lines[0])
	}
	if _, err := ReadCorpus(strings.NewReader("sum\tx0 + y0\n")); err == nil || err.Error() != "corpus:1:1: 2 columns, and at least 4 are needed: name, source, types, exprs" {
		t.Error(err)
	}
}
