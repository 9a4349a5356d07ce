package lab

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/internal/identity"
	"github.com/rfactor-go/rfactor/internal/study"
)

// Names of the files of a run.
const (
	resultsFile = "results.jsonl"
	reportFile  = "report.html"
)

// Head is the first line of results.jsonl: what the run was, and where. All outputs repeat it.
type Head struct {
	Schema     string            `json:"schema"`
	Name       string            `json:"name"`
	Seed       uint64            `json:"seed"`
	Version    string            `json:"version"`
	Rules      string            `json:"rules"`  // a digest of them
	Tables     string            `json:"tables"` // a digest of them
	Corpora    map[string]string `json:"corpora"`
	Additions  map[string]string `json:"additions,omitempty"` // digests of rules and tables of one's own
	Machine    string            `json:"machine"`
	Load       string            `json:"load,omitempty"` // the load of the machine when the run began
	Workers    int               `json:"workers"`
	Command    string            `json:"command"`
	Begun      time.Time         `json:"begun"`
	Experiment json.RawMessage   `json:"experiment"`
}

// Record is one match. A name in a corpus and the key of a Record say which.
type Record struct {
	Key
	Repeat  int     `json:"repeat,omitempty"`
	Status  string  `json:"status"` // associative, lifted, staged, refused; error, where an invariant of the matcher is broken
	Via     string  `json:"via,omitempty"`
	Assumes string  `json:"assumes,omitempty"`
	Micros  float64 `json:"micros"`
	Effort  float64 `json:"effort"` // counted
	Code    string  `json:"code,omitempty"`
	Reason  string  `json:"reason,omitempty"`
	Text    string  `json:"text,omitempty"` // of a scrambled update that is not answered
	Seen    *Seen   `json:"seen,omitempty"`
}

// Key says what was matched, and how.
type Key struct {
	Config string `json:"config"`
	Corpus string `json:"corpus"`
	Name   string `json:"name"`
	Depth  int    `json:"depth,omitempty"` // of scrambling
	Seed   uint64 `json:"seed,omitempty"`  // of scrambling; 0 means the update as it stands
}

// Seen is what was watched of a match.
type Seen struct {
	Saturations []study.Saturation `json:"saturations,omitempty"`
	Stages      []StageTime        `json:"stages,omitempty"`
}

// StageTime is what the runs of a stage took together.
type StageTime struct {
	Name   string  `json:"name"`
	Runs   int     `json:"runs"`
	Found  bool    `json:"found,omitempty"`
	Micros float64 `json:"micros"`
	Effort float64 `json:"effort"`
}

// answered reports whether the record is of an update that has an operator: on states, on parameters, or one for
// each of several passes.
func (r *Record) answered() bool { return rank[r.Status] > 0 }

// newHead describes a run that begins now.
func newHead(e *Experiment, corpora []corpus, workers int, command string) Head {
	h := Head{Schema: Schema, Name: e.Name, Seed: e.Seed, Version: identity.This().Short(), Rules: identity.Rules(), Tables: identity.Tables(), Corpora: map[string]string{},
		Machine: machine(), Workers: workers, Command: command, Begun: time.Now().UTC().Truncate(time.Second), Experiment: json.RawMessage(e.text())}
	for _, c := range corpora {
		h.Corpora[c.name] = c.digest
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		h.Load, _, _ = strings.Cut(string(load), " ")
	}
	return h
}

// differs says what of an experiment has changed since a run; "" where nothing that matters has.
func (h *Head) differs(from *Head) string {
	switch {
	case string(h.Experiment) != string(from.Experiment):
		return "the experiment"
	case h.Rules != from.Rules:
		return "the rules"
	case h.Tables != from.Tables:
		return "the tables"
	case fmt.Sprint(h.Corpora) != fmt.Sprint(from.Corpora):
		return "a corpus"
	case fmt.Sprint(h.Additions) != fmt.Sprint(from.Additions):
		return "a rule or a table of an addition"
	}
	return ""
}

// lines says what a run was, for people, a line each.
func (h *Head) lines() []string {
	return []string{
		fmt.Sprintf("experiment %s, seed %d", h.Name, h.Seed),
		fmt.Sprintf("rfactor %s, digest %s", h.Version, identity.Digest(h.Rules, h.Tables)),
		fmt.Sprintf("%s, load %s when it began, %d workers, begun %s", h.Machine, h.Load, h.Workers, h.Begun.Format(time.RFC3339)),
		h.Command,
	}
}

func machine() string {
	name := ""
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, ok := strings.Cut(string(text), "model name\t: "); ok {
			name, _, _ = strings.Cut(rest, "\n")
			name = ", " + name
		}
	}
	return fmt.Sprintf("%s/%s, %d processors%s, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), name, runtime.Version())
}

// Results are what a directory has of a run.
type Results struct {
	Head    Head
	Records []Record
	whole   int64 // bytes of whole lines
}

// ReadResults reads the results of a directory. A last line that was cut off, because the run was killed
// in the middle of it, is no error and no record.
func ReadResults(dir string) (*Results, error) {
	f, err := os.Open(filepath.Join(dir, resultsFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() { // a device may have no end
		return nil, cmp.Or(err, fmt.Errorf("%s: %w: this is no regular file", f.Name(), fs.ErrNotExist))
	}
	r := &Results{}
	in := bufio.NewReaderSize(f, 1<<20)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if n == 1 {
				return nil, fmt.Errorf("%s: there is no first line, and so no run", f.Name())
			}
			return r, nil
		}
		if err != nil {
			return nil, err
		}
		if n == 1 {
			if err := json.Unmarshal(line, &r.Head); err != nil || r.Head.Schema != Schema {
				return nil, fmt.Errorf("%s:1: this is not the head of a run with the schema %s", f.Name(), Schema)
			}
		} else {
			var rec Record
			if err := json.Unmarshal(line, &rec); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", f.Name(), n, err)
			}
			r.Records = append(r.Records, rec)
		}
		r.whole += int64(len(line))
	}
}
