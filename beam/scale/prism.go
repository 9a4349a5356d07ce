package scale

import "math"

// Prism is how long the run takes on Beam's prism runner, which begins with one bundle of all shards. It asks a bundle from time to
// time which shard it is at. If that is still the same one, the half of what is left becomes a bundle of its own, and prism asks a quarter
// as often from then on. Slots are prism's: 8 bundles at a time.
func (r Run) Prism() float64 {
	p := prism{run: r, now: r.Start, base: shortestTick, waiting: [][2]int{{0, len(r.Shards)}}}
	for {
		for len(p.waiting) > 0 && len(p.active) < prismSlots {
			b := p.waiting[0]
			p.waiting = p.waiting[1:]
			if b[0] < b[1] {
				p.active = append(p.active, &bundle{at: b[0], end: b[1], left: p.cost(b[0]), asked: -1, period: p.base, tick: p.now + p.base})
			}
		}
		if len(p.active) == 0 {
			return p.now + r.Finish
		}
		p.step()
	}
}

// Prism runs so many bundles at once, and asks a bundle for its progress at intervals between these, in seconds (Beam 2.77).
const (
	prismSlots   = 8
	shortestTick = 0.1
	longestTick  = 30.0
)

// prism is the state of a simulated run.
type prism struct {
	run     Run
	now     float64
	base    float64 // between two questions, of bundles that begin now
	waiting [][2]int
	active  []*bundle
}

// bundle is one that is under way.
type bundle struct {
	at, end int     // the shard that it does, and the one before which it ends
	left    float64 // of that shard's work
	asked   int     // which shard it was at when it was asked last
	period  float64
	tick    float64 // when it is asked next
	ticked  bool
}

func (p *prism) cost(shard int) float64 { return p.run.Shards[shard] + p.run.Shard }

// step goes on to the next shard that is done, or the next question.
func (p *prism) step() {
	rate := 1.0
	if p.run.Cores > 0 {
		rate = math.Min(1, float64(p.run.Cores)/float64(len(p.active)))
	}
	first, until, asks := p.active[0], math.Inf(1), false
	for _, b := range p.active {
		if t := p.now + b.left/rate; t < until {
			first, until, asks = b, t, false
		}
		if b.tick < until {
			first, until, asks = b, b.tick, true
		}
	}
	for _, b := range p.active {
		b.left -= (until - p.now) * rate
	}
	p.now = until
	if asks {
		p.ask(first)
		return
	}
	if first.at++; first.at < first.end {
		first.left = p.cost(first.at)
		return
	}
	for i, b := range p.active {
		if b == first {
			p.active = append(p.active[:i], p.active[i+1:]...)
			break
		}
	}
	if !first.ticked && p.base == first.period {
		p.base = math.Max(shortestTick, p.base-shortestTick)
	}
}

// ask splits a bundle that is at the same shard as before. What is left includes a half of that shard.
func (p *prism) ask(b *bundle) {
	b.ticked = true
	if b.asked == b.at {
		middle := float64(b.at) + 0.5 + 0.5*(float64(b.end-b.at)-0.5)
		split := max(b.at+1, int(math.Round(middle)))
		p.waiting = append(p.waiting, [2]int{split, b.end})
		b.end = min(b.end, split)
		p.base = math.Min(longestTick, 4*p.base)
		b.period = p.base
	}
	b.asked = b.at
	b.tick = p.now + b.period
}
