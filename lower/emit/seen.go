package emit

import "github.com/rfactor-go/rfactor/ir"

// Where an element has a flag that tells whether anything has arrived, a run asks it once:
// its first point may be taken apart, and the flag is set after that.

// peeled is the values of a kernel for the first element that arrives, and for those after
// it; ok is false where the kernel is not of that kind.
func (k *run) peeled() (first, rest []ir.Expr, ok bool) {
	last := len(k.values) - 1
	if !k.nest.Buffer.Seen || len(k.where) > 0 || last < 1 || !k.values[last].IsConst(1) {
		return nil, nil, false
	}
	flag := k.values[last].Pool().X(last, ir.Bool)
	for _, v := range k.values[:last] {
		if v.Op() != ir.Select || v.Arg(0) != flag || mentionsAny([]ir.Expr{v.Arg(1), v.Arg(2)}, flag) {
			return nil, nil, false
		}
		first, rest = append(first, v.Arg(2)), append(rest, v.Arg(1))
	}
	return append(first, k.values[last]), append(rest, flag), mentionsAny(rest, k.streams[0].call)
}

// writeFirst writes the point that finds the flag not set.
func (g *generator) writeFirst(k *run, values []ir.Expr) {
	lead := k.streams[0].name
	g.file.printf("if len(%s) > 0 && !%s {\n", lead, k.states()[len(values)-1])
	if mentionsAny(values, k.streams[0].call) {
		g.file.printf("y := %s[0]\n", lead)
	}
	g.body(k.writer(g, "0"), nil, values, k.states())
	for _, s := range k.streams {
		g.file.printf("%s = %s[1:]\n", s.name, s.name)
	}
	if k.first {
		g.file.printf("first++\n")
	}
	g.file.printf("}\n")
}
