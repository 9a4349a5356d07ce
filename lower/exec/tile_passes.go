package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
)

// hold makes room for the states of n steps, of which the first is the step base of the tile.
func (b *tileBlocks) hold(base, n int) {
	if n > b.room {
		for i, t := range b.scan.State {
			z := kernel.Of(t)
			z.Swap(b.states[i], z.Register(n+1))
		}
		b.room = n
	}
	for _, l := range b.at {
		l.at.Offset = l.after - base
	}
}

// once reports whether blocks can go straight through all passes: no total is needed for what a state is, and what a tile that is not finite reads
// is still there when it begins anew.
func (b *tileBlocks) once() bool {
	return !slices.ContainsFunc(b.passes, func(p *blockPass) bool { return !p.IsExact() && (b.form.Reads || !b.rounds(p)) })
}

// straight runs a tile that place has readied, all tiles before it being done: block by block through all passes, without totals. It reports
// false where that gives another result, and has changed nothing that the tile reads.
func (b *tileBlocks) straight(j *job, number int) bool {
	if !b.once() {
		return false
	}
	for _, p := range b.passes {
		for i, c := range p.Components {
			p.from[i] = j.states[number][c]
			if p.trees[i] != nil {
				p.trees[i].Begin()
			}
			if a := p.aims[i]; a != nil && a.tree != nil {
				a.tree.Begin()
			}
			p.to[i] = p.from[i]
		}
		if b.rounds(p) && !b.finite(p) {
			return false
		}
	}
	b.hold(0, b.block)
	extent := b.passes[0].code.extent
	for k := 0; k < extent; k += b.block {
		n := min(b.block, extent-k)
		b.hold(k, n)
		for _, p := range b.passes {
			p.code.compute(k, n, extent, 0)
			for i, c := range p.Components {
				b.put[c](0, p.to[i])
				scan, tree, at := p.scan[i], p.trees[i], 1
				if a := b.aimed(p, i); a != nil {
					scan, tree, at = a.scan, a.tree, b.target.Offset+k
				}
				if tree == nil {
					p.to[i] = scan(at, n, p.to[i])
				} else if !tree.Scan(at, n, p.from[i]) {
					return false
				} else {
					p.to[i] = tree.Get(at + n - 1)
				}
			}
		}
		b.rest(k, n)
	}
	for n, p := range b.passes {
		b.publish(j, n, p, number)
	}
	return true
}

// aimed is where a component is written at once, nil where its states are held.
func (b *tileBlocks) aimed(p *blockPass, i int) *aim {
	if b.target == nil || b.target.Stride != 1 {
		return nil
	}
	return p.aims[i]
}

// rest writes what a block keeps and passes have not written.
func (b *tileBlocks) rest(k, n int) {
	if b.keep == nil {
		return
	}
	computed := false
stores:
	for i, f := range b.stores {
		for _, p := range b.passes {
			for c := range p.Components {
				if a := b.aimed(p, c); a != nil && a.output == i {
					continue stores
				}
			}
		}
		if !computed {
			b.keep.compute(k, n, b.keep.extent, 0)
			computed = true
		}
		f(k, n)
	}
}

// finite reports whether the state before a tile is finite.
func (b *tileBlocks) finite(p *blockPass) bool {
	for i, c := range p.Components {
		if !b.scan.Finite(c, p.from[i]) {
			return false
		}
	}
	return true
}

func (b *tileBlocks) publish(j *job, n int, p *blockPass, number int) {
	for i, c := range p.Components {
		j.states[number+1][c] = p.to[i]
	}
	close(j.published[n][number+1])
}

// tile runs a tile that place has readied, pass by pass.
func (b *tileBlocks) tile(j *job, number int) {
	b.hold(0, b.passes[0].code.extent)
	for n, p := range b.passes {
		b.reduce(p)
		<-j.published[n][number]
		for i, c := range p.Components {
			p.from[i] = j.states[number][c]
		}
		p.behind()
		if !b.counts(p) {
			b.through(p)
			b.publish(j, n, p, number)
			continue
		}
		b.publish(j, n, p, number)
		if p.read {
			b.through(p)
		}
	}
	if b.keep != nil {
		b.blocks(b.keep, func(k, n int) {
			for _, f := range b.stores {
				f(k, n)
			}
		})
	}
}

// counts reports whether the state behind a tile is what its total says, for sure; see plan.Scan.
func (b *tileBlocks) counts(p *blockPass) bool {
	if !b.rounds(p) {
		return b.scan.Counts(p.Pass, p.from, p.sum, p.to)
	}
	if !b.finite(p) {
		return false
	}
	for i, t := range p.trees {
		if t != nil && !t.Bounded(p.from[i]) {
			return false
		}
	}
	return true
}

// reduce computes the total of a tile.
func (b *tileBlocks) reduce(p *blockPass) {
	for _, f := range p.begin {
		f()
	}
	b.blocks(p.code, func(k, n int) {
		for _, f := range p.fold {
			f(k, n)
		}
	})
}

// through computes the state of a pass at each step of a tile. It combines floats by trees. Where a result is not finite, it
// runs the steps in order instead.
func (b *tileBlocks) through(p *blockPass) {
	for i, c := range p.Components {
		b.put[c](0, p.from[i])
	}
	if b.rounds(p) && b.finite(p) && b.byTrees(p) {
		return
	}
	copy(p.to, p.from)
	b.blocks(p.code, func(k, n int) {
		for i, f := range p.scan {
			p.to[i] = f(k+1, n, p.to[i])
		}
	})
}

func (b *tileBlocks) byTrees(p *blockPass) bool {
	for _, t := range p.trees {
		if t != nil {
			t.Begin()
		}
	}
	copy(p.to, p.from)
	finite := true
	b.blocks(p.code, func(k, n int) {
		for i, c := range p.Components {
			if t := p.trees[i]; t != nil {
				finite = t.Scan(k+1, n, p.from[i]) && finite
				p.to[i] = b.get[c](k + n)
			} else {
				p.to[i] = p.scan[i](k+1, n, p.to[i])
			}
		}
	})
	return finite
}
