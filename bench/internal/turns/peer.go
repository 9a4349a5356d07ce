package scan

import (
	"bufio"
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

//go:embed peers
var peerFiles embed.FS

// peer is a process that answers a line with a measurement.
type peer struct {
	ways []string
	in   io.WriteCloser
	out  *bufio.Scanner
	wait func() error
}

// startPeers builds and starts the peers that this machine has. Of one that it has not it says so.
func startPeers(ctx context.Context, stderr io.Writer) (peers []*peer, stop func(), err error) {
	dir, err := os.MkdirTemp("", "bench-scan")
	if err != nil {
		return nil, nil, err
	}
	stop = func() {
		for _, p := range peers {
			p.in.Close()
			p.wait()
		}
		os.RemoveAll(dir)
	}
	for _, name := range []string{"scan.cpp", "scan.py"} {
		text, err := peerFiles.ReadFile("peers/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
		}
		if err != nil {
			stop()
			return nil, nil, err
		}
	}
	source, exe := filepath.Join(dir, "scan.cpp"), filepath.Join(dir, "scan")
	if out, err := exec.CommandContext(ctx, "c++", "-O3", "-march=native", "-std=c++17", "-fopenmp-simd", "-o", exe, source).CombinedOutput(); err != nil {
		fmt.Fprintf(stderr, "c, openmp and c++ are left out: %v\n%s", err, out)
	} else if p, err := startPeer(ctx, []string{"c", "openmp", "c++"}, exe); err != nil {
		fmt.Fprintf(stderr, "c, openmp and c++ are left out: %v\n", err)
	} else {
		peers = append(peers, p)
	}
	if err := exec.CommandContext(ctx, "python3", "-c", "import numpy").Run(); err != nil {
		fmt.Fprintf(stderr, "numpy is left out: %v\n", err)
	} else if p, err := startPeer(ctx, []string{"numpy"}, "python3", filepath.Join(dir, "scan.py")); err != nil {
		fmt.Fprintf(stderr, "numpy is left out: %v\n", err)
	} else {
		peers = append(peers, p)
	}
	return peers, stop, nil
}

func startPeer(ctx context.Context, ways []string, name string, args ...string) (*peer, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &peer{ways: ways, in: in, out: bufio.NewScanner(out), wait: cmd.Wait}, cmd.Start()
}

// ask returns the nanoseconds an element takes, 0 where the peer has no such work.
func (p *peer) ask(work, way string, n int) (float64, error) {
	if _, err := fmt.Fprintln(p.in, work, way, n); err != nil {
		return 0, err
	}
	if !p.out.Scan() {
		return 0, fmt.Errorf("it ended: %v", p.out.Err())
	}
	if p.out.Text() == "none" {
		return 0, nil
	}
	return strconv.ParseFloat(p.out.Text(), 64)
}
