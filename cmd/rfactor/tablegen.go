package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/tablegen"
)

var tablegenVerb = verb{
	name:  "tablegen",
	about: "makes the operator tables: enumerates functions, keeps the associative ones, proves them",
	run:   runTablegen,
	usage: `[flags] [PART… | TABLE.txt…]

Examples:
  rfactor tablegen -leaves 5 -out tables
  rfactor tablegen -types i32 -out tables -resume
  rfactor tablegen -shard 2/3 -out part2
  rfactor tablegen -merge -out tables part1 part2 part3
  rfactor tablegen -verify

The same flags give the same tables, byte for byte. Work in progress lies in OUT/.work: what
Ctrl-C interrupts goes on with -resume. With -shard only the enumeration is done, and only
that part of it; -merge joins the parts' folders with the same flags. -verify proves the
given tables again (those in this program, without arguments) and evaluates every law at
-points points. Exit code 0; 1 where a table is not what is proven; 2 for bad input.`,
}

const maxParts = 10_000 // files or folders of one command

func runTablegen(c *command, args []string) int {
	fs := newFlags()
	var o tablegen.Options
	fs.StringVar(&o.Out, "out", "tables", "`FOLDER` that the tables are written to")
	fs.StringVar(&o.Report, "report", "", "`FILE` for the report (default REPORT.md in the folder of the tables)")
	fs.IntVar(&o.Leaves, "leaves", tablegen.MaxLeaves, "largest `NUMBER` of leaves that is enumerated")
	fs.IntVar(&o.Workers, "workers", 0, "`NUMBER` of goroutines (default one for each core)")
	fs.BoolVar(&o.Resume, "resume", false, "go on where an earlier run with the same flags was interrupted")
	fs.Func("types", "`LIST` of the types that components may have, such as i32,bool (default all)", func(s string) (err error) {
		o.Types, err = parseTypes(s)
		return err
	})
	fs.Func("shard", "`i/n`: enumerate only the i-th of n parts", func(s string) error {
		_, err := fmt.Sscanf(s, "%d/%d", &o.Shard.Part, &o.Shard.Of)
		if err != nil || o.Shard.Of < 1 || o.Shard.Part < 1 || o.Shard.Part > o.Shard.Of {
			return errors.New("want i/n with 1 <= i <= n")
		}
		return nil
	})
	merge := fs.Bool("merge", false, "make the tables from the parts in the given folders")
	verify := fs.Bool("verify", false, "prove tables again")
	points := fs.Int("points", 1_000, "with -verify: `NUMBER` of points at which each law is evaluated")
	rest, code, ok := c.parse(fs, args, maxParts)
	switch {
	case !ok:
		return code
	case *verify:
		return c.verifyTables(rest, *points)
	case *merge && o.Shard.Of > 0:
		return c.errorf("-merge joins all parts: it takes no -shard")
	case len(rest) > 0 && !*merge:
		return c.errorf("unexpected argument %s", quoteShort(rest[0]))
	case *merge && len(rest) == 0:
		return c.errorf("the folders of the parts are missing: rfactor tablegen -merge [flags] PART…")
	}
	return c.makeTables(o, *merge, rest)
}

func (c *command) makeTables(o tablegen.Options, merge bool, parts []string) int {
	bar := newProgress(c.stderr, 0)
	o.Progress = func(stage string, done, total int) {
		bar.total, bar.n = total, done-1
		bar.step(stage)
	}
	var err error
	if merge {
		err = tablegen.Merge(c.ctx, o, parts)
	} else {
		err = tablegen.Generate(c.ctx, o)
	}
	bar.clear()
	switch {
	case c.ctx.Err() != nil:
		return exitInterrupted
	case err != nil:
		return c.errorf("%v", err)
	case o.Shard.Of > 0:
		c.stdout.printf("part %d of %d is in %s; rfactor tablegen -merge joins the parts\n", o.Shard.Part, o.Shard.Of, o.Out)
		return exitMatched
	}
	files, err := filepath.Glob(filepath.Join(o.Out, "*.txt"))
	if err != nil {
		return c.errorf("%v", err)
	}
	c.stdout.printf("%d tables in %s\n", len(files), o.Out)
	return exitMatched
}

// verifyTables proves the tables of files, or those of the program, again.
func (c *command) verifyTables(files []string, points int) int {
	type table struct{ name, text string }
	var all []table
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return c.errorf("%v", err)
		}
		all = append(all, table{filepath.Base(f), string(text)})
	}
	if len(files) == 0 {
		for _, types := range pattern.Signatures() {
			all = append(all, table{pattern.TableName(types), pattern.TableText(types)})
		}
	}
	errs := make([]error, len(all))
	c.eachTable(len(all), func(i int) string {
		errs[i] = tablegen.Verify(c.ctx, all[i].name, all[i].text, points)
		return all[i].name
	})
	if c.ctx.Err() != nil {
		return exitInterrupted
	}
	failed := 0
	for _, err := range errs {
		if err != nil {
			c.stdout.printf("FAILED %v\n", err)
			failed++
		}
	}
	c.stdout.printf("%d of %d tables hold\n", len(all)-failed, len(all))
	if failed > 0 {
		return exitRefused
	}
	return exitMatched
}

// eachTable does n pieces of work on all cores; do answers the name of what it has done.
func (c *command) eachTable(n int, do func(i int) (name string)) {
	bar := newProgress(c.stderr, n)
	defer bar.clear()
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				name := do(i)
				mu.Lock()
				bar.step(name)
				mu.Unlock()
			}
		})
	}
	for i := 0; i < n && c.ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	wg.Wait()
}
