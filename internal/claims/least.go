package claims

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/internal/ordered"
	"github.com/rfactor-go/rfactor/ir"
)

// Bounds of what is counted.
const (
	maxStateBits = 8
	maxInputBits = 4 // and as many of constants
	maxFunctions = 1 << 12
)

// readLeast reads whether a lift is said to have no parameter too many.
func (c *Claim) readLeast() error {
	said := c.tree.Get("least")
	switch {
	case said == nil:
		return nil
	case said.Kind != ordered.String || said.Text != "proven":
		return fmt.Errorf("least is %q", said.Text)
	case c.Status != "lifted":
		return fmt.Errorf("least is said of %s", c.Status)
	case c.Assumes != 0 || len(c.Given) > 0 || len(c.nonNegative()) > 0:
		return fmt.Errorf("least is said under conditions")
	}
	c.Least = true
	return nil
}

// judgeNoOperator says where a state of few bits has as many values as there are functions, so that an operator on it is not excluded.
func (c *Claim) judgeNoOperator() string {
	if c.tree.Get("no_operator") == nil {
		return ""
	}
	if c.Assumes != 0 || len(c.Given) > 0 || len(c.nonNegative()) > 0 {
		return "it is said under conditions"
	}
	return c.tooFew(new(big.Int).Lsh(big.NewInt(1), uint(bitsOf(c.operandVars('x', c.Types)))))
}

// judgeLeast says where a lift has a parameter too many: where two parameters are the same in every product, and where all functions of
// few bits are too few.
func (c *Claim) judgeLeast() string {
	if !c.Least {
		return ""
	}
	for j := range c.Operands {
		for i := range j {
			if c.sameParameters(i, j) {
				return fmt.Sprintf("parameters %d and %d are the same", i, j)
			}
		}
	}
	return c.tooFew(c.fewer())
}

// tooFew says where functions of few bits are no more than there are values.
func (c *Claim) tooFew(values *big.Int) string {
	states := c.operandVars('x', c.Types)
	inputs, constants := c.leaves(func(k ir.VarKind) bool { return k != ir.Param }), c.leaves(isConst)
	if bitsOf(states) > maxStateBits || max(bitsOf(inputs), bitsOf(constants)) > maxInputBits {
		return ""
	}
	most := 0
	for _, k := range points(constants) {
		if most = max(most, c.functions(states, inputs, constants, k)); most >= maxFunctions || big.NewInt(int64(most)).Cmp(values) > 0 {
			return ""
		}
	}
	return fmt.Sprintf("%d functions are not too many for %d values", most, values)
}

// sameParameters reports whether two parameters are written alike, of steps and of products, so that they are always the same.
func (c *Claim) sameParameters(i, j int) bool {
	if c.Operands[i] != c.Operands[j] || c.Inject[i] != c.Inject[j] {
		return false
	}
	x, y := c.operandVars('x', c.Operands), c.operandVars('y', c.Operands)
	x[j], y[j] = x[i], y[i]
	as := c.substitute([]ir.Expr{c.Operator[i], c.Operator[j]}, x, y)
	return as[0] == as[1]
}

// fewer returns how many values the parameters have without the one that has the fewest.
func (c *Claim) fewer() *big.Int {
	var sizes []*big.Int
	for _, t := range c.Operands {
		n := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits()))
		if t.IsFloat() { // of the patterns beyond the infinities one is left
			inf := new(big.Int).SetUint64(ir.FloatBits(t, math.Inf(1)))
			n = inf.Add(inf, inf).Add(inf, big.NewInt(3))
		}
		sizes = append(sizes, n)
	}
	slices.SortFunc(sizes, (*big.Int).Cmp)
	n := big.NewInt(1)
	for _, s := range sizes[1:] {
		n.Mul(n, s)
	}
	return n
}

func bitsOf(vars []ir.Expr) (n int) {
	for _, v := range vars {
		n += v.Type().Bits()
	}
	return n
}

// points lists all values of variables together.
func points(vars []ir.Expr) [][]uint64 {
	out := make([][]uint64, 1<<bitsOf(vars))
	for n := range out {
		rest := n
		for _, v := range vars {
			out[n] = append(out[n], v.Type().Wrap(uint64(rest)))
			rest >>= v.Type().Bits()
		}
	}
	return out
}

// functions returns how many functions of the state products of steps are, of constants k.
func (c *Claim) functions(states, inputs, constants []ir.Expr, k []uint64) int {
	all := points(states)
	var steps [][]byte // the number of the state that becomes of each
	for _, by := range points(inputs) {
		step := make([]byte, len(all))
		for n, x := range all {
			vars, are := slices.Concat(states, inputs, constants), slices.Concat(x, by, k)
			after := ir.EvalAll(c.Update, &ir.Env{Var: func(v ir.Expr) uint64 { return are[slices.Index(vars, v)] }})
			step[n] = byte(slices.IndexFunc(all, func(y []uint64) bool { return slices.Equal(y, after) }))
		}
		if !slices.ContainsFunc(steps, func(s []byte) bool { return slices.Equal(s, step) }) {
			steps = append(steps, step)
		}
	}
	seen, next := map[string]bool{}, steps
	for len(next) > 0 && len(seen) < maxFunctions {
		var longer [][]byte
		for _, f := range next {
			if seen[string(f)] {
				continue
			}
			seen[string(f)] = true
			for _, s := range steps {
				g := make([]byte, len(f))
				for n, y := range f {
					g[n] = s[y]
				}
				if !seen[string(g)] {
					longer = append(longer, g)
				}
			}
		}
		next = longer
	}
	return len(seen)
}
