// Package scale predicts how long pipelines take on many workers, from measured costs of shards.
//
// Simulate plays a run in which each slot takes the next shard when it is free, and Prism one on Beam's runner in this process. Costs
// are drawn from measured ones, stragglers included. Report prints what docs/scale.md says, and Compare sets a run beside its simulation.
package scale

import (
	"container/heap"
	"math"
)

// Run is what is played. All times are in seconds.
type Run struct {
	Shards []float64 // processor time of each
	Slots  int       // shards at once
	Cores  int       // which the slots share evenly; 0 means one for each slot
	Start  float64   // before the first shard
	Shard  float64   // what the engine adds to a shard, of processor time
	Finish float64   // on one core, once all shards are done
}

// Simulate is how long the run takes. Shards that are under way share the cores, so that the work that each has had is the same for all
// of them: a shard that begins when that is w ends when it is w and the shard's own work.
func (r Run) Simulate() float64 {
	cores := float64(r.Cores)
	if r.Cores == 0 {
		cores = float64(r.Slots)
	}
	var active ends
	now, had := r.Start, 0.0
	next := func() {
		end := heap.Pop(&active).(float64)
		now += (end - had) * math.Max(1, float64(len(active)+1)/cores)
		had = end
	}
	for _, s := range r.Shards {
		if len(active) == r.Slots {
			next()
		}
		heap.Push(&active, had+s+r.Shard)
	}
	for len(active) > 0 {
		next()
	}
	return now + r.Finish
}

// ends are the amounts of work at which shards end, the least first.
type ends []float64

func (e ends) Len() int           { return len(e) }
func (e ends) Less(i, j int) bool { return e[i] < e[j] }
func (e ends) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(x any)        { *e = append(*e, x.(float64)) }

// Pop takes the last one.
func (e *ends) Pop() any {
	old := *e
	x := old[len(old)-1]
	*e = old[:len(old)-1]
	return x
}

// Drawn are n costs drawn from measured ones, with their sum. They keep the measured costs' shape: the ratio of each to the mean.
func Drawn(measured []float64, n int, sum float64, draw func(n int) int) []float64 {
	out := make([]float64, n)
	total := 0.0
	for i := range out {
		out[i] = measured[draw(len(measured))]
		total += out[i]
	}
	for i := range out {
		out[i] *= sum / total
	}
	return out
}

// Growth is a fit y = a·bˣ by least squares of log y.
type Growth struct {
	Factor float64 // b
	Off    float64 // by which factor a prediction may be off: e to the standard error of log y beyond the points, at x = Beyond
	Beyond float64
	At     float64 // the prediction at Beyond
}

// Fit fits growth to points, of which there must be three at least, and predicts y at x = beyond.
func Fit(x, y []float64, beyond float64) Growth {
	n := float64(len(x))
	var mx, my float64
	for i := range x {
		mx += x[i] / n
		my += math.Log(y[i]) / n
	}
	var sxx, sxy float64
	for i := range x {
		sxx += (x[i] - mx) * (x[i] - mx)
		sxy += (x[i] - mx) * (math.Log(y[i]) - my)
	}
	slope := sxy / sxx
	rest := 0.0
	for i := range x {
		d := math.Log(y[i]) - my - slope*(x[i]-mx)
		rest += d * d
	}
	sd := math.Sqrt(rest / (n - 2) * (1 + 1/n + (beyond-mx)*(beyond-mx)/sxx))
	return Growth{Factor: math.Exp(slope), Off: math.Exp(sd), Beyond: beyond, At: math.Exp(my + slope*(beyond-mx))}
}
