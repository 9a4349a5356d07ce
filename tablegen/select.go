package tablegen

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/zeebo/xxh3"
)

// selection is what is chosen of the candidates of a family: for tuples of a shape.
type selection struct {
	*family
	shape string
}

func (s selection) name() string { return "selected-" + s.family.name + "-" + s.shape }

// chosen is an enumerated operator that adds something to those before it.
type chosen struct {
	candidate
	source string // the study that found it
}

// fate counts the candidates of a world, and what they were dropped for.
type fate struct{ candidates, again, bounded, answered, unproven, kept int }

func (f fate) String() string {
	return fmt.Sprintf("%d %d %d %d %d %d", f.candidates, f.again, f.bounded, f.answered, f.unproven, f.kept)
}

func parseFate(s string) (f fate, err error) {
	_, err = fmt.Sscan(s, &f.candidates, &f.again, &f.bounded, &f.answered, &f.unproven, &f.kept)
	return f, err
}

// selections are those that the options' studies feed.
func (r *generation) selections() (all []selection) {
	for i := range families {
		f := &families[i]
		var shapes []string
		for _, s := range studies(r.o) {
			if slices.Contains(f.worlds, s.world.name) && !slices.Contains(shapes, s.shape) {
				shapes = append(shapes, s.shape)
				all = append(all, selection{f, s.shape})
			}
		}
	}
	return all
}

// selected writes the operators that a selection keeps, in the order of its worlds.
func (r *generation) selected(ctx context.Context, s selection) error {
	if _, err := os.Stat(r.file(s.name())); err == nil && r.o.Resume {
		return nil
	}
	var text strings.Builder
	var base []*prove.Proven
	for _, name := range s.worlds {
		w := worldOf(name)
		if !r.o.wantsWorld(w) {
			continue
		}
		candidates, sources, err := r.candidates(w, s.shape)
		if err != nil {
			return err
		}
		c := newChooser(w, s.shape)
		if err := c.start(ctx); err != nil {
			return err
		}
		if err := c.build(ctx, base); err != nil {
			return err
		}
		for i, cand := range candidates {
			if err := c.consider(ctx, cand, sources[i]); err != nil {
				return err
			}
		}
		base = append(base, c.proven...)
		fmt.Fprintf(&text, "# %s: %s\n", w.name, c.fate)
		for _, k := range c.kept {
			fmt.Fprintf(&text, "%s\t%d\t%s\n", k.source, k.leaves, k.exprs)
		}
	}
	return writeFile(r.file(s.name()), text.String())
}

// candidates are those of a world and shape, each once, simplest first.
func (r *generation) candidates(w *world, shape string) (all []candidate, sources []string, err error) {
	from := map[candidate]string{}
	for _, s := range studies(r.o) {
		if s.world != w || s.shape != shape {
			continue
		}
		for _, j := range s.jobs() {
			f, err := readFound(r.file(j.name()))
			if err != nil {
				return nil, nil, err
			}
			for _, c := range f.candidates {
				if _, ok := from[c]; !ok {
					from[c] = s.name()
					all = append(all, c)
				}
			}
		}
	}
	sortCandidates(all)
	for _, c := range all {
		sources = append(sources, from[c])
	}
	return all, sources, nil
}

// readSelected reads what selected wrote.
func (r *generation) readSelected(s selection) (kept []chosen, fates map[string]fate, err error) {
	text, err := os.ReadFile(r.file(s.name()))
	if err != nil {
		return nil, nil, err
	}
	fates = map[string]fate{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if head, ok := strings.CutPrefix(line, "# "); ok {
			name, counts, _ := strings.Cut(head, ": ")
			if fates[name], err = parseFate(counts); err != nil {
				return nil, nil, err
			}
			continue
		}
		c := strings.Split(line, "\t")
		leaves, err := strconv.Atoi(c[1])
		if err != nil {
			return nil, nil, err
		}
		kept = append(kept, chosen{candidate{leaves, c[2]}, c[0]})
	}
	return kept, fates, nil
}

// chooser examines the candidates of a world one after the other.
type chooser struct {
	*filter
	fate
	prover  *prove.Prover
	started bool
	seen    map[xxh3.Uint128]bool // functions that were considered
	kept    []chosen
	proven  []*prove.Proven
}

// represents are the types at which the tuples of a world's shape are examined.
func represents(w *world, shape string) (types []ir.Type) {
	for _, c := range shape {
		if c == 'f' {
			types = append(types, ir.Bool)
		} else {
			types = append(types, w.types[0])
		}
	}
	return types
}

func newChooser(w *world, shape string) *chooser {
	return &chooser{filter: newFilter(w, represents(w, shape)), prover: new(prove.Prover), seen: map[xxh3.Uint128]bool{}}
}

// start takes what is known to the field as kept.
func (c *chooser) start(ctx context.Context) error {
	if c.started {
		return nil
	}
	c.started = true
	for _, l := range listed() {
		needs, ok := l.Needs(c.types, c.w.allowed)
		if !ok || !c.w.allowed.Has(needs) {
			continue
		}
		es, err := l.Instance(ir.NewPool(), c.types)
		if err != nil {
			return err
		}
		if p, _ := c.prover.Characterise(ctx, proof.Operator{Types: c.types, Exprs: es}, proving(c.w.allowed)); p != nil {
			c.keep(p)
			c.considered(c.pool.Import(es...))
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// build takes what was kept in earlier worlds as kept.
func (c *chooser) build(ctx context.Context, base []*prove.Proven) error {
	for _, p := range base {
		pool := ir.NewPool()
		es, err := pattern.Parse(pool, c.types, ir.Strings(p.Exprs))
		if err != nil {
			return err
		}
		if q, _ := c.prover.Characterise(ctx, proof.Operator{Types: c.types, Exprs: es}, proving(c.w.allowed)); q != nil {
			c.keep(q)
		}
	}
	return ctx.Err()
}

// consider keeps a candidate if it adds something and is proven.
func (c *chooser) consider(ctx context.Context, cand candidate, source string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.candidates++
	es, err := pattern.Parse(c.pool, c.types, cand.exprs)
	if err != nil {
		return err
	}
	if c.considered(es) {
		c.fate.again++
		return nil
	}
	if c.filter.bounds(es) {
		c.fate.bounded++
		return nil
	}
	if c.filter.answered(es) || c.filter.answered(c.mirror(es)) {
		c.fate.answered++
		return nil
	}
	p, _ := c.prover.Characterise(ctx, proof.Operator{Types: c.types, Exprs: ir.NewPool().Import(es...)}, proving(c.w.allowed))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case p == nil || p.Side == proof.NoSide || p.Side == proof.Middle:
		c.unproven++
		return nil
	}
	c.fate.kept++
	c.kept = append(c.kept, chosen{cand, source})
	c.proven = append(c.proven, p)
	c.keep(p)
	return nil
}

// considered reports whether a function with the same values was considered before.
func (c *chooser) considered(es []ir.Expr) bool {
	code := tape.New(es...)
	h := xxh3.New()
	var word [8]byte
	for _, block := range c.blocks {
		for i, r := range c.run(code, nil, block) {
			for _, v := range r {
				binary.LittleEndian.PutUint64(word[:], canonical(es[i].Type(), c.w.allowed, v))
				h.Write(word[:])
			}
		}
	}
	key := h.Sum128()
	if c.seen[key] {
		return true
	}
	c.seen[key] = true
	return false
}

// canonical is one value for those that the assumptions do not tell apart.
func canonical(t ir.Type, assume ir.Assume, v uint64) uint64 {
	if !t.IsFloat() {
		return v
	}
	x := ir.Float(t, v)
	switch {
	case x != x:
		return 1<<64 - 1
	case x == 0 && assume.Has(ir.NSZ):
		return 0
	}
	return v
}

// hasIdentity reports whether evaluation finds an identity.
func (c *chooser) hasIdentity(es []ir.Expr) bool {
	_, ok := prove.LikelyIdentity(proof.Operator{Types: c.types, Exprs: es}, c.w.allowed, nil)
	return ok
}

// sift answers the candidates, generalised, that none of the listed operators makes
// redundant. It counts in t what becomes of the others.
func (c *chooser) sift(ctx context.Context, all []candidate, t *tally) (out []candidate, err error) {
	if err := c.start(ctx); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, cand := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		es, err := pattern.Parse(c.pool, c.types, cand.exprs)
		if err != nil {
			return nil, err
		}
		if g, ok := c.generalise(es); ok {
			es = g
			cand = candidate{leafCount(es), ir.Strings(es)}
		}
		switch {
		case seen[cand.exprs]:
			t.instances++
		case c.steps(es):
			t.choices++
		case !c.hasIdentity(es):
			t.unsided++
		case c.filter.answered(es) || c.filter.answered(c.mirror(es)):
			t.answered++
		default:
			out = append(out, cand)
		}
		seen[cand.exprs] = true
	}
	sortCandidates(out)
	return out, nil
}
