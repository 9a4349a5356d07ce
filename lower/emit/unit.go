package emit

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// unit is one emitted file while it is written.
type unit struct {
	b      strings.Builder
	at     plan.Place   // of what is written now
	places []plan.Place // of each line that was begun, but the last
}

func newUnit() *unit { return &unit{} }

func (u *unit) printf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	u.b.WriteString(text)
	for range strings.Count(text, "\n") {
		u.places = append(u.places, u.at)
	}
}

// add appends what was written to another unit, but for an empty line that it begins with.
func (u *unit) add(v *unit) {
	text, places := v.b.String(), v.places
	if rest, ok := strings.CutPrefix(text, "\n"); ok {
		text, places = rest, places[1:]
	}
	u.b.WriteString(text)
	u.places = append(u.places, places...)
}

// begin begins a file.
func (g *generator) begin() { g.file, g.used = newUnit(), gosrc.Uses{} }
