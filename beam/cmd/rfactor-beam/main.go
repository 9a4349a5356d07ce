// Rfactor-beam runs rfactor's long searches as pipelines of Apache Beam: on prism in this process, or where the flag -runner says.
//
//	rfactor-beam tablegen -types i32 -leaves 6 -folder work -out tables
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

	"github.com/rfactor-go/rfactor/beam/tables"
)

func init() {
	register.Function1x0(printLine)
}

func printLine(line string) { fmt.Println(line) }

const usage = `usage: rfactor-beam tablegen -folder FOLDER -out FOLDER [-types LIST] [-leaves NUMBER] [-shards NUMBER]
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
