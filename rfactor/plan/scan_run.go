package plan

import "github.com/rfactor-go/rfactor/ir"

// tileRun is a scan of one run of its loop, while it is interpreted.
type tileRun struct {
	*run
	stage *Stage
	scan  *Scan
	least int64      // the first value of the loop's variable
	tiles []*tile    // in their order
	state [][]uint64 // before each tile, and behind the last one; as far as passes have published it
}

// tile is some steps of a scan.
type tile struct {
	number int
	steps  []int64    // values of the loop's variable, at which the conditions hold
	total  []uint64   // of a pass
	local  [][]uint64 // with lanes, the totals of that pass from the tile's begin to behind each step
	before [][]uint64 // the state before each step, and behind the last one, of the passes that are done
}

// inTiles runs the loop of a scan, with all loops around it at a point.
func (r *run) inTiles(s *Stage, l Loop) error {
	if ok, err := r.holds(s.Where[:s.Tails]); err != nil || !ok { // which do not mention the scan
		return err
	}
	span, err := r.span(l.Span)
	if err != nil || span.Extent <= 0 {
		return err
	}
	defer delete(r.vars, l.Var)
	t := &tileRun{run: r, stage: s, scan: s.Scan, least: int64(span.Min)}
	start := ir.EvalAll(s.Scan.Start, &r.env)
	if err := r.takeError(); err != nil {
		return err
	}
	t.state = append(t.state, start)
	size := int(min(s.Scan.Tile, int64(span.Extent)))
	for lo := 0; lo < span.Extent; lo += size {
		next := &tile{number: len(t.tiles)}
		for i := lo; i < min(span.Extent, lo+size); i++ {
			r.vars[l.Var] = uint64(int64(span.Min + i))
			if ok, err := r.holds(s.Where); err != nil {
				return err
			} else if ok {
				next.steps = append(next.steps, int64(span.Min+i))
			}
		}
		for range len(next.steps) + 1 {
			next.before = append(next.before, make([]uint64, len(start)))
		}
		t.tiles, t.state = append(t.tiles, next), append(t.state, make([]uint64, len(start)))
	}
	if err := t.all(); err != nil {
		return err
	}
	if s.Scan.Keep == nil {
		return t.store(s.Index, t.state[len(t.tiles)])
	}
	return nil
}

// holds reports whether all conditions do, at the point where the variables are.
func (r *run) holds(where []ir.Expr) (bool, error) {
	for _, w := range where {
		if ok, err := r.eval(w); err != nil || ok == 0 {
			return false, err
		}
	}
	return true, nil
}

// all runs the tiles one after another. Where they may run at once, what they keep is written then, or when all have run, in an order that is drawn: a
// tile waits for the state before it, and for nothing else.
func (t *tileRun) all() error {
	later := t.scan.Parallel && t.rng.IntN(2) == 0
	for _, tile := range t.tiles {
		for _, p := range t.scan.Passes {
			t.reduce(tile, p)
			t.publish(tile, p)
			if err := t.takeError(); err != nil {
				return err
			}
		}
		if !later {
			if err := t.keep(tile); err != nil {
				return err
			}
		}
	}
	for _, i := range t.rng.Perm(len(t.tiles)) {
		if later {
			if err := t.keep(t.tiles[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// at lets variables mean a step of a tile.
func (t *tileRun) at(tile *tile, step int, p *Pass) {
	t.vars[t.scan.Var] = uint64(tile.steps[step])
	for _, r := range p.Reads {
		from := step
		if r.After {
			from++
		}
		t.vars[r.Var] = tile.before[from][r.Component]
	}
}

// over evaluates expressions over x_i, and over y_i where these are given.
func (t *tileRun) over(es []ir.Expr, x, y []uint64) []uint64 {
	return ir.EvalAll(es, &ir.Env{Call: t.call, Var: func(v ir.Expr) uint64 {
		switch {
		case v.Kind() == ir.State:
			return x[v.Index()]
		case v.Kind() == ir.Leaf && y != nil && v.Name()[0] == 'y': // and no component of an earlier pass
			return y[v.Index()]
		}
		return t.variable(v)
	}})
}

// reduce computes the total of a tile, step by step, or by a tree in blocks of lanes.
func (t *tileRun) reduce(tile *tile, p *Pass) {
	n := len(tile.steps)
	tile.total, tile.local = nil, make([][]uint64, n)
	if p.InOrder {
		return
	}
	lanes := int(t.scan.Lanes)
	for i := range n {
		t.at(tile, i, p)
		if i > 0 && lanes == 1 {
			tile.local[i] = t.over(p.Next, tile.local[i-1], nil)
		} else {
			tile.local[i] = t.over(p.Inject, nil, nil)
		}
	}
	for lo := 0; lo < n && lanes > 1; lo += lanes {
		block := tile.local[lo:min(n, lo+lanes)]
		for d := 1; d < lanes; d *= 2 {
			for i := d; i < len(block); i++ {
				if i&d != 0 {
					block[i] = t.over(p.Combine, block[i&^(d-1)-1], block[i])
				}
			}
		}
		if lo > 0 {
			for i := range block {
				block[i] = t.over(p.Combine, tile.local[lo-1], block[i])
			}
		}
	}
	if n > 0 {
		tile.total = tile.local[n-1]
	}
}

// publish takes the state before a tile, publishes that behind it, and gives each step its state.
func (t *tileRun) publish(tile *tile, p *Pass) {
	from := make([]uint64, len(p.Components))
	for j, c := range p.Components {
		from[j] = t.state[tile.number][c]
	}
	behind, counts := from, !p.InOrder
	if tile.total != nil {
		behind = t.applied(p, from, tile.total)
		counts = t.counts(p, tile, from)
	}
	states := [][]uint64{from}
	for i := range tile.steps {
		if t.scan.Lanes > 1 && counts {
			states = append(states, t.applied(p, from, tile.local[i]))
		} else {
			t.at(tile, i, p)
			states = append(states, t.over(p.Update, states[i], nil))
		}
	}
	if !counts {
		behind = states[len(tile.steps)]
	}
	for j, c := range p.Components {
		for i, s := range states {
			tile.before[i][c] = s[j]
		}
		t.state[tile.number+1][c] = behind[j]
	}
}

// applied is a state to which a total is applied, in the types of the state.
func (t *tileRun) applied(p *Pass, state, total []uint64) []uint64 {
	out := t.over(p.Apply, state, total)
	for j, c := range p.Components {
		out[j] = t.scan.State[c].Wrap(out[j])
	}
	return out
}

// counts reports whether the totals of a tile that are used count.
func (t *tileRun) counts(p *Pass, tile *tile, from []uint64) bool {
	used := tile.local
	if t.scan.Lanes == 1 {
		used = used[len(used)-1:]
	}
	for _, total := range used {
		if !t.scan.Counts(p, from, total, t.applied(p, from, total)) {
			return false
		}
	}
	return true
}

// keep writes what the steps of a tile keep.
func (t *tileRun) keep(tile *tile) error {
	if t.scan.Keep == nil {
		return nil
	}
	for i, r := range tile.steps {
		t.vars[t.scan.Var] = uint64(r)
		values := make([]uint64, len(t.scan.Keep))
		for c, k := range t.scan.Keep {
			if k.State >= 0 {
				values[c] = tile.before[i+1][k.State]
			} else {
				values[c] = t.over([]ir.Expr{k.Value}, tile.before[i], nil)[0]
			}
		}
		if err := t.takeError(); err != nil {
			return err
		}
		if err := t.store(t.stage.Index, values); err != nil {
			return err
		}
	}
	return nil
}

// store writes an element of the stage's buffer.
func (t *tileRun) store(index []ir.Expr, values []uint64) error {
	at := ir.EvalAll(index, &t.env)
	if err := t.takeError(); err != nil {
		return err
	}
	return t.write(t.stage.Buffer, at, values)
}
