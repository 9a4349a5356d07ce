package tablegen

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Options say which tables are made and how. The zero Options make all of them in the current
// folder.
type Options struct {
	Types   []ir.Type // of components; none means every type
	Leaves  int       // of the largest expressions; 0 means MaxLeaves
	Report  string    // file of the report; empty means REPORT.md in Out
	Out     string    // folder of the tables; work in progress lies in a folder .work in it
	Resume  bool      // use what an interrupted run with the same options left there
	Workers int       // goroutines; 0 means one for each core
	Shard   Shard     // of the enumeration; the zero Shard means all, and then the tables
	Spaces  *Spaces   // shared with other runs in this process; nil for none

	// Progress, if any, is told of each piece of work that is done, one call at a time.
	Progress func(stage string, done, total int)
}

// Shard is one of several parts of the enumeration: part Part (from 1) of Of. The zero Shard is all
// of it.
type Shard struct{ Part, Of int }

// Pieces is how many pieces of work the enumeration of the options consists of. With as many shards each has one. An error
// is one of bad options.
func Pieces(o Options) (n int, err error) {
	if err := o.check(); err != nil {
		return 0, err
	}
	for _, s := range studies(&o) {
		n += len(s.jobs())
	}
	return n, nil
}

// MaxLeaves is the largest number of leaves of an expression that is enumerated.
const MaxLeaves = maxLeaves

func (o *Options) check() error {
	if o.Leaves < 0 || o.Leaves > MaxLeaves {
		return fmt.Errorf("%d leaves: expressions have 1 to %d", o.Leaves, MaxLeaves)
	}
	if s := o.Shard; s.Of < 0 || s.Of > 0 && (s.Part < 1 || s.Part > s.Of) {
		return fmt.Errorf("shard %d/%d: want i/n with 1 <= i <= n", s.Part, s.Of)
	}
	return nil
}

func (o *Options) leaves() int {
	if o.Leaves == 0 {
		return MaxLeaves
	}
	return o.Leaves
}

func (o *Options) report() string {
	if o.Report == "" {
		return filepath.Join(o.Out, "REPORT.md")
	}
	return o.Report
}

// wants reports whether components of type t are asked for.
func (o *Options) wants(t ir.Type) bool { return len(o.Types) == 0 || slices.Contains(o.Types, t) }

// wantsWorld reports whether a type of the world is asked for.
func (o *Options) wantsWorld(w *world) bool { return slices.ContainsFunc(w.types, o.wants) }
