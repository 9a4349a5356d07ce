package read

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Portable is a Body in a form that can be written to a file. Facts carry it to the processes that analyze packages which call the function.
type Portable struct {
	Nodes   []Node // operands come before the expressions that use them
	Params  []int  // the place of each, and -1 of one on which nothing depends
	Results []int
}

// Node is an expression: a literal, a parameter or an operator of others.
type Node struct {
	Op    ir.Op
	Type  ir.Type
	Value uint64 // of a literal its bits, of a parameter its number
	Args  []int
}

// Portable returns the body in that form. It is nil where the body has other expressions than literals, parameters and operators.
func (b *Body) Portable() *Portable {
	p := &Portable{}
	places := map[ir.Expr]int{}
	var add func(e ir.Expr) bool
	add = func(e ir.Expr) bool {
		if _, ok := places[e]; ok {
			return true
		}
		n := Node{Op: e.Op(), Type: e.Type()}
		switch e.Op() {
		case ir.Call:
			return false
		case ir.Const:
			n.Value = e.Value()
		case ir.Var:
			i := slices.Index(b.Params, e)
			if i < 0 {
				return false
			}
			n.Value = uint64(i)
		default:
			for i := range e.NumArgs() {
				if !add(e.Arg(i)) {
					return false
				}
				n.Args = append(n.Args, places[e.Arg(i)])
			}
		}
		places[e] = len(p.Nodes)
		p.Nodes = append(p.Nodes, n)
		return true
	}
	for _, e := range b.Results {
		if !add(e) {
			return nil
		}
		p.Results = append(p.Results, places[e])
	}
	for _, e := range b.Params {
		switch {
		case !e.IsValid():
			p.Params = append(p.Params, -1)
		case add(e):
			p.Params = append(p.Params, places[e])
		}
	}
	return p
}

// Body makes the body again, in a pool of its own. It is nil where the nodes are not well-formed expressions, as those of another version
// may be.
func (p *Portable) Body() (b *Body) {
	defer func() {
		if recover() != nil {
			b = nil
		}
	}()
	pool, made := ir.NewPool(), []ir.Expr{}
	for _, n := range p.Nodes {
		var args []ir.Expr
		for _, at := range n.Args {
			args = append(args, made[at])
		}
		var e ir.Expr
		switch n.Op {
		case ir.Const:
			e = pool.Const(n.Type, n.Value)
		case ir.Var:
			e = pool.K(int(n.Value), n.Type)
		case ir.Cast:
			e = ir.CastTo(n.Type, args[0])
		default:
			e = ir.Make(n.Op, args...)
		}
		if e.Type() != n.Type {
			return nil
		}
		made = append(made, e)
	}
	b = &Body{}
	for _, at := range p.Params {
		if at < 0 {
			b.Params = append(b.Params, ir.Expr{})
		} else {
			b.Params = append(b.Params, made[at])
		}
	}
	for _, at := range p.Results {
		b.Results = append(b.Results, made[at])
	}
	return b
}
