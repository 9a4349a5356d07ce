package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/tablegen"
)

var tablegenVerb = verb{
	name: "tablegen",
	run:  runTablegen,
	usage: `[flags] [PART… | TABLE.txt…]

Examples:
  rfactor-lab tablegen -leaves 5 -out tables
  rfactor-lab tablegen -types i32 -out tables -resume
  rfactor-lab tablegen -shard 2/3 -out part2
  rfactor-lab tablegen -merge -out tables part1 part2 part3
  rfactor-lab tablegen -verify

It makes the operator tables: it enumerates functions, keeps the associative ones and proves them.
The same flags give the same tables, byte for byte. Work in progress lies in OUT/.work: what
Ctrl-C interrupts goes on with -resume. With -shard only the enumeration is done, and only
that part of it; -merge joins the parts' folders with the same flags. -verify proves the
given tables again (those in this program, without arguments) and evaluates every law at
-points points. Exit code 0; 1 where a table is not what is proven; 2 for bad input.`,
}

const maxParts = 10_000 // files or folders of one command

func runTablegen(c *command, args []string) int {
	fs := cli.NewFlags()
	var o tablegen.Options
	fs.StringVar(&o.Out, "out", "tables", "`FOLDER` that the tables are written to")
	fs.StringVar(&o.Report, "report", "", "`FILE` for the report (default REPORT.md in the folder of the tables)")
	fs.IntVar(&o.Leaves, "leaves", tablegen.MaxLeaves, "largest `NUMBER` of leaves that is enumerated")
	fs.IntVar(&o.Workers, "workers", 0, "`NUMBER` of goroutines (default one for each core)")
	fs.BoolVar(&o.Resume, "resume", false, "go on where an earlier run with the same flags was interrupted")
	fs.Func("types", "`LIST` of the types that components may have, such as i32,bool (default all)", func(s string) (err error) {
		o.Types, err = cli.ParseTypes(s)
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
		return c.errorf("unexpected argument %s", cli.Quote(rest[0]))
	case *merge && len(rest) == 0:
		return c.errorf("the folders of the parts are missing: rfactor-lab tablegen -merge [flags] PART…")
	}
	return c.makeTables(o, *merge, rest)
}

func (c *command) makeTables(o tablegen.Options, merge bool, parts []string) int {
	bar := cli.NewBar(c.stderr, 0)
	o.Progress = func(stage string, done, total int) { bar.At(done, total, stage) }
	var err error
	if merge {
		err = tablegen.Merge(c.ctx, o, parts)
	} else {
		err = tablegen.Generate(c.ctx, o)
	}
	bar.Clear()
	switch {
	case c.ctx.Err() != nil:
		return exitInterrupted
	case err != nil:
		return c.errorf("%v", err)
	case o.Shard.Of > 0:
		c.stdout.Printf("part %d of %d is in %s; rfactor-lab tablegen -merge joins the parts\n", o.Shard.Part, o.Shard.Of, o.Out)
		return exitDone
	}
	files, err := filepath.Glob(filepath.Join(o.Out, "*.txt"))
	if err != nil {
		return c.errorf("%v", err)
	}
	c.stdout.Printf("%d tables in %s\n", len(files), o.Out)
	return exitDone
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
			c.stdout.Printf("FAILED %v\n", err)
			failed++
		}
	}
	c.stdout.Printf("%d of %d tables hold\n", len(all)-failed, len(all))
	if failed > 0 {
		return exitFailed
	}
	return exitDone
}

// eachTable does n pieces of work on all cores; do answers the name of what it has done.
func (c *command) eachTable(n int, do func(i int) (name string)) {
	bar := cli.NewBar(c.stderr, n)
	defer bar.Clear()
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				name := do(i)
				mu.Lock()
				bar.Step(name)
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
