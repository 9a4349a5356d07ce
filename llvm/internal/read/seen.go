package read

import (
	"slices"

	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// usedOutside reports whether a block outside of the loop uses a value.
func usedOutside(fr *frame, name string) bool { return len(usersOutside(fr, name)) > 0 }

func usersOutside(fr *frame, name string) (out []*syntax.Inst) {
	for i, b := range fr.f.Blocks {
		if fr.loop.Has(i) {
			continue
		}
		for _, in := range b.Insts {
			if slices.ContainsFunc(in.Args, func(v syntax.Value) bool { return isLocal(v, name) }) || slices.Contains(in.Uses, name) {
				out = append(out, in)
			}
		}
	}
	return out
}

// seen reports of each component of the state whether its value is used behind the loop, and whether the program ends
// there if it is poison. Other values of the state that are used there make all components seen.
func (r *reader) seen(fr *frame, state []*syntax.Inst) (seen, defined []bool) {
	seen, defined = make([]bool, len(state)), make([]bool, len(state))
	names := map[string]int{}
	for i, phi := range state {
		names[phi.Res] = i
		for _, latch := range fr.loop.Latches {
			if v, ok := incoming(fr, phi, latch); ok && v.Kind == syntax.Local {
				if _, taken := names[v.Text]; !taken {
					names[v.Text] = i
				}
			}
		}
	}
	for _, b := range fr.loop.Blocks {
		for _, in := range fr.f.Blocks[b].Insts {
			users := usersOutside(fr, in.Res)
			if in.Res == "" || len(users) == 0 || !fr.env[in.Res].state {
				continue
			}
			i, ok := names[in.Res]
			if !ok {
				for j := range seen {
					seen[j] = true
				}
				continue
			}
			seen[i] = true
			defined[i] = defined[i] || slices.ContainsFunc(users, func(u *syntax.Inst) bool { return isDefined(fr, u) })
		}
	}
	return seen, defined
}

// isDefined reports whether a use returns a value that must not be poison: from the block right behind the loop.
func isDefined(fr *frame, user *syntax.Inst) bool {
	if !fr.f.RetIs["noundef"] {
		return false
	}
	exit := -1
	for _, b := range fr.loop.Blocks {
		for _, s := range fr.graph.Succs[b] {
			if !fr.loop.Has(s) && exit >= 0 && exit != s {
				return false
			} else if !fr.loop.Has(s) {
				exit = s
			}
		}
	}
	if exit < 0 {
		return false
	}
	b := fr.f.Blocks[exit]
	if slices.ContainsFunc(b.Insts, func(in *syntax.Inst) bool { return in.Op == "call" }) || !slices.Contains(b.Insts, user) {
		return false
	}
	last := b.Last()
	return user == last && last.Op == "ret" || user.Op == "phi" && last.Op == "ret" && len(last.Args) == 1 && isLocal(last.Args[0], user.Res)
}
