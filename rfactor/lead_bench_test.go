package rfactor

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

func BenchmarkLead(b *testing.B) {
	f, _ := os.Open("../testdata/corpus/updates.tsv")
	lines, _ := ir.ReadCorpus(f)
	want := strings.Split(os.Getenv("LINES"), ",")
	for _, l := range lines {
		for _, w := range want {
			if l.Name == w {
				b.Run(w, func(b *testing.B) {
					for b.Loop() {
						p := ir.NewPool()
						u, _ := ir.ParseUpdate(p, l.Types, l.Exprs)
						Match(context.Background(), u, Options{Name: l.Name, Allowed: ir.AllAssumptions})
					}
				})
			}
		}
	}
}
