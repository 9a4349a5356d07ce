// Rfactor-beam runs rfactor's long searches as pipelines of Apache Beam: on prism in this process, or where the flag -runner says.
//
//	rfactor-beam tablegen -types i32 -leaves 6 -shards 64 -folder work -out tables
//
//	rfactor-beam coverage -corpus testdata/corpus/updates.tsv -updates 1000000
//
// A tablegen that was interrupted goes on with the same flags: shards that are done are not done again.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/rfactor-go/rfactor/beam/combine"
	"github.com/rfactor-go/rfactor/beam/coverage"
	"github.com/rfactor-go/rfactor/beam/tables"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

func init() {
	register.Function1x0(printLine)
	register.Function2x0(printCount)
	register.Function1x0(printChecksum)
}

func printCount(status int, t combine.Tuple) {
	fmt.Printf("%s\t%d\n", coverage.StatusName(status), t.Values[0])
}

func printChecksum(t combine.Tuple) { fmt.Printf("checksum\t%016x\n", t.Values[0]) }

func printLine(line string) { fmt.Println(line) }

const usage = `usage: rfactor-beam tablegen -folder FOLDER -out FOLDER [-types LIST] [-leaves NUMBER] [-shards NUMBER]
       rfactor-beam coverage -corpus FILE.tsv [-updates NUMBER] [-seed NUMBER]
`

func main() {
	verb := ""
	if len(os.Args) > 1 {
		verb = os.Args[1]
	}
	if strings.HasPrefix(verb, "-") { // a worker of a remote runner is started with flags alone, and does not return
		flag.Parse()
		beam.Init()
	}
	var j tables.Job
	var run func(context.Context) error
	switch verb {
	case "tablegen":
		types := flag.String("types", "", "`LIST` of the types that components may have, such as i32,bool (default all)")
		flag.IntVar(&j.Leaves, "leaves", 0, "largest `NUMBER` of leaves that is enumerated (default that of rfactor tablegen)")
		flag.IntVar(&j.Shards, "shards", 64, "`NUMBER` of shards")
		flag.StringVar(&j.Folder, "folder", "", "`FOLDER` of the shards, which all workers see")
		flag.StringVar(&j.Out, "out", "", "`FOLDER` of the tables, which all workers see")
		run = func(ctx context.Context) error {
			if *types != "" {
				j.Types = strings.Split(*types, ",")
			}
			return tablegen(ctx, j)
		}
	case "coverage":
		corpus := flag.String("corpus", "", "`FILE` of updates")
		updates := flag.Int("updates", 1000, "`NUMBER` of updates: the corpus, and then scrambles of it")
		seed := flag.Uint64("seed", 1, "`NUMBER` that scrambles are drawn by")
		run = func(ctx context.Context) error { return cover(ctx, *corpus, *updates, *seed) }
	default:
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	flag.CommandLine.Parse(os.Args[2:])
	beam.Init()
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "rfactor-beam:", err)
		os.Exit(1)
	}
}

func cover(ctx context.Context, corpus string, updates int, seed uint64) error {
	f, err := os.Open(corpus)
	if err != nil {
		return err
	}
	defer f.Close()
	lines, err := program.ReadCorpus(f)
	if err != nil {
		return fmt.Errorf("%s: %w", corpus, err)
	}
	p, s := beam.NewPipelineWithRoot()
	counts, checksum, err := coverage.Build(ctx, s, coverage.Job{Lines: lines, Updates: updates, Chunk: 100, Seed: seed, Allowed: ir.DefaultAssumptions})
	if err != nil {
		return err
	}
	beam.ParDo0(s, printCount, counts)
	beam.ParDo0(s, printChecksum, checksum)
	return beamx.Run(ctx, p)
}

func tablegen(ctx context.Context, j tables.Job) error {
	if j.Folder == "" || j.Out == "" {
		return errors.New("tablegen needs -folder and -out")
	}
	p, s := beam.NewPipelineWithRoot()
	lines, err := tables.Build(s, j)
	if err != nil {
		return err
	}
	beam.ParDo0(s, printLine, lines)
	return beamx.Run(ctx, p)
}
