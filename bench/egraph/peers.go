package egraph

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
)

// Peers compares package egraph with other engines.
var Peers = &command.Command{
	Name:  "engine-peers",
	About: "measures package egraph beside other engines: their times from a file, or their programs by turns",
	Doc: `A file has lines of peer, workload and seconds; the times of a peer are scaled to this machine by the three calibration loops,
whose times on the peer's machine the file must have. With -sources each folder of DIR that has an executable called run is a peer,
and is run by turns with us in fresh processes: run WORKLOAD RULES TERMS ITERATIONS (0: to saturation) prints the seconds that it
took, and how many nodes and classes it has then, which must be as many as we have. ours_ms and peer_ms are the best of the rounds,
ratio is ours_ms over peer_ms: below 1 we are faster.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		file := f.String("file", "bench/egraph/peers.tsv", "read what peers took from this `TSV`")
		sources := f.String("sources", "", "run the peers of this `DIR`, not those of the file")
		rounds := f.Int("rounds", 5, "how often each workload is run")
		threads := f.Int("threads", 1, threadsUsage)
		only := f.String("only", "", "comma-separated names of the workloads to run; empty for all that a peer has")
		return func(c *command.Call) error {
			if *rounds < 1 || *threads < 1 {
				return command.Usage("-rounds or -threads is less than 1")
			}
			p := peers{c: c, rounds: *rounds, threads: *threads, only: *only}
			fmt.Fprintln(c.Stdout, "peer\thow\tworkload\tours_ms\tpeer_ms\tratio")
			if *sources != "" {
				return p.byTurns(*sources)
			}
			return p.scaled(*file)
		}
	},
}

type peers struct {
	c       *command.Call
	rounds  int
	threads int
	only    string
}

// workload returns the joint workload of this name that is to be measured; nil for none.
func (p *peers) workload(name string) *workload {
	i := slices.IndexFunc(list, func(w workload) bool { return w.name == name && !w.each && w.kind == whole })
	if i < 0 || p.only != "" && !slices.Contains(strings.Split(p.only, ","), name) {
		return nil
	}
	return &list[i]
}

func (p *peers) row(peer, how, workload string, ours, theirs time.Duration) {
	fmt.Fprintf(p.c.Stdout, "%s\t%s\t%s\t%s\t%s\t%.2f\n", peer, how, workload, millis(ours), millis(theirs), ours.Seconds()/theirs.Seconds())
}

// ours measures a workload in fresh processes and returns the best.
func (p *peers) ours(name string) (best result, err error) {
	for i := range p.rounds {
		r, err := spawn(name, false, p.threads, p.c.Stderr, "-once")
		if err != nil {
			return r, err
		}
		if i == 0 || r.time() < best.time() {
			best = r
		}
	}
	return best, nil
}

// A peerTime is a line of the file.
type peerTime struct {
	peer, row string
	took      time.Duration
}

func readPeers(text string) (times []peerTime, err error) {
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 3 {
			return nil, fmt.Errorf("line %d: %d columns, want peer, workload and seconds", i+1, len(cells))
		}
		seconds, err := strconv.ParseFloat(cells[2], 64)
		if err != nil || !(seconds > 0) || math.IsInf(seconds, 0) {
			return nil, fmt.Errorf("line %d: %q is no time in seconds", i+1, cells[2])
		}
		times = append(times, peerTime{cells[0], cells[1], time.Duration(seconds * float64(time.Second))})
	}
	return times, nil
}

// scaleOf returns by what times of a peer are multiplied on a machine on which the calibration loops
// take what here says: the geometric mean of the three ratios. It is an error if one is missing.
func scaleOf(peer string, times []peerTime, here []time.Duration) (float64, error) {
	product := 1.0
	for i, c := range calibrations {
		at := slices.IndexFunc(times, func(t peerTime) bool { return t.peer == peer && t.row == c.name })
		if at < 0 {
			return 0, fmt.Errorf("%s: there is no time of %s, by which the others are scaled", peer, c.name)
		}
		product *= here[i].Seconds() / times[at].took.Seconds()
	}
	return math.Pow(product, 1/float64(len(calibrations))), nil
}

func (p *peers) scaled(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	times, err := readPeers(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var here []time.Duration
	for _, c := range calibrations {
		r, err := spawn(c.name, false, 1, p.c.Stderr)
		if err != nil {
			return err
		}
		here = append(here, r.time())
	}
	for _, t := range times {
		w := p.workload(t.row)
		if w == nil {
			continue
		}
		scale, err := scaleOf(t.peer, times, here)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		r, err := p.ours(w.name)
		if err != nil {
			return err
		}
		p.row(t.peer, "scaled", w.name, r.time(), time.Duration(float64(t.took)*scale))
	}
	return nil
}

func (p *peers) byTurns(dir string) error {
	programs, err := filepath.Glob(filepath.Join(dir, "*", "run"))
	if err != nil {
		return err
	}
	if len(programs) == 0 {
		return fmt.Errorf("%s: no folder in it has a program run", dir)
	}
	for _, program := range programs {
		for i := range list {
			w := p.workload(list[i].name)
			if w == nil {
				continue
			}
			var ours, theirs time.Duration
			for round := range p.rounds {
				r, err := spawn(w.name, false, p.threads, p.c.Stderr, "-once")
				if err != nil {
					return err
				}
				took, err := runPeer(p.c.Context, program, w, r)
				if err != nil {
					return fmt.Errorf("%s %s: %w", program, w.name, err)
				}
				if round == 0 || r.time() < ours {
					ours = r.time()
				}
				if round == 0 || took < theirs {
					theirs = took
				}
			}
			p.row(filepath.Base(filepath.Dir(program)), "by turns", w.name, ours, theirs)
		}
	}
	return nil
}

// runPeer runs a workload by a peer's program and returns the time that it names. It is an error if its counts
// are not ours.
func runPeer(ctx context.Context, program string, w *workload, ours result) (time.Duration, error) {
	const folder = "testdata/egraph-workloads"
	rules, err := filepath.Abs(filepath.Join(folder, w.rules+".rules"))
	if err != nil {
		return 0, err
	}
	program, err = filepath.Abs(program)
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, program, w.name, rules, filepath.Join(filepath.Dir(rules), w.terms+".terms"), strconv.Itoa(w.iterations))
	cmd.Dir = filepath.Dir(program)
	out, err := cmd.Output()
	if err != nil {
		return 0, err
	}
	var seconds float64
	var nodes, classes int
	if _, err := fmt.Sscan(string(out), &seconds, &nodes, &classes); err != nil {
		return 0, fmt.Errorf("it prints %q, want seconds, nodes and classes", out)
	}
	if nodes != ours.nodes || classes != ours.classes {
		return 0, fmt.Errorf("it has %d nodes and %d classes, we have %d and %d", nodes, classes, ours.nodes, ours.classes)
	}
	if !(seconds > 0) {
		return 0, errors.New("it took no time")
	}
	return time.Duration(seconds * float64(time.Second)), nil
}
