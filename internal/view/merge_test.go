package view

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// gallery is the requests of the playground's gallery.
func gallery(t *testing.T) (all []struct {
	Name string `json:"name"`
	Request
}) {
	t.Helper()
	text, err := os.ReadFile("../../playground/gallery.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Slices give what the serial loop gives on the data that are drawn for each answer of the gallery, but for rounding; and so on what
// is read back of the rows that are printed.
func TestMergeOfGallery(t *testing.T) {
	kinds := map[rfactor.Status]int{}
	for i, g := range gallery(t) {
		if testing.Short() && i%3 != 0 {
			continue
		}
		p := g.Match(context.Background())
		p.Part(context.Background(), MergePart)
		for at, u := range p.Updates {
			if u.Merge == nil {
				continue
			}
			kinds[u.Status]++
			m := u.Merge
			rounded := u.answer.Assumes&ir.Reassoc != 0 && strings.Contains(m.Why, "rounding")
			if u.Status != rfactor.Refused && !m.Equal && !rounded {
				t.Errorf("%s: the tree gives %+v, the serial loop %q: %s", g.Name, m.Last, m.Serial, m.Why)
			}
			again := p.Merged(at, linesOf(m.Rows))
			if a, b := jsonOf(t, m), jsonOf(t, again); a != b {
				t.Errorf("%s: what is read back of the rows gives\n%s\nand not\n%s", g.Name, b, a)
			}
		}
	}
	for _, s := range []rfactor.Status{rfactor.Associative, rfactor.Lifted, rfactor.Staged, rfactor.Refused} {
		if kinds[s] == 0 {
			t.Errorf("no answer is %s", s)
		}
	}
}

func linesOf(rows []Row) (lines []string) {
	for _, r := range rows {
		lines = append(lines, strings.Join(r.Values, " "))
	}
	return lines
}

func jsonOf(t *testing.T, m *Merge) string {
	t.Helper()
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Numbers that a reader gives are computed with, and mistakes in them are named.
func TestMergeOfOwnData(t *testing.T) {
	for _, c := range []struct {
		Request
		lines []string
		last  string // the result, or the mistake
		equal bool
	}{
		{Request{Text: "x0 + y0", Types: "x0:i32,y0:i32"}, []string{"5", "1, 2, 3"}, "11", true},
		{Request{Text: "x0 + y0", Types: "x0:i8,y0:i8"}, []string{"0", "127 1"}, "-128", true},
		{Request{Text: "x0 + y0", Types: "x0:i32,y0:i32"}, []string{"5", "1 two"}, "in.y0: \"two\" is no i32", false},
		{Request{Text: "x0 + y0", Types: "x0:i32,y0:i32"}, []string{"5", ""}, "0 steps: at least 1 and at most 64 are shown", false},
		{Request{Text: "x0 + y0", Types: "x0:i32,y0:i32"}, []string{"5"}, "1 rows, where there are 2", false},
		{Request{Text: "x0 + y0*y1", Types: "x0:i32,y0:i32,y1:i32"}, []string{"5", "1 2", "3"}, "in.y1 has 1 values, and the rows above have 2", false},
		{Request{Text: "max(x0 + y0, 0)", Types: "x0:i32,y0:i32", Assume: "nsw"}, []string{"0", "-2147483648 -1 0"}, "2147483647", false},
		{Request{Text: "x0*31 + y0", Types: "x0:i32,y0:i32"}, []string{"7", "1 2 3"}, "209563", true},
		{Request{Text: "x0 + y0", Types: "x0:f32,y0:f32", Assume: "reassoc"}, []string{"0", "1 1e9 -1e9 1 1"}, "", false},
		{Request{Text: "min(x0, y0)", Types: "x0:f64,y0:f64"}, []string{"inf", "-0 0 nan 1"}, "", true},
	} {
		p := c.Match(context.Background())
		if p.Failed != "" {
			t.Fatal(p.Failed)
		}
		m := p.Merged(0, c.lines)
		got := m.Failed
		if m.Last != nil {
			got = m.Last.Value
		}
		if c.last != "" && got != c.last || m.Equal != c.equal || m.Failed == "" && m.Equal != (m.Why == "") {
			t.Errorf("%s at %q: %s, equal %v, %q", c.Text, c.lines, got, m.Equal, m.Why)
		}
	}
}

// The operands of a refusal may be changed.
func TestMergeOfRefusal(t *testing.T) {
	r := Request{Text: "x0*x0 + y0", Types: "x0:i32,y0:i32"}
	p := r.Match(context.Background())
	m := p.Merged(0, []string{"1", "2", "3"})
	if m.Trial == nil || m.Trial.Steps[1].Result != "12" || m.Trial.Steps[3].Result != "8" {
		t.Errorf("%+v", m)
	}
	if m := p.Merged(0, []string{"1", "2"}); m.Failed == "" {
		t.Errorf("two of three operands give %+v", m)
	}
}

// Trees give what the serial loop gives on lines of corpora, but for rounding and for what the drawn data do not have: every tenth line,
// and with all assumptions every tenth other.
func TestMergeOfCorpora(t *testing.T) {
	n, equal, rounded, broken := 0, 0, 0, 0
	for _, name := range []string{"real", "go-std", "updates", "unseen", "unseen_lift"} {
		f, err := os.Open("../../testdata/corpus/" + name + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		lines, err := program.ReadCorpus(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		every := suite.More(40, 10)
		if testing.Short() {
			every = 100
		}
		for i := 0; i < len(lines); i += every {
			r := Request{Types: lines[i].Types, Text: lines[i].Exprs}
			if i%(2*every) == 0 {
				r.Assume = "all"
			}
			p := r.Match(context.Background())
			p.Part(context.Background(), MergePart)
			if p.Failed != "" || p.Updates[0].Merge == nil || p.Updates[0].Status == rfactor.Refused {
				continue
			}
			n++
			u, m := p.Updates[0], p.Updates[0].Merge
			switch {
			case m.Equal:
				equal++
			case strings.Contains(m.Why, "rounding"):
				rounded++
			case strings.Contains(m.Why, "given") || u.answer.Assumes != 0:
				broken++
			default:
				t.Errorf("%s: %s under %q: %s: %+v, and serially %q", name, lines[i].Exprs, r.Assume, m.Why, m.Last, m.Serial)
			}
		}
	}
	if equal < n*9/10 || n < 10 {
		t.Errorf("of %d answers %d are equal, %d rounded, %d on data that break a promise", n, equal, rounded, broken)
	}
	t.Logf("of %d answers %d are equal, %d rounded, %d on data that break a promise", n, equal, rounded, broken)
}
