package gocode

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/rfactor-go/rfactor/golang"
)

// leastShare is the part of the time of a profile from which on a loop is hot: one in a hundred.
const leastShare = 100

// hotLoops notes the time that a program spent in each loop, and in what it called, by a profile of processor time. It returns the loops with one
// per cent of the time or more, the longest first, and the time of the profile. Files are known by their paths or, in programs built
// with -trimpath, by the path of their package.
func (s *survey) hotLoops(name string) (hot []*golang.Finding, total int64, err error) {
	p, at, err := readTimes(name)
	if err != nil {
		return nil, 0, err
	}
	inFile := map[string][]*golang.Finding{}
	for _, f := range s.Findings {
		full, err := filepath.Abs(f.Pos.Filename)
		if err != nil {
			return nil, 0, err
		}
		for _, name := range []string{full, path.Join(s.paths[f], filepath.Base(full))} {
			inFile[name] = append(inFile[name], f)
		}
	}
	for _, sample := range p.Sample {
		total += sample.Value[at]
		seen := map[*golang.Finding]bool{}
		for _, location := range sample.Location {
			for _, line := range location.Line {
				if line.Function == nil {
					continue
				}
				for _, f := range inFile[line.Function.Filename] {
					if n := int(line.Line); f.Pos.Line <= n && n <= f.EndLine && !seen[f] {
						seen[f] = true
						f.Time += sample.Value[at]
					}
				}
			}
		}
	}
	for _, f := range s.Findings {
		if f.Time > 0 && f.Time >= total/leastShare {
			hot = append(hot, f)
		}
	}
	slices.SortStableFunc(hot, func(a, b *golang.Finding) int { return int(min(max(b.Time-a.Time, -1), 1)) })
	return hot, total, nil
}

// readTimes reads a profile, and says which of the values of a sample is a time in nanoseconds.
func readTimes(name string) (p *profile.Profile, at int, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	if p, err = profile.Parse(file); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	at = slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == "cpu" && t.Unit == "nanoseconds" })
	if at < 0 {
		return nil, 0, fmt.Errorf("%s is no profile of processor time, as go test -cpuprofile writes", name)
	}
	return p, at, nil
}

// share writes a part of the time of a profile.
func share(f *golang.Finding, total int64) string {
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f%% of the time: ", 100*float64(f.Time)/float64(total))
}
