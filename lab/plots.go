package lab

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/rfactor-go/rfactor/ir/program"
)

// figure is a plot as SVG.
type figure struct {
	name, title string
	svg         []byte
	points      []point
}

// figures draws all plots that there are results for.
func (s *Summary) figures() (out []figure, err error) {
	for _, f := range []struct {
		name, title string
		draw        func(*labelled) (drawn bool, err error)
	}{
		{"coverage", "Answered updates by corpus and matcher", s.drawCoverage},
		{"scrambles", "Answered spellings by depth of scrambling", s.drawScrambles},
		{"times", "Time of a match", s.drawTimes},
		{"growth", "Saturation growth", s.drawGrowth},
		{"effort", "Answered updates by effort", s.drawEfforts},
	} {
		p := &labelled{Plot: plot.New()}
		p.Title.Text = f.title
		p.Add(plotter.NewGrid())
		drawn, err := f.draw(p)
		if err != nil {
			return nil, fmt.Errorf("plot %s: %w", f.name, err)
		}
		if !drawn {
			continue
		}
		c := vgsvg.NewWith(vgsvg.UseWH(plotWidth, plotHeight))
		p.drawBeside(draw.New(c))
		var b bytes.Buffer
		if _, err := c.WriteTo(&b); err != nil {
			return nil, err
		}
		out = append(out, figure{f.name, f.title, s.commented(b.Bytes()), p.points})
	}
	return out, nil
}

const plotWidth, plotHeight = 21 * vg.Centimeter, 11 * vg.Centimeter

// point is a point of a plot that leads to its updates, in points of the canvas from its left and upper edge.
type point struct {
	X, Y          float64
	Says, Filter  string // what it stands for, and the filter of the table
	Table         string // that it leads to; "" means that of updates
	value, height float64
}

// labelled is a plot whose curves have their names to the right of it, each at the height where it ends.
type labelled struct {
	*plot.Plot
	ends   []end
	points []point
}

// end is where a curve ends, in the unit of the vertical axis.
type end struct {
	name   string
	colour color.Color
	y      float64
}

// drawBeside draws a plot with its names to the right of it: browsers have other fonts than those that names are
// measured in, so that a name that ends at an edge, or stands over curves, may not fit.
func (p *labelled) drawBeside(c draw.Canvas) {
	const space, edge = 5 * vg.Centimeter, 2 * vg.Millimeter
	inner := draw.Crop(c, edge, -space, edge, -edge)
	p.Draw(inner)
	p.place(p.DataCanvas(inner))
	if len(p.ends) == 0 {
		return
	}
	data := p.DataCanvas(inner)
	_, height := p.Transforms(&data)
	p.drawEnds(c, c.Max.X-space+vg.Points(4), height)
}

// place finds where points lie on the canvas.
func (p *labelled) place(data draw.Canvas) {
	x, y := p.Transforms(&data)
	for i := range p.points {
		at := &p.points[i]
		at.X = x(at.value).Points()
		at.Y = (plotHeight - y(at.height)).Points()
	}
}

// drawEnds names curves from the top, each at the height where it ends or below the name before it. Names that
// would be below the plot are moved up together.
func (p *labelled) drawEnds(c draw.Canvas, x vg.Length, height func(float64) vg.Length) {
	const gap = vg.Length(12)
	slices.SortStableFunc(p.ends, func(a, b end) int { return cmp.Compare(b.y, a.y) })
	at := make([]vg.Length, len(p.ends))
	for i, e := range p.ends {
		at[i] = height(e.y)
		if i > 0 {
			at[i] = min(at[i], at[i-1]-gap)
		}
	}
	if last := len(at) - 1; at[last] < c.Min.Y+gap {
		up := c.Min.Y + gap - at[last]
		for i := range at {
			at[i] = min(at[i]+up, c.Max.Y-vg.Length(gap*vg.Length(i+1)))
		}
	}
	for i, e := range p.ends {
		c.StrokeLine2(draw.LineStyle{Color: e.colour, Width: vg.Points(2)}, x, at[i], x+vg.Points(10), at[i])
		style := p.Y.Tick.Label
		style.XAlign, style.YAlign = draw.XLeft, draw.YCenter
		c.FillText(style, vg.Point{X: x + vg.Points(14), Y: at[i]}, e.name)
	}
}

// ending names a curve by its last point.
func (p *labelled) ending(name string, colour color.Color, points plotter.XYs) {
	p.ends = append(p.ends, end{name, colour, points[len(points)-1].Y})
}

// commented puts the head of the run into an SVG.
func (s *Summary) commented(svg []byte) []byte {
	text := strings.ReplaceAll(strings.Join(s.lines(), "\n"), "--", "- -")
	return bytes.Replace(svg, []byte("<svg "), []byte("<!--\n"+text+"\n-->\n<svg "), 1)
}

func (s *Summary) drawCoverage(p *labelled) (bool, error) {
	p.Y.Label.Text, p.Y.Min, p.Y.Max = "answered %", 0, 100
	var names []string
	for _, c := range s.corpora {
		names = append(names, strings.TrimSuffix(c.name, ".tsv"))
	}
	for i, m := range s.e.Matchers {
		values, total := make([]int, len(s.corpora)), make([]int, len(s.corpora))
		s.updates(m, func(c *corpus, _ *program.CorpusLine, v *Verdict) {
			at := slices.IndexFunc(s.corpora, func(o corpus) bool { return o.name == c.name })
			total[at]++
			if v.answered() {
				values[at]++
			}
		})
		points := make(plotter.XYs, len(values))
		for at, n := range total {
			points[at] = plotter.XY{X: float64(at), Y: percent(values[at], n)}
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return false, err
		}
		line.Color, dots.Color, dots.Shape = shade(i), shade(i), plotutil.Shape(i)
		p.Add(line, dots)
		p.ending(m, shade(i), points)
		for at, c := range s.corpora {
			p.points = append(p.points, point{
				Says:   fmt.Sprintf("%s, %s: %.1f %% answered", names[at], m, points[at].Y),
				Filter: "corpus==" + c.name + " answered-by==" + m,
				value:  points[at].X, height: points[at].Y,
			})
		}
	}
	p.NominalX(names...)
	return true, nil
}

// shade is a colour for each of some series, told apart by people who see fewer colours, too.
func shade(i int) color.Color {
	all := []color.RGBA{{0x99, 0x99, 0x99, 255}, {0xe6, 0x9f, 0, 255}, {0x56, 0xb4, 0xe9, 255}, {0, 0x9e, 0x73, 255}, {0xf0, 0xe4, 0x42, 255}, {0, 0x72, 0xb2, 255}, {0xd5, 0x5e, 0, 255}, {0xcc, 0x79, 0xa7, 255}, {0, 0, 0, 255}}
	return all[i%len(all)]
}

func (s *Summary) drawScrambles(p *labelled) (bool, error) {
	p.X.Label.Text, p.Y.Label.Text, p.Y.Min, p.Y.Max = "random equivalences applied", "answered %", 0, 100
	of := s.spellings(false)
	if len(of) == 0 {
		return false, nil
	}
	for i, m := range s.e.Scrambles.Matchers {
		var points plotter.XYs
		var errs plotter.YErrors
		for _, k := range of {
			if k.matcher == m {
				mean, half := confidence(k.rates)
				points = append(points, plotter.XY{X: float64(k.depth), Y: mean})
				errs = append(errs, struct{ Low, High float64 }{min(half, mean), min(half, 100-mean)})
				if mean < 100 {
					p.points = append(p.points, point{
						Says:  fmt.Sprintf("%s, depth %d: %.1f ± %.1f %% answered, and these are not", m, k.depth, mean, half),
						Table: lostSpellings, Filter: fmt.Sprintf("matcher==%s depth==%d", m, k.depth),
						value: float64(k.depth), height: mean,
					})
				}
			}
		}
		if len(points) == 0 {
			continue
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return false, err
		}
		bars, err := plotter.NewYErrorBars(struct {
			plotter.XYer
			plotter.YErrorer
		}{points, errs})
		if err != nil {
			return false, err
		}
		line.Color, dots.Color, bars.Color, dots.Shape = shade(i+1), shade(i+1), shade(i+1), plotutil.Shape(i)
		p.Add(line, dots, bars)
		p.ending(m, shade(i+1), points)
	}
	return true, nil
}

// drawTimes draws a curve for each matcher: the share of updates whose match takes at most a given time.
func (s *Summary) drawTimes(p *labelled) (bool, error) {
	p.X.Label.Text, p.Y.Label.Text = "µs, median of repeated runs (logarithmic, not from 0)", "% of updates"
	p.Y.Min, p.Y.Max = 0, 100
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	drawn := false
	for i, m := range s.e.Matchers {
		var ts []float64
		s.updates(m, func(_ *corpus, _ *program.CorpusLine, v *Verdict) { ts = append(ts, max(v.Micros, 0.1)) })
		if len(ts) == 0 {
			continue
		}
		slices.Sort(ts)
		var points plotter.XYs
		for q := range 201 {
			points = append(points, plotter.XY{X: quantile(ts, float64(q)/200), Y: float64(q) / 2})
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return false, err
		}
		line.Color, line.Width = shade(i), vg.Points(1.5)
		p.Add(line)
		p.ending(m, shade(i), points)
		every := 40 // of the reference a point at each tenth, of the others at each fifth
		if m == s.e.Reference {
			every = 20
		}
		p.points = append(p.points, quantiles(m, timeColumn(s.e, m), points, every)...)
		drawn = true
	}
	p.X.Min, p.X.Max = math.Pow(10, math.Floor(math.Log10(p.X.Min))), math.Pow(10, math.Ceil(math.Log10(p.X.Max)))
	return drawn, nil
}

// quantiles are points of a matcher's curve of times, from the fastest updates to the slowest. Column is where the table has its times.
func quantiles(matcher, column string, curve plotter.XYs, every int) (out []point) {
	for q := every; q < len(curve); q += every {
		at := curve[q]
		out = append(out, point{
			Says:   fmt.Sprintf("%s: %.0f %% take at most %.4g µs", matcher, at.Y, at.X),
			Filter: fmt.Sprintf("%s<=%.4g", filtered(column), at.X), // rounded as in the table
			value:  at.X, height: at.Y,
		})
	}
	return out
}

var quantileNames = []string{"median", "p90", "p99"}

// drawGrowth draws the sizes of e-graphs after each iteration.
func (s *Summary) drawGrowth(p *labelled) (bool, error) {
	p.X.Label.Text, p.Y.Label.Text = "iteration", "nodes of e-graphs that came so far"
	p.Y.Min = 0
	var at [][]float64
	s.updates(s.e.Reference+watched, func(_ *corpus, _ *program.CorpusLine, v *Verdict) {
		for _, sat := range v.Seen.Saturations {
			for i, g := range sat.Growth {
				if i == len(at) {
					at = append(at, nil)
				}
				at[i] = append(at[i], float64(g.Nodes))
			}
		}
	})
	if len(at) == 0 {
		return false, nil
	}
	for n, q := range []float64{0.5, 0.9, 0.99} {
		var points plotter.XYs
		for i, sizes := range at {
			slices.Sort(sizes)
			nodes := quantile(sizes, q)
			points = append(points, plotter.XY{X: float64(i + 1), Y: nodes})
			p.points = append(p.points, point{
				Says:  fmt.Sprintf("%s after iteration %d: %.0f nodes", quantileNames[n], i+1, nodes),
				Table: saturationTable, Filter: fmt.Sprintf("iterations>=%d nodes>=%v", i+1, nodes),
				value: float64(i + 1), height: nodes,
			})
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return false, err
		}
		line.Color, dots.Color = shade(n+1), shade(n+1)
		p.Add(line, dots)
		p.ending(quantileNames[n], shade(n+1), points)
	}
	return true, nil
}

func (s *Summary) drawEfforts(p *labelled) (bool, error) {
	p.X.Label.Text, p.Y.Label.Text = "effort: ms of a 2-core x86-64 server (logarithmic, not from 0)", "answered %"
	p.Y.Min, p.Y.Max = 0, 100
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	var points plotter.XYs
	for _, c := range s.e.swept() {
		n, answered := 0, 0
		s.updates(c.name, func(_ *corpus, _ *program.CorpusLine, v *Verdict) {
			n++
			if v.answered() {
				answered++
			}
		})
		if c.group == byEffort && n > 0 {
			points = append(points, plotter.XY{X: float64(c.value), Y: percent(answered, n)})
			p.points = append(p.points, point{
				Says:   fmt.Sprintf("effort %d: %.1f %% answered", c.value, percent(answered, n)),
				Filter: fmt.Sprintf("answered-at-effort==%d", c.value),
				value:  float64(c.value), height: percent(answered, n),
			})
		}
	}
	if len(points) < 2 {
		return false, nil
	}
	slices.SortFunc(points, func(a, b plotter.XY) int { return int(a.X - b.X) })
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return false, err
	}
	p.Add(line, dots)
	return true, nil
}
