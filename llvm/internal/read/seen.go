package read

import (
	"slices"

	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// usersOutside lists the instructions outside of the loop that use a value, by its name.
func usersOutside(fr *frame) map[string][]*syntax.Inst {
	users := map[string][]*syntax.Inst{}
	for i, b := range fr.f.Blocks {
		if fr.loop.Has(i) {
			continue
		}
		for _, in := range b.Insts {
			for _, v := range in.Args {
				if v.Kind == syntax.Local {
					users[v.Text] = append(users[v.Text], in)
				}
			}
			for _, name := range in.Uses {
				users[name] = append(users[name], in)
			}
		}
	}
	return users
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
	outside := usersOutside(fr)
	for _, b := range fr.loop.Blocks {
		for _, in := range fr.f.Blocks[b].Insts {
			users := outside[in.Res]
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
