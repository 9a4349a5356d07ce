package emit

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// unit is one emitted file while it is written.
type unit struct {
	pieces []piece
	at     plan.Place // of what is written now
	apart  bool       // an empty line comes before what is written next, unless it is the first
	from   int        // where in the file the unit begins
}

// piece is a part of a text, and the place of the plan that it stems from.
type piece struct {
	text string
	at   plan.Place
}

func newUnit() *unit { return &unit{} }

func (u *unit) printf(format string, args ...any) { u.write(piece{fmt.Sprintf(format, args...), u.at}) }

func (u *unit) write(pieces ...piece) {
	if u.apart && len(u.pieces) > 0 {
		u.pieces = append(u.pieces, piece{"\n", u.at})
	}
	u.apart = false
	u.pieces = append(u.pieces, pieces...)
}

// add appends what was written to another unit.
func (u *unit) add(v *unit) { u.write(v.pieces...) }

// String is the text.
func (u *unit) String() string {
	var b strings.Builder
	for _, p := range u.pieces {
		b.WriteString(p.text)
	}
	return b.String()
}

// begin begins a file.
func (g *glossary) begin() { g.file, g.used = newUnit(), gosrc.Uses{} }
