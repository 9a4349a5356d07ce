package egraph

import "fmt"

// A Pattern is a term with variables. Make it with PVar and PNode.
type Pattern struct {
	Var  int // number of the variable; -1 for a node
	Op   Op
	Kids []Pattern
}

// PVar returns the pattern variable number i, which matches any class, and the same
// class wherever it occurs. It panics for a negative i; Compile and CompileTable refuse one that
// is not below MaxVars.
func PVar(i int) Pattern {
	if i < 0 {
		panic(fmt.Sprintf("egraph: a variable with the number %d", i))
	}
	return Pattern{Var: i}
}

// PNode returns the pattern of a node with this operator and these children.
func PNode(op Op, kids ...Pattern) Pattern { return Pattern{Var: -1, Op: op, Kids: kids} }

// MaxVars is the largest number of variables of a rule or table entry.
const MaxVars = 64

// check returns an error for a pattern too large to compile; vars becomes at
// least the largest variable number + 1.
func (p Pattern) check(vars *int) error {
	if p.Var >= MaxVars {
		return fmt.Errorf("variable %d: at most %d variables", p.Var, MaxVars)
	}
	if p.Var >= 0 {
		*vars = max(*vars, p.Var+1)
		return nil
	}
	if p.Op > MaxOp || len(p.Kids) > MaxArity {
		return fmt.Errorf("operator %d with %d children is too large", p.Op, len(p.Kids))
	}
	for _, k := range p.Kids {
		if err := k.check(vars); err != nil {
			return err
		}
	}
	return nil
}

// A Rule says that the left side equals the right side, whatever terms stand
// for the variables. It adds the right side wherever the left side is found.
type Rule struct {
	Name string
	LHS  Pattern
	// Also lists further patterns that must match, each in any class, sharing
	// variables with LHS. They bind variables for RHS, Cond and Apply.
	Also []Pattern
	RHS  Pattern
	// Cond, if any, is asked before the rule is applied; subst[v] is the class
	// of variable v (NoClass if v does not occur). It is called while matches
	// of the same iteration are being applied: classes may have merged
	// meanwhile, and analysis data may lag behind. It must not change g, nor
	// keep subst. Matches are asked about anew in every iteration until the
	// condition holds and the sides are equal.
	Cond func(g *Graph, subst []Class) bool
	// Apply, if any, replaces RHS: it may add nodes and returns the class that
	// equals root. It returns false to do nothing.
	Apply func(g *Graph, root Class, subst []Class) (Class, bool)
}

// left returns the patterns of the left side.
func (r *Rule) left() []Pattern { return append([]Pattern{r.LHS}, r.Also...) }
