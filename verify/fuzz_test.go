package verify_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/verify"
)

// recorded are lines of the corpora, of every status and most kinds of proofs.
func recorded(t testing.TB) [][]byte {
	data, err := os.ReadFile("testdata/lines.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(data), []byte("\n"))
}

// Lines that were written once are accepted and true.
func TestRecorded(t *testing.T) {
	for _, line := range recorded(t) {
		if r, err := verify.Check(line); err != nil {
			t.Errorf("%v\n%s", err, line)
		} else if err := claims.Check(line, 300, 1); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
}

// FuzzCheck checks any text: it does not panic, and what is accepted is true at random points.
func FuzzCheck(f *testing.F) {
	for _, line := range recorded(f) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if len(line) > 1<<16 {
			t.Skip("a longer line takes longer")
		}
		if _, err := verify.Check(line); err != nil {
			return
		}
		if err := claims.Check(line, 100, 1); err != nil {
			t.Errorf("accepted, but %v\n%s", err, line)
		}
	})
}
