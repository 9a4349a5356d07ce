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

// stage is a function whose update has loops, the innermost first.
type stage struct {
	name  string
	loops []loop
}

type loop struct {
	name string
	pure bool
}

// drawSchedule draws a chain of directives. Most are legal.
func (w *whole) drawSchedule(rng *rand.Rand) {
	pure, red := w.coordinates()
	of := stage{name: "f"}
	for _, c := range red {
		of.loops = append(of.loops, loop{c.name, false})
	}
	for _, c := range pure {
		of.loops = append(of.loops, loop{c.name, true})
	}
	s := &scheduler{whole: w, rng: rng, stages: []stage{of}}
	if w.kind != "scan" && w.kind != "kept" && rng.IntN(3) == 0 {
		s.usual()
		return
	}
	for range one(rng, 1, 2, 3, 3, 4, 5, 6, 8) {
		if w.kind == "scan" && rng.IntN(4) > 0 || w.kind == "kept" {
			s.add("f.update(0).%s;", one(rng, "scan(r, 8)", "scan(r, 1)", "scan(r, 64).parallel(r)", "parallel(r)", "vectorize(r, 8)", "scan(r, 16).vectorize(r, 8)", "scan(r, 5).parallel(r).vectorize(r, 4)"))
			break
		}
		s.directive(rng.IntN(len(s.stages)))
	}
}

// usual draws what people write: lanes and goroutines of columns, and slices of a domain or strided lanes of it.
func (s *scheduler) usual() {
	if of := s.stages[0]; of.loops[len(of.loops)-1].pure && s.rng.IntN(2) == 0 {
		s.add("f.update(0).vectorize(x%s);", one(s.rng, "", ", 8", ", 4"))
		if s.rng.IntN(2) == 0 {
			s.add("f.update(0).parallel(%s);", of.loops[len(of.loops)-1].name)
		}
		return
	}
	r, o, in, u := s.stages[0].loops[0].name, s.fresh(), s.fresh(), s.fresh()
	taken := one(s.rng, o, in)
	s.add("f.update(0).split(%s, %s, %s, %d);", r, o, in, s.count())
	s.add("Func m1 = f.update(0).rfactor(%s, %s);", taken, u)
	s.add("m1.compute_root();")
	s.add("m1.update(0).%s;", one(s.rng, "parallel("+u+")", "vectorize("+u+")", "vectorize("+u+", 8)", "unroll("+u+")"))
	if taken == o && s.rng.IntN(2) == 0 {
		o2, in2, u2 := s.fresh(), s.fresh(), s.fresh()
		s.add("m1.update(0).split(%s, %s, %s, 8);", in, o2, in2)
		s.add("Func m2 = m1.update(0).rfactor(%s, %s);", in2, u2)
		s.add("m2.compute_at(m1, %s);", u)
		s.add("m2.update(0).vectorize(%s);", u2)
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

// loop draws a loop of a stage, mostly a pure one where that is asked for.
func (s *scheduler) loop(of *stage, pure bool) loop {
	var all []loop
	for _, l := range of.loops {
		if l.pure || !pure || s.rng.IntN(12) == 0 {
			all = append(all, l)
		}
	}
	switch {
	case s.rng.IntN(100) == 0:
		return loop{"q", true}
	case len(all) == 0:
		return one(s.rng, of.loops...)
	}
	return one(s.rng, all...)
}

// replace puts loops in the place of another.
func (of *stage) replace(old loop, by ...string) {
	i := slices.Index(of.loops, old)
	if i < 0 {
		return
	}
	of.loops = slices.Delete(of.loops, i, i+1)
	for k, name := range by {
		of.loops = slices.Insert(of.loops, i+k, loop{name, old.pure})
	}
}

func (s *scheduler) directive(i int) {
	of := &s.stages[i]
	at := of.name + ".update(0)"
	switch s.rng.IntN(14) {
	case 0, 1:
		l, o, in := s.loop(of, false), s.fresh(), s.fresh()
		s.add("%s.split(%s, %s, %s, %d);", at, l.name, o, in, s.count())
		of.replace(l, in, o)
	case 2, 3:
		if len(of.loops) < 2 {
			return
		}
		k, both := s.rng.IntN(len(of.loops)-1), s.fresh()
		a, b := of.loops[k], of.loops[k+1]
		if a.pure != b.pure && s.rng.IntN(4) > 0 {
			return
		}
		s.add("%s.fuse(%s, %s, %s);", at, a.name, b.name, both)
		of.replace(a, both)
		of.replace(b)
	case 4, 10:
		if len(of.loops) < 2 {
			return
		}
		i := s.rng.IntN(len(of.loops) - 1)
		j := i + 1 + s.rng.IntN(len(of.loops)-1-i)
		s.add("%s.reorder(%s, %s);", at, of.loops[j].name, of.loops[i].name)
		of.loops[i], of.loops[j] = of.loops[j], of.loops[i]
	case 5, 11:
		a, b := s.loop(of, false), s.loop(of, false)
		if a == b {
			return
		}
		ao, bo, ai, bi := s.fresh(), s.fresh(), s.fresh(), s.fresh()
		s.add("%s.tile(%s, %s, %s, %s, %s, %s, %d, %d);", at, a.name, b.name, ao, bo, ai, bi, s.count(), s.count())
		of.replace(a, ai)
		of.replace(b, bi, ao, bo)
	case 6:
		s.add("%s.parallel(%s%s);", at, s.loop(of, true).name, one(s.rng, "", "", ", 4"))
	case 7:
		s.add("%s.vectorize(%s%s);", at, s.loop(of, true).name, one(s.rng, "", ", 8", ", 8", ", 3", ", 16"))
	case 8:
		s.add("%s.unroll(%s%s);", at, s.loop(of, false).name, one(s.rng, "", ", 4", ", 8"))
	case 9:
		if s.rng.IntN(4) == 0 {
			s.add("%s.scan(%s, %d);", at, s.loop(of, false).name, s.count())
			return
		}
		s.rfactor(i)
	default:
		s.rfactor(i)
	}
}

// rfactor takes loops of the domain out, and makes a stage of partial results.
func (s *scheduler) rfactor(i int) {
	of, made := s.stages[i], stage{name: fmt.Sprint("m", len(s.stages))}
	var taken, us, pure []loop
	var pairs []string
	red := 0
	for _, l := range of.loops {
		if !l.pure {
			red++
		}
	}
	for _, l := range of.loops {
		switch {
		case l.pure && s.rng.IntN(40) > 0:
			pure = append(pure, l)
		case red == 1 || s.rng.IntN(2) == 0:
			u := s.fresh()
			taken, us, pairs = append(taken, l), append(us, loop{u, true}), append(pairs, "{"+l.name+", "+u+"}")
		default:
			made.loops = append(made.loops, l)
		}
	}
	if len(pairs) == 0 || len(s.stages) > 3 {
		return
	}
	args := "{" + strings.Join(pairs, ", ") + "}"
	if len(pairs) == 1 {
		args = strings.Trim(pairs[0], "{}")
	}
	s.add("Func %s = %s.update(0).rfactor(%s);", made.name, of.name, args)
	if where := one(s.rng, "root", "root", "root", "at", ""); where == "root" || len(pure) == 0 && where == "at" {
		s.add("%s.compute_root();", made.name)
	} else if where == "at" {
		s.add("%s.compute_at(%s, %s);", made.name, of.name, one(s.rng, pure...).name)
	}
	made.loops = slices.Concat(made.loops, us, pure)
	s.stages[i].loops = append(taken, pure...)
	s.stages = append(s.stages, made)
}
