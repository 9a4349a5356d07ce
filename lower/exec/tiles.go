package exec

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// tiled is a stage that runs in tiles, as plan.Scan says, compiled for one execution: a worker for each goroutine.
//
//	f(r) = f(r - 1) + in(r)   →   a worker takes the next tile, reduces it, waits for the state before it, publishes the
//	                              state behind it, and steps through the tile from there
type tiled struct {
	run     *execution
	stage   *plan.Stage
	scan    *plan.Scan
	outer   []plan.Loop // the loops around that of the scan
	loop    plan.Loop
	form    *prepare.ScanForm // nil where it has none
	workers []*tileWorker
}

// dearTiles is how many times as long tiles take as the serial loop, which gives the same where nothing is rounded.
const dearTiles = 3

// fewTiles is how many goroutines take no less time than one: that runs blocks once through all passes, and holds no states of a whole tile.
const fewTiles = 2

// scansTiles reports whether a stage is to run in tiles: one that rounds as its tiles say, one that blocks serve, or one that as many
// goroutines share as tiles pay for.
func (run *execution) scansTiles(n *prepare.Stage) bool {
	s := n.Stage
	if s.Scan == nil || n.Form != nil {
		return s.Scan != nil
	}
	rounds := slices.ContainsFunc(s.Scan.Passes, func(p *plan.Pass) bool { return !p.IsExact() })
	return rounds || s.Scan.Parallel && run.opts.Goroutines >= dearTiles
}

// tiles runs a stage in tiles.
func (run *execution) tiles(n *prepare.Stage) error {
	t := run.scans[n]
	if t == nil {
		t = &tiled{run: run, stage: n.Stage, scan: n.Stage.Scan, form: n.Form}
		for _, l := range n.Stage.Loops {
			if l.Var == t.scan.Var {
				t.loop = l
			} else {
				t.outer = append(t.outer, l)
			}
		}
		run.scans[n] = t
	}
	return t.iterate(0)
}

func (t *tiled) worker(i int) *tileWorker {
	for len(t.workers) <= i {
		t.workers = append(t.workers, newTileWorker(t))
	}
	return t.workers[i]
}

// iterate runs the loops around the scan from the i-th on.
func (t *tiled) iterate(i int) error {
	w := t.worker(0)
	w.Point++
	span, err := w.span(i)
	if err != nil {
		return err
	}
	if i == len(t.outer) {
		return t.scanAll(span)
	}
	for k := range span.Extent {
		if err := t.run.ctx.Err(); err != nil {
			return err
		}
		*w.vars[i] = uint64(int64(span.Min + k))
		if err := t.iterate(i + 1); err != nil {
			return err
		}
	}
	return nil
}

// job is a scan at one point of the loops around it.
type job struct {
	span      ndarray.Range
	alone     bool // one goroutine runs all tiles, in their order
	tile      int
	states    [][]uint64        // before each tile, and behind the last one
	published [][]chan struct{} // by pass: closed once the state before that tile is there
	errs      []error           // of the tiles
	next      atomic.Int64
}

// scanAll runs a scan at one point of the loops around it.
func (t *tiled) scanAll(span ndarray.Range) error {
	if span.Extent <= 0 {
		return nil
	}
	w := t.worker(0)
	w.Point++
	for _, f := range w.where[:t.stage.Tails] { // which do not mention the scan
		if f() == 0 {
			return nil
		}
	}
	j := &job{span: span, tile: int(min(t.scan.Tile, int64(span.Extent)))}
	count := (span.Extent-1)/j.tile + 1
	start, err := w.start()
	if err != nil {
		return err
	}
	j.states, j.errs, j.published = [][]uint64{start}, make([]error, count), make([][]chan struct{}, len(t.scan.Passes))
	for range count {
		j.states = append(j.states, make([]uint64, len(start)))
	}
	for p := range j.published {
		for range count + 1 {
			j.published[p] = append(j.published[p], make(chan struct{}))
		}
		close(j.published[p][0])
	}
	workers := min(t.run.opts.Goroutines, count)
	if w.blocks != nil && w.blocks.once() && workers <= fewTiles {
		workers = 1
	}
	if t.scan.Parallel && workers > 1 {
		var wg sync.WaitGroup
		for g := range workers {
			v := t.worker(g)
			for i := range t.outer {
				*v.vars[i] = *w.vars[i]
			}
			v.enter()
		}
		for _, v := range t.workers[:workers] {
			wg.Go(func() { v.work(j) })
		}
		wg.Wait()
	} else {
		j.alone = true
		w.enter()
		w.work(j)
	}
	for _, err := range j.errs {
		if err != nil {
			return err
		}
	}
	if t.scan.Keep == nil {
		w.Point++
		return w.write(j.states[count])
	}
	return nil
}
