// Package effort counts the work of a match.
//
// Work is counted in items, each kind in items of its own: rows that a saturation searches, literals
// that a solver looks at. An item is charged for the time that it takes on a reference machine, so
// that all kinds draw on one budget. Nothing reads a clock: a match that ends for lack of effort ends
// at the same item on every machine.
package effort

import (
	"errors"
	"math"
)

// Unit is what -effort counts, in nanoseconds of the reference machine.
const Unit = 1_000_000

// Kind is a kind of work.
type Kind uint8

// The kinds of work, with what an item of each is.
const (
	Saturation  Kind = iota // a row of the e-graph that rules search, or a match that is applied
	Tables                  // a row of the e-graph that a table of operators searches
	Points                  // an operation evaluated at eight points
	Cases                   // a step of a proof by cases: see prove/internal/search
	Witnesses               // a step of the checker, or of what completes a proof for it
	Circuits                // a gate
	Clauses                 // a literal that the solver of clauses looks at
	Diagrams                // a step of the checker on decision diagrams
	Sums                    // a sum with its condition, of the extremum of some
	Polynomials             // a term of a polynomial over bits
	Terms                   // an expression that is made, or made again
	Candidates              // a family, an assignment of roles, a grouping or an operator that is considered
	NumKinds
)

// kinds gives each kind its name and what an item is charged for, in nanoseconds of the reference
// machine. make bench-effort measures them.
var kinds = [NumKinds]struct {
	name string
	cost int64
}{
	Saturation:  {"saturation", 150},
	Tables:      {"tables", 240},
	Points:      {"points", 40},
	Cases:       {"cases", 25},
	Witnesses:   {"witnesses", 300},
	Circuits:    {"circuits", 100},
	Clauses:     {"clauses", 8},
	Diagrams:    {"diagrams", 10},
	Sums:        {"sums", 200},
	Polynomials: {"polynomials", 20},
	Terms:       {"terms", 110},
	Candidates:  {"candidates", 1300},
}

// String returns the name of a kind.
func (k Kind) String() string { return kinds[k].name }

// Cost returns what n items of a kind are charged for, in nanoseconds of the reference machine.
func (k Kind) Cost(n int) int64 { return int64(n) * kinds[k].cost }

// Items returns how many items of a kind so many nanoseconds buy.
func (k Kind) Items(ns int64) int { return int(min(max(ns, 0)/kinds[k].cost, math.MaxInt32)) }

// Meter is a budget of work, and an account of what was spent. A nil Meter counts nothing and is
// never used up. The zero Meter is used up. A Meter serves one goroutine.
type Meter struct {
	left  int64           // nanoseconds of the reference machine
	slack int64           // what may be spent beyond the budget; 0 for no bound
	spent [NumKinds]int64 // items
}

// ErrOverdrawn is what Spend panics with, and Within recovers from.
var ErrOverdrawn = errors.New("effort: more was spent than a meter allows")

// Unmetered is called for work that a nil Meter is charged with; tests set it, and nil is for none.
var Unmetered func(Kind)

// Start forgets what was spent and makes the budget so many nanoseconds, with no slack to keep.
func (m *Meter) Start(ns int64) { *m = Meter{left: ns} }

// Bound makes Spend panic with ErrOverdrawn once so many nanoseconds are spent beyond the budget: work that forgets to ask whether the
// budget is used up ends there. 0 sets no bound, and Spend panics once for each call of Bound.
func (m *Meter) Bound(slack int64) { m.slack = slack }

// Within calls f, and reports whether it came to its end. It did not where a meter that has a bound was overdrawn, and what f worked on
// may be half done then.
func Within(f func()) (whole bool) {
	defer func() {
		if !whole {
			if r := recover(); r != ErrOverdrawn {
				panic(r)
			}
		}
	}()
	f()
	return true
}

// Room returns how many nanoseconds may be spent before Spend panics, where Bound set a bound.
func (m *Meter) Room() int64 { return m.left + m.slack }

// Spend charges n items of a kind.
func (m *Meter) Spend(k Kind, n int) {
	if m == nil {
		if Unmetered != nil && n > 0 {
			Unmetered(k)
		}
		return
	}
	m.spent[k] += int64(n)
	m.left -= k.Cost(n)
	if m.slack > 0 && m.left < -m.slack {
		m.slack = 0
		panic(ErrOverdrawn)
	}
}

// Left returns the budget that is left, in nanoseconds: at least 0, and math.MaxInt64 of a nil Meter.
func (m *Meter) Left() int64 {
	if m == nil {
		return math.MaxInt64
	}
	return max(0, m.left)
}

// Done reports whether the budget is used up.
func (m *Meter) Done() bool { return m != nil && m.left <= 0 }

// Hold takes so many nanoseconds out of the budget, or puts them back where ns is negative.
func (m *Meter) Hold(ns int64) { m.left -= ns }

// Charge charges what another meter spent.
func (m *Meter) Charge(by *Meter) {
	for k, n := range by.spent {
		m.Spend(Kind(k), int(n))
	}
}

// Spent returns how many items of a kind were charged.
func (m *Meter) Spent(k Kind) int { return int(m.spent[k]) }

// Total returns what was charged for all items, in nanoseconds of the reference machine.
func (m *Meter) Total() (ns int64) {
	for k, n := range m.spent {
		ns += n * kinds[k].cost
	}
	return ns
}
