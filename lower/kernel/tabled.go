package kernel

import (
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
)

// Costs of a step that is looked up: the cycles until the next one knows its place, and operations.
const (
	lookUpLatency = 6
	lookUpWork    = 3
)

// byTable lets chunks look their steps up by the element, a byte, and the state, where that has few values.
//
//	x = select(x == 0, select(y > 32, 1, 2), …)   →   x = next[y, x]
func byTable(k *Kernel) *Kernel {
	c, ok := First[Chunks](k.Body)
	if !ok || len(k.State) != 1 || k.State[0] != ir.U8 || len(k.Streams) != 1 || k.Streams[0] != ir.U8 && k.Streams[0] != ir.I8 || !Mentions(c.To, Load, 0) {
		return k
	}
	if tableCost(c.Parts) >= Alike*k.plainCost() {
		return k
	}
	pool := c.To[0].Pool()
	if _, ok := folds.StepTable(c.To[0], pool.X(0, ir.U8), Elem(pool, 0, k.Streams[0]), k.Identity[0]); !ok {
		return k
	}
	out := *k
	out.Table = true
	return &out
}

// tableCost is that of steps that are looked up, in so many parts.
func tableCost(parts int) float64 {
	return max(lookUpLatency/float64(parts), (lookUpWork+float64(loopOps)/float64(parts))/OpsACycle)
}
