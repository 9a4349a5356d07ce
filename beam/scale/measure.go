package scale

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/rfactor-go/rfactor/beam/coverage"
	"github.com/rfactor-go/rfactor/tablegen"
)

// Work does one shard, and returns how many bytes it leaves for those that come after it.
type Work func(ctx context.Context, shard int) (int64, error)

// Cost is what a shard took.
type Cost struct {
	Seconds float64 // of processor time
	Bytes   int64
}

// Tables enumerates shards of tablegen: all types, so many leaves.
func Tables(dir string, leaves, shards int) Work {
	spaces := &tablegen.Spaces{}
	return func(ctx context.Context, shard int) (int64, error) {
		out := filepath.Join(dir, fmt.Sprint("shard-", shard))
		o := tablegen.Options{Leaves: leaves, Out: out, Workers: 1, Spaces: spaces, Shard: tablegen.Shard{Part: shard + 1, Of: shards}}
		if err := tablegen.Generate(ctx, o); err != nil {
			return 0, err
		}
		return sizeOf(out)
	}
}

// Merge makes the tables of shards that [Tables] enumerated, on one core.
func Merge(ctx context.Context, dir string, leaves, shards int) error {
	var parts []string
	for i := range shards {
		parts = append(parts, filepath.Join(dir, fmt.Sprint("shard-", i)))
	}
	return tablegen.Merge(ctx, tablegen.Options{Leaves: leaves, Out: filepath.Join(dir, "out"), Workers: 1}, parts)
}

// Updates matches chunks of a job of coverage.
func Updates(j coverage.Job) Work {
	return func(ctx context.Context, shard int) (bytes int64, err error) {
		for i := shard * j.Chunk; i < (shard+1)*j.Chunk; i++ {
			line, err := j.Line(i)
			if err != nil {
				return 0, err
			}
			answer, err := j.Match(ctx, line)
			if err != nil {
				return 0, err
			}
			bytes += int64(len(answer)+len(line.Exprs)) + 1
		}
		return bytes, nil
	}
}

// Join measures how fast one worker joins answers, and prints the speed. The worker reads, digests and writes 256 MB.
func Join(w io.Writer, dir string) error {
	const parts, size = 64, 4 << 20
	j := coverage.Job{Updates: parts, Chunk: 1, Folder: filepath.Join(dir, "parts"), Out: filepath.Join(dir, "out")}
	text := make([]byte, size)
	for first := range parts {
		_, err := j.Part(first).Do(func(dir string) error {
			return errors.Join(os.WriteFile(filepath.Join(dir, coverage.Corpus), nil, 0o666),
				os.WriteFile(filepath.Join(dir, coverage.Answers), text, 0o666))
		})
		if err != nil {
			return err
		}
	}
	begun, before := time.Now(), used()
	if _, err := j.Join(); err != nil {
		return err
	}
	elapsed, spent := time.Since(begun), used()-before
	fmt.Fprintf(w, "%.2g bytes joined in %.3f s, %.3f s of processor time: %.2g bytes a second\n", float64(parts*size), elapsed.Seconds(), spent.Seconds(),
		parts*size/elapsed.Seconds())
	return nil
}

func sizeOf(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	return n, err
}

// Measure does shards one after the other. What each takes includes the collections of garbage that begin meanwhile.
func Measure(ctx context.Context, shards int, work Work) (costs []Cost, err error) {
	runtime.GC()
	for i := range shards {
		before := used()
		bytes, err := work(ctx, i)
		if err != nil {
			return nil, err
		}
		costs = append(costs, Cost{(used() - before).Seconds(), bytes})
	}
	return costs, nil
}

// Write writes costs, a line each.
func Write(w io.Writer, costs []Cost) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "shard\tseconds\tbytes")
	for i, c := range costs {
		fmt.Fprintf(b, "%d\t%.4f\t%d\n", i, c.Seconds, c.Bytes)
	}
	return b.Flush()
}

// Read reads what Write wrote.
func Read(text string) (costs []Cost, err error) {
	for n, line := range slices.Collect(strings.Lines(text))[1:] {
		var c Cost
		shard := 0
		if _, err := fmt.Sscanf(line, "%d\t%g\t%d", &shard, &c.Seconds, &c.Bytes); err != nil || shard != n {
			return nil, fmt.Errorf("scale: line %d: %q is no shard", n+2, line)
		}
		costs = append(costs, c)
	}
	return costs, nil
}

// Together does shards, several at a time, and returns what processor time they took together.
func Together(ctx context.Context, shards, workers int, work Work) (float64, error) {
	runtime.GC()
	before := used()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	for i := range shards {
		g.Go(func() error {
			_, err := work(ctx, i)
			return err
		})
	}
	err := g.Wait()
	return (used() - before).Seconds(), err
}

func secondsOf(costs []Cost) (out []float64) {
	for _, c := range costs {
		out = append(out, c.Seconds)
	}
	return out
}

func sum(all []float64) (s float64) {
	for _, v := range all {
		s += v
	}
	return s
}
