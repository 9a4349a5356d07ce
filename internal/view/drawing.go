package view

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// A Drawing is boxes with arrows between them, drawn in layers from the top: an arrow leads downward, unless arrows
// make a circle. Boxes are numbered as they stand in the slice.
type Drawing struct {
	Boxes  []Box
	Arrows []Arrow
}

// A Box has cells side by side, each with lines of text.
type Box struct {
	Cells [][]string
	Look  Look
}

// Look says what a box stands for.
type Look string

// The looks of boxes. Plain ones are neither.
const (
	Plain Look = ""
	Root  Look = "root" // what was asked about
	Part  Look = "part" // what was found
)

// An Arrow leads from a cell of a box to a box.
type Arrow struct {
	From, Cell, To int
	Dashed         bool // without a head
}

// Measures in pixels: a character of the monospaced text, a line of it, the space within cells, and between boxes.
const (
	charWidth  = 7.3
	lineHeight = 17.0
	padding    = 7.0
	between    = 18.0
	layerSpace = 38.0
)

// item is what has a place in a layer: a box, or a bend of a long arrow.
type item struct {
	box           int // -1 of a bend
	width, height float64
	x, y          float64 // of the middle, and of the top
	above, below  []*item
}

// arrangement is a drawing with places.
type arrangement struct {
	*Drawing
	boxes  []*item
	layers [][]*item
	routes [][]*item // of each arrow: the items that it passes, from the upper to the lower; nil of a loop
	back   []bool    // arrows that lead upward
}

// SVG draws d. Equal drawings give equal bytes.
func (d *Drawing) SVG() []byte {
	l := &arrangement{Drawing: d, routes: make([][]*item, len(d.Arrows))}
	l.measure()
	l.rank()
	for _, layer := range l.layers {
		spread(layer)
	}
	for range 8 {
		l.order(1, func(i *item) []*item { return i.above })
		l.order(-1, func(i *item) []*item { return i.below })
	}
	l.place()
	return l.emit()
}

// measure gives each box its size.
func (l *arrangement) measure() {
	for i, b := range l.Boxes {
		box := &item{box: i}
		for _, cell := range b.Cells {
			box.width += cellWidth(cell)
			box.height = max(box.height, float64(float64(len(cell))*lineHeight)+2*padding)
		}
		l.boxes = append(l.boxes, box)
	}
}

func cellWidth(lines []string) (w float64) {
	for _, line := range lines {
		w = max(w, float64(utf8.RuneCountInString(line))*charWidth)
	}
	return w + 2*padding
}

// rank puts boxes into layers, each below all boxes with arrows to it, and gives long arrows bends.
func (l *arrangement) rank() {
	l.findCircles()
	layer := make([]int, len(l.boxes))
	for changed := true; changed; {
		changed = false
		for i, a := range l.Arrows {
			if from, to := l.ends(i); a.From != a.To && layer[to] <= layer[from] {
				layer[to], changed = layer[from]+1, true
			}
		}
	}
	for i, box := range l.boxes {
		for len(l.layers) <= layer[i] {
			l.layers = append(l.layers, nil)
		}
		l.layers[layer[i]] = append(l.layers[layer[i]], box)
	}
	for i, a := range l.Arrows {
		if a.From == a.To {
			continue
		}
		from, to := l.ends(i)
		route := []*item{l.boxes[from]}
		for n := layer[from] + 1; n < layer[to]; n++ {
			bend := &item{box: -1, width: 4}
			l.layers[n] = append(l.layers[n], bend)
			route = append(route, bend)
		}
		l.routes[i] = append(route, l.boxes[to])
		for n, lower := range l.routes[i][1:] {
			upper := l.routes[i][n]
			upper.below, lower.above = append(upper.below, lower), append(lower.above, upper)
		}
	}
}

// ends are the upper and the lower box of an arrow.
func (l *arrangement) ends(i int) (upper, lower int) {
	if l.back[i] {
		return l.Arrows[i].To, l.Arrows[i].From
	}
	return l.Arrows[i].From, l.Arrows[i].To
}

// findCircles turns arrows around that close a circle, in the order in which a walk from the first box meets them.
func (l *arrangement) findCircles() {
	l.back = make([]bool, len(l.Arrows))
	const open, done = 1, 2
	state := make([]int, len(l.boxes))
	var visit func(b int)
	visit = func(b int) {
		state[b] = open
		for i, a := range l.Arrows {
			switch {
			case a.From != b || a.To == b:
			case state[a.To] == open:
				l.back[i] = true
			case state[a.To] != done:
				visit(a.To)
			}
		}
		state[b] = done
	}
	for b := range l.boxes {
		if state[b] == 0 {
			visit(b)
		}
	}
}

// order sorts the layers, from the top or from the bottom, by where the neighbours of their items are.
func (l *arrangement) order(step int, neighbours func(*item) []*item) {
	for i := range l.layers {
		if step < 0 {
			i = len(l.layers) - 1 - i
		}
		layer := l.layers[i]
		middle := map[*item]float64{}
		for _, it := range layer {
			middle[it] = mean(neighbours(it), it.x)
		}
		slices.SortStableFunc(layer, func(a, b *item) int { return cmp.Compare(middle[a], middle[b]) })
		spread(layer)
	}
}

// spread puts the items of a layer side by side, in places from 0 to 1.
func spread(layer []*item) {
	for n, it := range layer {
		it.x = float64(n) / float64(len(layer))
	}
}

// mean returns the average x of some items, or the value of otherwise where there are none.
func mean(items []*item, otherwise float64) float64 {
	if len(items) == 0 {
		return otherwise
	}
	sum := 0.0
	for _, it := range items {
		sum += it.x
	}
	return sum / float64(len(items))
}

// place gives items coordinates: near their neighbours, in the order of their layer, and without overlaps.
func (l *arrangement) place() {
	y := between
	for _, layer := range l.layers {
		height, x := 0.0, 0.0
		for _, it := range layer {
			it.y, it.x = y, x+float64(it.width/2)
			x += it.width + between
			height = max(height, it.height)
		}
		y += height + layerSpace
	}
	for range 12 {
		for _, layer := range l.layers {
			settle(layer, func(i *item) []*item { return i.above })
		}
		for _, layer := range slices.Backward(l.layers) {
			settle(layer, func(i *item) []*item { return i.below })
		}
	}
	left := math.Inf(1)
	for _, layer := range l.layers {
		left = min(left, layer[0].x-float64(layer[0].width/2))
	}
	for _, layer := range l.layers {
		for _, it := range layer {
			it.x += between - left
		}
	}
}

// settle moves the items of a layer toward their neighbours, as far as there is room, and all of them so that
// none is pulled to a side more than others are pulled back.
func settle(layer []*item, neighbours func(*item) []*item) {
	pull, end := 0.0, 0.0
	for n, it := range layer {
		wanted := mean(neighbours(it), it.x)
		it.x = wanted
		if least := end + float64(it.width/2); n > 0 && it.x < least {
			it.x = least
		}
		pull += wanted - it.x
		end = it.x + float64(it.width/2) + between
	}
	for _, it := range layer {
		it.x += pull / float64(len(layer))
	}
}

// drawingStyle follows the reader's choice of light or dark, as the page around it does.
const drawingStyle = `svg{color-scheme:light dark}text{font:12px ui-monospace,"DejaVu Sans Mono",Menlo,monospace;fill:light-dark(#1c1f24,#dcdfe4)}` +
	`rect{fill:light-dark(#f4f5f7,#1d2026);stroke:#888}.back{fill:light-dark(#fff,#14161a);stroke:none}.root rect{fill:light-dark(#cfe4ff,#1d3a5f)}.part rect{fill:light-dark(#ffe9a8,#574400)}` +
	`path{fill:none;stroke:#888}.dashed{stroke-dasharray:4 3}marker path{fill:#888}`

func (l *arrangement) emit() []byte {
	width, height := 0.0, 0.0
	for _, layer := range l.layers {
		for _, it := range layer {
			width, height = max(width, it.x+float64(it.width/2)+between), max(height, it.y+it.height+between)
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n<style>%s</style>\n", width, height, width, height, drawingStyle)
	fmt.Fprint(&b, "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n")
	fmt.Fprintf(&b, "<rect class=\"back\" width=\"%.0f\" height=\"%.0f\"/>\n", width, height)
	for i, a := range l.Arrows {
		if l.routes[i] == nil {
			continue // a loop: the text of the cell names its own box
		}
		look := ` marker-end="url(#head)"`
		if a.Dashed {
			look = ` class="dashed"`
		}
		fmt.Fprintf(&b, "<path d=\"%s\"%s/>\n", l.curve(i), look)
	}
	for i, box := range l.boxes {
		l.emitBox(&b, i, box)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// curve is the path of an arrow: from the bottom of its cell to the top of its box, or the other way round.
func (l *arrangement) curve(i int) string {
	type point struct{ x, y float64 }
	a, route := l.Arrows[i], l.routes[i]
	first, last := route[0], route[len(route)-1]
	var points []point
	if l.back[i] {
		points = append(points, point{first.x, first.y + first.height})
	} else {
		points = append(points, point{l.cellMiddle(a.From, a.Cell), first.y + first.height})
	}
	for _, bend := range route[1 : len(route)-1] {
		points = append(points, point{bend.x, bend.y}, point{bend.x, bend.y + l.layerHeight(bend)})
	}
	if l.back[i] {
		points = append(points, point{l.cellMiddle(a.From, a.Cell), last.y})
		slices.Reverse(points)
	} else {
		points = append(points, point{last.x, last.y})
	}
	path := fmt.Sprintf("M%.1f %.1f", points[0].x, points[0].y)
	for n, p := range points[1:] {
		middle := (points[n].y + p.y) / 2
		path += fmt.Sprintf("C%.1f %.1f %.1f %.1f %.1f %.1f", points[n].x, middle, p.x, middle, p.x, p.y)
	}
	return path
}

// layerHeight is the height of the layer that an item is in.
func (l *arrangement) layerHeight(of *item) (height float64) {
	for _, layer := range l.layers {
		if slices.Contains(layer, of) {
			for _, it := range layer {
				height = max(height, it.height)
			}
		}
	}
	return height
}

// cellMiddle is where the middle of a cell is.
func (l *arrangement) cellMiddle(box, cell int) float64 {
	x := l.boxes[box].x - float64(l.boxes[box].width/2)
	for _, before := range l.Boxes[box].Cells[:cell] {
		x += cellWidth(before)
	}
	return x + float64(cellWidth(l.Boxes[box].Cells[cell])/2)
}

func (l *arrangement) emitBox(b *bytes.Buffer, i int, box *item) {
	class := ""
	if look := l.Boxes[i].Look; look != Plain {
		class = fmt.Sprintf(" class=%q", look)
	}
	left := box.x - float64(box.width/2)
	fmt.Fprintf(b, "<g%s><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\"/>", class, left, box.y, box.width, box.height)
	for n, cell := range l.Boxes[i].Cells {
		if n > 0 {
			fmt.Fprintf(b, "<path d=\"M%.1f %.1fv%.1f\"/>", left, box.y, box.height)
		}
		for line, text := range cell {
			fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\">%s</text>", left+padding, box.y+padding+float64(float64(line)*lineHeight)+12, escape.Replace(text))
		}
		left += cellWidth(cell)
	}
	b.WriteString("</g>\n")
}

// Drawing draws the e-graph: a box for each class, with a cell for each node.
func (s *Snapshot) Drawing() *Drawing {
	d, at := &Drawing{}, map[uint32]int{}
	for i, c := range s.Classes {
		at[c.ID] = i
	}
	for i, c := range s.Classes {
		box := Box{}
		if c.Root {
			box.Look = Root
		}
		for n, node := range c.Nodes {
			text := node.Op
			for _, kid := range node.Kids {
				if kid == c.ID {
					text += " ↺" // an operand is of this very class
				} else {
					d.Arrows = append(d.Arrows, Arrow{From: i, Cell: n, To: at[kid]})
				}
			}
			box.Cells = append(box.Cells, []string{text})
		}
		d.Boxes = append(d.Boxes, box)
	}
	return d
}
