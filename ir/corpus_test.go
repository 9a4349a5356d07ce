package ir

import (
	"os"
	"testing"
)

func corpus(t testing.TB) []CorpusLine {
	t.Helper()
	f, err := os.Open("../testdata/corpus/updates.tsv")
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
		u, err := ParseUpdate(NewPool(), l.Types, l.Exprs)
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
			continue
		}
		text := Strings(u.Values)
		v, err := ParseUpdate(u.Pool, l.Types, text)
		if err != nil {
			t.Errorf("%s: %s\nprinted: %s\n%v", l.Name, l.Exprs, text, err)
			continue
		}
		for i := range u.Values {
			if u.Values[i] != v.Values[i] {
				t.Errorf("%s: %s\nprinted: %s\nread back: %s", l.Name, l.Exprs, text, Strings(v.Values))
			}
		}
		if text != l.Exprs && testing.Verbose() {
			t.Logf("%s: %s   ->   %s", l.Name, l.Exprs, text)
		}
	}
}
