// Rfactor-beam runs rfactor's long searches as pipelines of Apache Beam: on prism in this process, or where the flag -runner says.
//
//	rfactor-beam tablegen -types i32 -leaves 6 -folder work -out tables
//
//	rfactor-beam scale
//
//	rfactor-beam coverage -corpus testdata/corpus/updates.tsv -updates 1000000 -folder work -out coverage
//
// A run that was interrupted goes on with the same flags: what is in the folder is not done again.
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
	"github.com/rfactor-go/rfactor/beam/scale"
	"github.com/rfactor-go/rfactor/beam/tables"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/tablegen"
)

func init() {
	register.Function1x0(printLine)
	register.Function2x0(printCount)
	register.Function1x0(printChecksum)
	register.Function1x0(printDigest)
}

func printCount(status int, t combine.Tuple) {
	fmt.Printf("%s\t%d\n", coverage.StatusName(status), t.Values[0])
}

func printChecksum(t combine.Tuple) { fmt.Printf("checksum\t%016x\n", t.Values[0]) }

func printDigest(sum string) { fmt.Printf("sha256\t%s\n", sum) }

func printLine(line string) { fmt.Println(line) }

const usage = `usage: rfactor-beam tablegen -folder FOLDER -out FOLDER [-types LIST] [-leaves NUMBER] [-shards NUMBER]
       rfactor-beam scale [-measure tables|updates|join | -compare CORES [-merge]] [-leaves NUMBER] [-shards NUMBER] [-corpus FILE.tsv]
       rfactor-beam coverage -corpus FILE.tsv -folder FOLDER -out FOLDER [-updates NUMBER] [-chunk NUMBER] [-seed NUMBER]
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
		flag.IntVar(&j.Shards, "shards", 0, "`NUMBER` of shards (default one for each piece of work)")
		flag.StringVar(&j.Folder, "folder", "", "`FOLDER` of the shards, which all workers see")
		flag.StringVar(&j.Out, "out", "", "`FOLDER` of the tables, which all workers see")
		run = func(ctx context.Context) error {
			if *types != "" {
				j.Types = strings.Split(*types, ",")
			}
			return makeTables(ctx, j)
		}
	case "coverage":
		var job coverage.Job
		corpus := flag.String("corpus", "", "`FILE` of updates")
		flag.IntVar(&job.Updates, "updates", 1000, "`NUMBER` of updates: the corpus, and then scrambles of it")
		flag.IntVar(&job.Chunk, "chunk", 500, "`NUMBER` of updates that a worker matches at a time")
		flag.Uint64Var(&job.Seed, "seed", 1, "`NUMBER` that scrambles are drawn by")
		flag.StringVar(&job.Folder, "folder", "", "`FOLDER` of the chunks, which all workers see")
		flag.StringVar(&job.Out, "out", "", "`FOLDER` of the results, which all workers see")
		run = func(ctx context.Context) error { return cover(ctx, *corpus, job) }
	case "scale":
		measure := flag.String("measure", "", "print the costs of shards of tables, or of updates, or the speed of join: `WORK`")
		merge := flag.Bool("merge", false, "with -compare, merge the tables, too")
		compare := flag.Int("compare", 0, "run shards of tables on a `NUMBER` of cores, beside the simulation of that")
		leaves := flag.Int("leaves", 5, "`NUMBER` of leaves of the tables")
		shards := flag.Int("shards", 0, "`NUMBER` of shards (default of tables: one for each piece of work; of updates: 3000)")
		corpus := flag.String("corpus", "", "`FILE` of updates, for -measure updates")
		run = func(ctx context.Context) error {
			return scaled(ctx, *measure, *compare, *leaves, *shards, *merge, *corpus)
		}
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

// scaled prints costs of shards, a comparison of a run with its simulation, or what that predicts.
func scaled(ctx context.Context, measure string, compare, leaves, shards int, merge bool, corpus string) error {
	if shards == 0 && measure != "updates" {
		var err error
		if shards, err = tablegen.Pieces(tablegen.Options{Leaves: leaves}); err != nil {
			return err
		}
	}
	switch {
	case compare > 0:
		return scale.Compare(ctx, os.Stdout, shards, leaves, compare, merge)
	case measure == "":
		return scale.Report(os.Stdout)
	}
	dir, err := os.MkdirTemp("", "rfactor-scale")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var work scale.Work
	switch measure {
	case "tables":
		work = scale.Tables(dir, leaves, shards)
	case "updates":
		lines, err := readCorpus(corpus)
		if err != nil {
			return err
		}
		if shards == 0 {
			shards = 3000
		}
		work = scale.Updates(coverage.Job{Lines: lines, Chunk: 1, Seed: 1, Allowed: ir.DefaultAssumptions})
	case "join":
		return scale.Join(os.Stdout, dir)
	default:
		return fmt.Errorf("-measure %s: want tables, updates or join", measure)
	}
	costs, err := scale.Measure(ctx, shards, work)
	if err != nil {
		return err
	}
	return scale.Write(os.Stdout, costs)
}

func readCorpus(name string) ([]program.CorpusLine, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := program.ReadCorpus(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return lines, nil
}

func cover(ctx context.Context, corpus string, j coverage.Job) error {
	if corpus == "" || j.Folder == "" || j.Out == "" {
		return errors.New("coverage needs -corpus, -folder and -out")
	}
	var err error
	if j.Lines, err = readCorpus(corpus); err != nil {
		return err
	}
	j.Allowed = ir.DefaultAssumptions
	p, s := beam.NewPipelineWithRoot()
	sum, err := coverage.Build(ctx, s, j)
	if err != nil {
		return err
	}
	beam.ParDo0(s, printCount, sum.Counts)
	beam.ParDo0(s, printChecksum, sum.Checksum)
	beam.ParDo0(s, printDigest, sum.Digest)
	return beamx.Run(ctx, p)
}

func makeTables(ctx context.Context, j tables.Job) error {
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
