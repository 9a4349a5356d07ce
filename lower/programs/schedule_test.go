package programs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// scheduler draws directives one after another, and follows what loops there are.
type scheduler struct {
	*whole
	rng    *rand.Rand
	stages []stage
}

// stage is a function whose update has loops.
type stage struct {
	name      string
	pure, red []string
}

// drawSchedule draws a chain of directives. Most could be applied; not all are legal.
func (w *whole) drawSchedule(rng *rand.Rand) {
	pure, red := w.coordinates()
	of := stage{name: "f"}
	of.pure, _ = plain(pure)
	of.red, _ = plain(red)
	s := &scheduler{whole: w, rng: rng, stages: []stage{of}}
	for range 1 + rng.IntN(6) {
		s.directive(rng.IntN(len(s.stages)))
	}
}

// fresh declares a variable.
func (s *scheduler) fresh() string {
	name := fmt.Sprint("v", len(s.declared))
	s.declared = append(s.declared, name)
	return name
}

func (s *scheduler) add(form string, args ...any) {
	s.schedule = append(s.schedule, fmt.Sprintf(form, args...))
}

// count draws how many iterations a slice has.
func (s *scheduler) count() int { return one(s.rng, 1, 2, 3, 4, 5, 7, 8, 8, 16, 64, 100) }

// loop draws a loop of a stage; rarely one that it has not.
func (s *scheduler) loop(of *stage) string {
	all := append(slices.Clone(of.pure), of.red...)
	if s.rng.IntN(60) == 0 || len(all) == 0 {
		return "q"
	}
	return one(s.rng, all...)
}

// replace puts loops in the place of others, in the list where the first one stands.
func replace(of *stage, old []string, by ...string) {
	for _, list := range []*[]string{&of.red, &of.pure} {
		if i := slices.Index(*list, old[0]); i >= 0 {
			*list = slices.Insert(*list, i, by...)
			break
		}
	}
	gone := func(name string) bool { return slices.Contains(old, name) && !slices.Contains(by, name) }
	of.red, of.pure = slices.DeleteFunc(of.red, gone), slices.DeleteFunc(of.pure, gone)
}

func (s *scheduler) directive(i int) {
	of := &s.stages[i]
	at := of.name + ".update(0)"
	switch s.rng.IntN(12) {
	case 0, 1:
		l, o, in := s.loop(of), s.fresh(), s.fresh()
		s.add("%s.split(%s, %s, %s, %d);", at, l, o, in, s.count())
		replace(of, []string{l}, in, o)
	case 2:
		a, b, both := s.loop(of), s.loop(of), s.fresh()
		s.add("%s.fuse(%s, %s, %s);", at, a, b, both)
		replace(of, []string{a, b}, both)
	case 3:
		all := append(slices.Clone(of.pure), of.red...)
		s.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:s.rng.IntN(len(all)+1)]
		if len(all) > 1 {
			s.add("%s.reorder(%s);", at, strings.Join(all, ", "))
		}
	case 4:
		a, b := s.loop(of), s.loop(of)
		ao, bo, ai, bi := s.fresh(), s.fresh(), s.fresh(), s.fresh()
		s.add("%s.tile(%s, %s, %s, %s, %s, %s, %d, %d);", at, a, b, ao, bo, ai, bi, s.count(), s.count())
		replace(of, []string{a}, ai, ao)
		replace(of, []string{b}, bi, bo)
	case 5:
		s.add("%s.parallel(%s%s);", at, s.loop(of), one(s.rng, "", "", ", 4"))
	case 6:
		s.add("%s.vectorize(%s%s);", at, s.loop(of), one(s.rng, "", ", 8", ", 8", ", 3", ", 16"))
	case 7:
		s.add("%s.unroll(%s%s);", at, s.loop(of), one(s.rng, "", ", 4", ", 8"))
	case 8:
		if s.kind == "scan" || s.rng.IntN(4) == 0 {
			s.add("%s.scan(%s, %d);", at, s.loop(of), s.count())
			return
		}
		s.rfactor(i)
	default:
		if s.kind == "scan" || s.kind == "kept" {
			s.add("%s.%s;", at, one(s.rng, "scan(r, 8)", "scan(r, 1)", "scan(r, 64).parallel(r)", "parallel(r)", "vectorize(r, 8)", "scan(r, 16).vectorize(r, 8)"))
			return
		}
		s.rfactor(i)
	}
}

// rfactor takes loops of the domain out, and makes a stage of partial results.
func (s *scheduler) rfactor(i int) {
	of := s.stages[i]
	at, made := of.name+".update(0)", stage{name: fmt.Sprint("m", len(s.stages)), pure: slices.Clone(of.pure)}
	loops := of.red
	if s.rng.IntN(20) == 0 {
		loops = append(slices.Clone(of.red), of.pure...)
	}
	var taken, pairs []string
	for _, l := range loops {
		if len(loops) == 1 || s.rng.IntN(2) == 0 {
			u := s.fresh()
			taken, pairs, made.pure = append(taken, l), append(pairs, "{"+l+", "+u+"}"), append(made.pure, u)
		} else {
			made.red = append(made.red, l)
		}
	}
	if len(pairs) == 0 || len(s.stages) > 3 {
		return
	}
	args := "{" + strings.Join(pairs, ", ") + "}"
	if len(pairs) == 1 {
		args = strings.Trim(pairs[0], "{}")
	}
	s.add("Func %s = %s.rfactor(%s);", made.name, at, args)
	if where := one(s.rng, "root", "root", "root", "at", ""); where == "root" || len(of.pure) == 0 && where == "at" {
		s.add("%s.compute_root();", made.name)
	} else if where == "at" {
		s.add("%s.compute_at(%s, %s);", made.name, of.name, one(s.rng, of.pure...))
	}
	s.stages[i].red = taken
	s.stages = append(s.stages, made)
}
