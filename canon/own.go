package canon

import (
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// Own has rules that saturation runs beside those of package rules. Several sessions may share one. They propose
// equal terms to a match and nothing else: derivations, which certificates contain, do without them.
type Own struct {
	sets *RuleSets // of these and those of package rules
}

// NewOwn takes rules in. It gives their literals symbols, before any session that runs them begins.
func NewOwn(list []*rules.Rule) *Own {
	pool := ir.NewPool()
	for _, r := range list {
		for t := ir.Bool; t <= ir.F64; t++ {
			if covers(r, t) {
				compileRule(pool, new(Patterns), r, t)
			}
		}
	}
	return &Own{sets: NewRuleSets(slices.Concat(rules.All(), list))}
}

// countOwn returns limits that count which rules fire where the session has rules of its own.
func (s *Session) countOwn(rs *egraph.RuleSet, limits egraph.Limits) egraph.Limits {
	if s.Own != nil && s.purpose == matching && limits.Fired == nil {
		limits.Fired = make([]int, len(rs.Rules()))
	}
	return limits
}

// noteOwn adds the session's own rules that fired to OwnApplied.
func (s *Session) noteOwn(rs *egraph.RuleSet, fired []int) {
	if s.Own == nil || s.purpose != matching {
		return
	}
	for i, n := range fired {
		if name, _, _ := strings.Cut(rs.Rules()[i].Name, ":"); n > 0 && strings.Contains(name, "/") {
			if s.OwnApplied == nil {
				s.OwnApplied = map[string]bool{}
			}
			s.OwnApplied[name] = true
		}
	}
}
