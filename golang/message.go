package golang

import (
	"fmt"
	"slices"
	"strings"
)

// Silent reports whether a finding is shown only on request: a loop that has no answer, or a plain one. A sum over
// a map that depends on the order but for an assumption is shown.
func (f *Finding) Silent() bool {
	return f.Verdict == Refused || f.Verdict == Stopped || f.Plain && !(f.OverMap && len(f.Assumes) > 0)
}

// Message is the text of a report, without its position.
func (f *Finding) Message() string {
	switch f.Verdict {
	case Stopped:
		var all []string
		for _, o := range f.Obstacles {
			text := o.Kind
			if o.Detail != "" {
				text += " (" + o.Detail + ")"
			}
			if !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
		return "this loop is not read: " + strings.Join(all, "; ")
	case Refused:
		text := "this loop was read, but has no answer: " + f.Reason
		if f.OverMap {
			text += f.mapText()
		}
		return text
	}
	if f.Verdict == Search {
		return "this loop is a search: it goes on while " + f.Update[0] + f.under() + f.risks()
	}
	if f.Verdict == Histogram {
		return fmt.Sprintf("this loop is a histogram by %s%s: %s = %s, with y0 = %s", f.title(), f.under(), f.State[0], f.Operator[0], f.Inject[0]) + f.risks()
	}
	text := "this loop is " + map[string]string{"counted": "", "input": "a search, then ", "state": "a search along "}[f.Exit]
	kind := "a reduction"
	if f.Exit == "state" || f.Stores == "prefixes" || f.Places == "compacted" {
		kind = "a scan"
	}
	if f.Verdict == Lift {
		text += fmt.Sprintf("%s of steps that compose (%s)%s: %s = %s", kind, f.title(), f.under(), strings.Join(f.State, ", "), strings.Join(f.Apply, ", "))
	} else {
		text += fmt.Sprintf("%s by %s%s: %s = %s, with %s", kind, f.title(), f.under(), strings.Join(f.State, ", "), strings.Join(f.Operator, ", "), strings.Join(equations(f.Inject), ", "))
		if len(f.Laws) > 0 {
			text += "; " + strings.Join(f.Laws, ", ")
		}
		if f.Identity != nil {
			text += fmt.Sprintf("; identity %s (%s)", strings.Join(f.Identity, ", "), f.Side)
		}
	}
	if f.OverMap {
		text += f.mapText()
	}
	if f.OverFunction {
		text += "; it ranges over a function, in the order in which that yields"
	}
	if f.Stores != "" {
		text += "; a step stores " + f.Stores + map[string]string{"compacted": ", a compaction, where the state says", "scattered": " where what it reads says"}[f.Places]
	}
	if f.Rereads {
		text += ", which may depend on what steps before stored"
	}
	return text + f.risks()
}

// risks names how a step may panic or not end.
func (f *Finding) risks() (text string) {
	if len(f.Panics) > 0 {
		text += "; a step may panic: " + strings.Join(f.Panics, ", ")
	}
	if len(f.Elsewhere) > 0 {
		text += "; in another order, or past the end, it may panic elsewhere than the loop: " + strings.Join(f.Elsewhere, ", ")
	}
	if len(f.Endless) > 0 {
		text += "; not known to end: " + strings.Join(f.Endless, ", ")
	}
	return text
}

// mapText says that the order of a map does not matter.
func (f *Finding) mapText() string {
	text := "; it ranges over a map, and no order changes the result"
	if len(f.Assumes) > 0 {
		text += " under " + strings.Join(f.Assumes, ", ")
	}
	return text
}

// under names what the claim assumes.
func (f *Finding) under() string {
	if len(f.Assumes) == 0 {
		return ""
	}
	return ", under " + strings.Join(f.Assumes, ", ")
}

// title names the operator as people do.
func (f *Finding) title() string {
	var names []string
	for _, n := range f.Names {
		n = strings.TrimPrefix(n, "index_")
		switch {
		case strings.HasSuffix(n, "_first"):
			n = strings.TrimSuffix(n, "_first") + " (first of equals)"
		case strings.HasSuffix(n, "_last"):
			n = strings.TrimSuffix(n, "_last") + " (last of equals)"
		case n == "direct":
			n = "its own operator"
		}
		names = append(names, n)
	}
	return strings.Join(names, " and ")
}

func equations(inject []string) (list []string) {
	for i, e := range inject {
		list = append(list, fmt.Sprintf("y%d = %s", i, e))
	}
	return list
}
