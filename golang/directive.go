package golang

import (
	"go/token"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// directive is what comments at a loop say:
//
//	//rfactor:ignore            reports nothing
//	//rfactor:pure              promises of all calls in a step that they have no effect, end, and do not panic
//	//rfactor:ahead             promises that nobody writes what steps behind the end of a search read, so that they may run
//	//rfactor:assume nsw        grants assumptions: a report may use them besides ir.DefaultAssumptions, and a fix uses no others
type directive struct {
	ignore  bool
	pure    bool
	ahead   bool
	granted ir.Assume
	named   ir.Assume // of granted, one by one and not in a set
}

// directives are those of a package, by file and line.
type directives map[token.Position]directive

const prefix = "//rfactor:"

// directivesOf collects the comments of a package. A list of assumptions that cannot be read allows nothing.
func directivesOf(p *Package) directives {
	found := directives{}
	for _, file := range p.Files {
		for _, group := range file.Comments {
			for _, c := range group.List {
				verb, ok := strings.CutPrefix(c.Text, prefix)
				if !ok {
					continue
				}
				at := lineOf(p.Fset.Position(c.Pos()))
				d := found[at]
				verb, list, _ := strings.Cut(strings.TrimSpace(verb), " ")
				switch verb {
				case "ignore":
					d.ignore = true
				case "pure":
					d.pure = true
				case "ahead":
					d.ahead = true
				case "assume":
					if a, err := ir.ParseAssume(strings.TrimSpace(list)); err == nil {
						d.granted |= a
						d.named |= rfactor.Named(list)
					}
				}
				found[at] = d
			}
		}
	}
	return found
}

func lineOf(p token.Position) token.Position {
	return token.Position{Filename: p.Filename, Line: p.Line}
}

// at returns what is said on the line of a loop, and on the lines of directives right above it.
func (ds directives) at(loop token.Position) directive {
	line := lineOf(loop)
	d := ds[line]
	for {
		line.Line--
		above, ok := ds[line]
		if !ok {
			break
		}
		d.ignore = d.ignore || above.ignore
		d.pure = d.pure || above.pure
		d.ahead = d.ahead || above.ahead
		d.granted |= above.granted
		d.named |= above.named
	}
	return d
}
