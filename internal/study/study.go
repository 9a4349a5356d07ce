// Package study says how an experiment changes a search, and what it watches of one.
//
// A search that is changed finds fewer operators, or others. It never proves more: provers and the
// checker are as they always are. Nothing but experiments sets it.
package study

import (
	"time"

	"github.com/rfactor-go/rfactor/internal/effort"
)

// Setup is what a search does without. A nil Setup, and the zero Setup, leave a search as it is.
// Several matches may share one.
type Setup struct {
	Rules      map[string]bool // that saturation leaves out, by name
	Stages     map[string]bool // rows of the pipeline and of its lookups, by name
	Families   map[string]bool // of lifts, by name
	Tables     map[string]bool // of operators, by the types of their components: i32-i32
	Iterations int             // of a saturation, at most; zero means as many as usual
	Nodes      int             // of its e-graph, at most; zero means as many as usual

	RuleSets any    // a canon.RuleSets of the rules that are left; needed with Rules
	Watch    *Watch // of a single match; nil for none
}

// WithoutStage reports whether a stage is left out.
func (s *Setup) WithoutStage(name string) bool { return s != nil && s.Stages[name] }

// WithoutTable reports whether the table of some types is left out.
func (s *Setup) WithoutTable(types string) bool { return s != nil && s.Tables[types] }

// WithoutFamily reports whether a family of lifts is left out.
func (s *Setup) WithoutFamily(name string) bool { return s != nil && s.Families[name] }

// Watch is what was seen of a match.
type Watch struct {
	Saturations []Saturation
	Stages      []Stage // those that ran, in their order
	Spent       effort.Meter
}

// Saturation is what one saturation did.
type Saturation struct {
	Stop   string         `json:"stop"` // why it ended
	Growth []Growth       `json:"growth"`
	Fired  map[string]int `json:"fired,omitempty"` // matches of each rule that were applied
}

// Growth is the size of an e-graph after an iteration.
type Growth struct {
	Nodes   int `json:"nodes"`
	Classes int `json:"classes"`
}

// Stage is what one run of a stage took.
type Stage struct {
	Name   string
	Found  bool // whether it gave an operator
	Part   bool // whether it ran within another match, in whose stages its time is counted
	Time   time.Duration
	Effort float64 // in units of rfactor.Options.Effort
}
