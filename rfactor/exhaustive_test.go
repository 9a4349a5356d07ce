package rfactor

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/internal/fewbits"
)

// Updates of up to 5 leaves over bool and integers, drawn at random, are matched at 8 bits with nothing
// assumed. Where the answer is a refusal, every operator at 2 bits is tried: if there is none,
// then no expression that means the same at every width is one. This is a sample; bench refused counts more, and
// prints the gaps: what there is at 2 bits and at 3.
func TestRefusedSmall(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	updates, associative, refused, none := 0, 0, 0, 0
	for range 400 {
		u := fewbits.Draw(rng)
		if u == nil {
			continue
		}
		updates++
		a, err := Match(context.Background(), u, Options{})
		if err != nil {
			t.Fatal(err)
		}
		switch a.Status {
		case Associative:
			associative++
		case Refused:
			refused++
			if found, decided := fewbits.HasOperator(u, 2); decided && !found {
				none++
			}
		}
	}
	t.Logf("%d updates: %d associative, %d refused, of which %d have none at 2 bits", updates, associative, refused, none)
	if associative < updates/10 || none < refused/3 {
		t.Errorf("of %d updates %d are answered, and %d of %d refusals confirmed: the drawing or the search does not do its work", updates, associative, none, refused)
	}
}
