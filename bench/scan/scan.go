// Package scan times recurrences that keep every step, beside the peers of other languages.
package scan

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/bench/internal/turns"
	"github.com/rfactor-go/rfactor/internal/save"
)

// Command times scans, by turns with their peers.
var Command = &command.Command{
	Name:  "scan",
	About: "times scans, beside copies, loops in Go and C, and the peers that are installed",
	Doc: `ns is what an element took, the least of all turns; copy is the ratio to a plain copy in the same process and of as many elements.
emitted1 and emitted2 are emitted code on as many processors, and run1 and run2 the program in this process, whose memory is allocated anew for each run. Peers, built or started where there is a compiler or numpy: c, openmp, c++, numpy (with scipy).
Vectors need GOTOOLCHAIN=go1.27.4 GOEXPERIMENT=simd.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		count := f.Int("turns", 5, "take `N` turns")
		only := f.String("only", "", "measure the works whose name has `TEXT` alone")
		sizes := f.String("n", "32Ki,4Mi,32Mi", "measure these numbers of elements")
		return func(c *command.Call) error {
			ns, err := turns.Sizes(*sizes)
			if err != nil {
				return command.Usage(err.Error())
			}
			return measure(c.Context, ns, *count, *only, c.Stdout, c.Stderr)
		}
	},
}

func measure(ctx context.Context, sizes []int, count int, only string, stdout, stderr io.Writer) error {
	peers, stop, err := startPeers(ctx, stderr)
	if stop != nil {
		defer stop()
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "work\tn\tway\tns\tcopy")
	for _, w := range works {
		if !strings.Contains(w.name, only) {
			continue
		}
		for _, n := range sizes {
			if err := compare(ctx, w, n, count, peers, stdout); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			runtime.GC()
		}
	}
	return nil
}

func compare(ctx context.Context, w work, n, count int, peers []*turns.Peer, stdout io.Writer) error {
	ways, err := w.ways(ctx, n)
	if err != nil {
		return err
	}
	for _, p := range peers {
		for _, name := range p.Ways {
			ways = append(ways, &turns.Way{Name: name, NS: func() (float64, error) { return p.Ask(w.name, name, n) }})
		}
	}
	if err := turns.Take(ctx, count, ways); err != nil {
		return err
	}
	for _, v := range ways {
		if v.Best > 0 { // a peer may have no such work
			fmt.Fprintf(stdout, "%s\t%d\t%s\t%.3f\t%.2f\n", w.name, n, v.Name, v.Best, ways[0].Best/v.Best)
		}
	}
	return nil
}

// startPeers builds and starts the peers that this machine has. Of one that it has not it says so.
func startPeers(ctx context.Context, stderr io.Writer) (peers []*turns.Peer, stop func(), err error) {
	dir, err := os.MkdirTemp("", "bench-scan")
	if err != nil {
		return nil, nil, err
	}
	stop = func() {
		for _, p := range peers {
			p.Stop()
		}
		os.RemoveAll(dir)
	}
	own, err := startEmitted(ctx, filepath.Join(dir, "emitted"))
	if err != nil {
		return nil, stop, err
	}
	peers = append(peers, own)
	cpp, err := peerFiles.ReadFile("peers/scan.cpp")
	if err != nil {
		return nil, stop, err
	}
	if p := turns.Compiled(ctx, stderr, dir, cpp, "c", "openmp", "c++"); p != nil {
		peers = append(peers, p)
	}
	script := filepath.Join(dir, "scan.py")
	text, err := peerFiles.ReadFile("peers/scan.py")
	if err == nil {
		err = save.Text(script, text)
	}
	if err != nil {
		return nil, stop, err
	}
	if err := exec.CommandContext(ctx, "python3", "-c", "import numpy").Run(); err != nil {
		fmt.Fprintf(stderr, "numpy is left out: %v\n", err)
	} else if p, err := turns.Start(ctx, nil, []string{"numpy"}, "python3", script); err != nil {
		fmt.Fprintf(stderr, "numpy is left out: %v\n", err)
	} else {
		peers = append(peers, p)
	}
	return peers, stop, nil
}
