package lower

import (
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/emitted"
	"github.com/rfactor-go/rfactor/bench/internal/turns"
	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

//go:embed peers
var peerFiles embed.FS

// product is what peers are compared at: a product of matrices whose lanes run along a row.
const product = `ImageParam a(Float(32), 2), b(Float(32), 2);
Func c; Var x, y;
RDom k(0, a.width());
c(x, y) = 0.0f;
c(x, y) += a(k, y)*b(x, k);
`

// racer is a process that answers each line with a measurement. One that multiplies matrices gets a size, and
// answers the nanoseconds of processor time that the second of two products took: the first one finds the
// caches with what others left.
type racer struct {
	*turns.Peer
	name  string
	peer  bool
	path  string
	args  []string
	times map[int][]float64 // by sizes, in milliseconds
}

// peerBuilds are the ways to build peers: the compiler and its arguments, without the output.
var peerBuilds = map[string][]string{
	"openblas": {"cc", "-O2", "openblas.c", "-lopenblas"},
	"halide":   {"c++", "-O1", "-std=c++17", "-I/usr/include/halide14", "halide.cpp", "-lHalide14"},
}

// comparePeers times products on one core beside peers, by turns, and prints medians and their ratios.
func comparePeers(ctx context.Context, peers []string, sizes []int, turns int, stdout, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "bench-peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	racers, err := ours(ctx, dir)
	if err != nil {
		return err
	}
	for _, p := range peers {
		exe, err := buildPeer(ctx, p, dir)
		if err != nil {
			fmt.Fprintf(stderr, "%s is left out: %v\n", p, err)
			continue
		}
		racers = append(racers, &racer{name: p, peer: true, path: exe})
		if p == "halide" {
			racers = append(racers, &racer{name: "halide strict", peer: true, path: exe, args: []string{"strict"}})
		}
	}
	for _, r := range racers {
		stop, err := r.start(ctx)
		if err != nil {
			return err
		}
		defer stop()
	}
	for _, n := range sizes {
		for turn := range turns + 1 {
			for _, r := range racers {
				ms, err := r.product(n)
				if err != nil {
					return fmt.Errorf("%s: %w", r.name, err)
				}
				if turn > 0 { // the first one makes the matrices
					r.times[n] = append(r.times[n], ms)
				}
			}
		}
	}
	fmt.Fprintln(stdout, "n\tproduct\tms\tgflops\tratios")
	for _, n := range sizes {
		for _, r := range racers {
			ms := r.median(n)
			fmt.Fprintf(stdout, "%d\t%s\t%.3g\t%.3g", n, r.name, ms, 2*float64(n)*float64(n)*float64(n)/ms/1e6)
			for _, p := range racers {
				if p.peer && !r.peer {
					fmt.Fprintf(stdout, "\t%.2f of %s", p.median(n)/ms, p.name)
				}
			}
			fmt.Fprintln(stdout)
		}
	}
	return nil
}

func (r *racer) median(n int) float64 {
	l := slices.Sorted(slices.Values(r.times[n]))
	return l[len(l)/2]
}

// start runs the process, on one core unless it sets another number itself.
func (r *racer) start(ctx context.Context) (stop func(), err error) {
	if r.Peer, err = turns.Start(ctx, []string{"HL_NUM_THREADS=1", "GOMAXPROCS=1"}, nil, r.path, r.args...); err != nil {
		return nil, err
	}
	r.times = map[int][]float64{}
	return r.Stop, nil
}

// product is the milliseconds of one product.
func (r *racer) product(n int) (float64, error) {
	ns, err := r.Ask(n)
	return ns / 1e6, err
}

func buildPeer(ctx context.Context, name, dir string) (string, error) {
	args := peerBuilds[name]
	if args == nil {
		return "", fmt.Errorf("no such peer; there are openblas and halide")
	}
	args = slices.Clone(args)
	for i, a := range args {
		if text, err := peerFiles.ReadFile("peers/" + a); err == nil {
			args[i] = filepath.Join(dir, a)
			if err := save.Text(args[i], text); err != nil {
				return "", err
			}
		}
	}
	exe := filepath.Join(dir, name)
	if text, err := exec.CommandContext(ctx, args[0], append(args[1:], "-o", exe)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w (Debian has libopenblas-dev and libhalide14-0-dev)\n%s", err, text)
	}
	return exe, nil
}

// ours are the serial program, and lanes with and without fused products, on vectors.
func ours(ctx context.Context, dir string) ([]*racer, error) {
	var out []*racer
	for _, v := range []struct {
		name, schedule string
		assume         ir.Assume
		env            []string
	}{
		{"serial", "", 0, nil},
		{"plain lanes", "c.update(0).vectorize(x, 8);\n", 0, nil},
		{"lanes", "c.update(0).vectorize(x, 8);\n", 0, emitted.Vectors},
		{"lanes, contract", "c.update(0).vectorize(x, 8);\n", ir.Contract, emitted.Vectors},
	} {
		prog, err := program.ParseProgram(ir.NewPool(), "product.rf", product+v.schedule, ir.Invalid)
		if err != nil {
			return nil, err
		}
		planned, err := plan.Factor(ctx, prog, plan.Options{Match: rfactor.Options{Allowed: v.assume}})
		if err != nil {
			return nil, err
		}
		files, err := lower.Source(planned, lower.SourceOptions{Package: "product"})
		if err != nil {
			return nil, err
		}
		main, err := peerFiles.ReadFile("peers/ours.go.txt")
		if err != nil {
			return nil, err
		}
		module := filepath.Join(dir, strings.ReplaceAll(strings.ReplaceAll(v.name, ",", ""), " ", "-"))
		if err := os.MkdirAll(filepath.Join(module, "product"), 0o777); err != nil {
			return nil, err
		}
		all := map[string][]byte{"go.mod": []byte("module peer\n\ngo 1.26.0\n"), "main.go": main}
		for name, text := range files {
			all[filepath.Join("product", name)] = text
		}
		for name, text := range all {
			if err := save.Text(filepath.Join(module, name), text); err != nil {
				return nil, err
			}
		}
		if err := emitted.Build(ctx, module, "run", v.env); err != nil {
			return nil, fmt.Errorf("%s: %w", v.name, err)
		}
		out = append(out, &racer{name: v.name, path: filepath.Join(module, "run")})
	}
	return out, nil
}
