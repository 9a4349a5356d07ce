package kernel

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
)

// Printer writes values as Go.
type Printer struct {
	Target *Target
	Leaf   func(*Value) string // the name of a leaf that is no literal
	Named  map[*Value]string   // values that have a name already
	Use    Use                 // notes packages, and the functions of Order

	Hoisted []string // declarations of what does not change, which stand before a loop

	spread map[string]string // the names of what is hoisted, by what is in all lanes
	fixed  map[*Value]string // and of what is computed of that
}

// Text returns a value as Go source, which may stand as an operand, an argument or the right side of an assignment.
func (p *Printer) Text(v *Value) string {
	switch {
	case p.Named[v] != "":
		return p.Named[v]
	case v.Op == Broadcast || v.Op == Table:
		return p.hoist(v)
	case v.Op.IsLeaf():
		return p.Leaf(v)
	case v.Op != Bits && v.Op != Reshape && !v.Varies(): // bits that are read as others take no instruction
		return p.hoistValue(v)
	}
	return p.operation(v)
}

// hoistValue is a variable for what is computed once.
func (p *Printer) hoistValue(v *Value) string {
	if p.fixed == nil {
		p.fixed = map[*Value]string{}
	}
	if p.fixed[v] == "" {
		text := p.operation(v)
		p.fixed[v] = fmt.Sprintf("all%d", len(p.spread)+len(p.fixed))
		p.Hoisted = append(p.Hoisted, p.fixed[v]+" := "+text)
	}
	return p.fixed[v]
}

// operation writes a value that is no leaf.
func (p *Printer) operation(v *Value) string {
	if op := ir.Op(v.Op); (op == ir.Min || op == ir.Max) && v.Type.Elem.IsFloat() {
		p.Use.Name(p.Target.Order(op, v.Type.Elem))
	}
	var args []any
	for _, a := range v.Args {
		args = append(args, p.Text(a))
	}
	switch v.Op {
	case Op(ir.Shl), Op(ir.Shr):
		args = append(args, v.Imm)
	case Bytes, Halves, Pick:
		args = append(args, v.lanes())
	}
	if v.Op == Bits && !v.Args[0].Type.Elem.IsUnsigned() && !v.Type.Elem.IsUnsigned() { // by way of unsigned integers
		args[0] = args[0].(string) + ".ToBits()"
	}
	return fmt.Sprintf(p.Target.Ops[keyOf(v)], args...)
}

// hoist is a variable for what does not change: one element in all lanes, or a table.
func (p *Printer) hoist(v *Value) string {
	key := v.Args[0].String()
	if v.Op == Table {
		key = fmt.Sprintf("table %x %x", v.Args[0].Imm, v.Args[1].Imm)
	}
	if name, ok := p.spread[key]; ok {
		return name
	}
	if p.spread == nil {
		p.spread = map[string]string{}
	}
	text := ""
	if v.Op == Table {
		text = p.table(v)
	} else {
		text = p.Target.Broadcast(v.Type.Elem, p.element(v.Args[0]))
	}
	name := fmt.Sprintf("all%d", len(p.spread)+len(p.fixed))
	p.spread[key] = name
	p.Hoisted = append(p.Hoisted, name+" := "+text)
	return name
}

// table is the halves of a table by turns.
func (p *Printer) table(v *Value) string {
	var halves []any
	for _, e := range v.Args {
		halves = append(halves, p.Target.Broadcast(ir.U64, fmt.Sprintf("%#016x", e.Imm)))
	}
	return fmt.Sprintf(p.Target.Ops[keyOf(v)], halves...)
}

// element writes a literal or scalar as Go.
func (p *Printer) element(e *Value) string {
	switch {
	case e.Op != Literal:
		return p.Leaf(e)
	case e.Type.Elem.IsUnsigned() && e.Type.Elem.Bits() >= 32 && e.Imm == 1<<(e.Type.Elem.Bits()-1)-1: // all but the sign
		return fmt.Sprintf("1<<%d - 1", e.Type.Elem.Bits()-1)
	}
	return p.Use.GoLiteral(e.Type.Elem, e.Imm, false)
}
