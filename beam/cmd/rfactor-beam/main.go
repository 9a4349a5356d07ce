// Rfactor-beam runs rfactor's long searches as pipelines of Apache Beam: on prism in this process, or where the flag -runner says.
//
//	rfactor-beam tablegen -types i32 -leaves 6 -shards 64 -folder work -out tables
//
// A run that was interrupted goes on with the same flags: shards that are done are not done again.
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

func init() { register.Function1x0(printLine) }

func printLine(line string) { fmt.Println(line) }

func main() {
	if len(os.Args) < 2 || os.Args[1] != "tablegen" {
		// A worker of a remote runner is started with flags alone.
		if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "-") {
			flag.Parse()
			beam.Init()
		}
		fmt.Fprintln(os.Stderr, "usage: rfactor-beam tablegen -folder FOLDER -out FOLDER [-types LIST] [-leaves NUMBER] [-shards NUMBER]")
		os.Exit(2)
	}
	var j tables.Job
	types := flag.String("types", "", "`LIST` of the types that components may have, such as i32,bool (default all)")
	flag.IntVar(&j.Leaves, "leaves", 0, "largest `NUMBER` of leaves that is enumerated (default that of rfactor tablegen)")
	flag.IntVar(&j.Shards, "shards", 64, "`NUMBER` of shards")
	flag.StringVar(&j.Folder, "folder", "", "`FOLDER` of the shards, which all workers see")
	flag.StringVar(&j.Out, "out", "", "`FOLDER` of the tables, which all workers see")
	flag.CommandLine.Parse(os.Args[2:])
	beam.Init()
	if *types != "" {
		j.Types = strings.Split(*types, ",")
	}
	if err := tablegen(context.Background(), j); err != nil {
		fmt.Fprintln(os.Stderr, "rfactor-beam:", err)
		os.Exit(1)
	}
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
