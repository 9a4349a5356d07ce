package canon

import (
	"strings"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/internal/study"
)

// rules returns the compiled rules of the session: with its own where it matches, else without those that its Study leaves out.
func (s *Session) rules() *egraph.RuleSet {
	sets := ruleSets()
	switch {
	case s.Own != nil && s.purpose == matching:
		sets = s.Own.sets
	case s.Study != nil && len(s.Study.Rules) > 0:
		sets = s.Study.RuleSets.(*RuleSets)
	}
	return sets.set(s.types, s.allowed, s.purpose)
}

// watched returns limits that count which rules fire, and where a saturation is noted; limits as they
// are and nil where nobody watches.
func (s *Session) watched(rs *egraph.RuleSet, limits egraph.Limits) (egraph.Limits, *watcher) {
	if s.Study == nil || s.Study.Watch == nil {
		return limits, nil
	}
	limits.Fired = make([]int, len(rs.Rules()))
	return limits, &watcher{watch: s.Study.Watch}
}

// watcher notes what a saturation does. A nil watcher notes nothing.
type watcher struct {
	watch *study.Watch
	seen  study.Saturation
}

func (w *watcher) grew(it egraph.Iteration) {
	if w != nil {
		w.seen.Growth = append(w.seen.Growth, study.Growth{Nodes: it.Nodes, Classes: it.Classes})
	}
}

// ended notes why a run ended, and which rules fired in it.
func (w *watcher) ended(rs *egraph.RuleSet, fired []int, report egraph.Report, done bool) {
	if w == nil {
		return
	}
	w.seen.Stop = report.Stop.String()
	switch {
	case done:
		w.seen.Stop = "found"
	case report.Stop == egraph.Stopped:
		w.seen.Stop = "effort"
	}
	w.seen.Fired = map[string]int{}
	for i, n := range fired {
		if n > 0 {
			name, _, _ := strings.Cut(rs.Rules()[i].Name, ":")
			w.seen.Fired[name] += n
		}
	}
	w.watch.Saturations = append(w.watch.Saturations, w.seen)
}
