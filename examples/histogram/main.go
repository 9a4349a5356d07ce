// Histogram is a service that counts the brightness of the pixels of pictures: POST a PNG or JPEG, get 256
// counts as JSON. The reduction is a program with -auto's schedule, factored and compiled once when the service
// starts; each request runs it on all processors.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // registers the format
	_ "image/png"
	"log"
	"net/http"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

const source = `
ImageParam in(UInt(8), 2);
Func hist; Var x;
hist(x) = 0;
RDom r(0, in.width(), 0, in.height());
hist(clamp(cast<int>(in(r.x, r.y)), 0, 255)) += 1;
`

// maxBody bounds the bytes of a picture.
const maxBody = 32 << 20

func main() {
	s, err := newService(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("localhost:8080", s))
}

// service runs one compiled program; requests may come at once.
type service struct{ program *lower.Program }

func newService(ctx context.Context) (*service, error) {
	prog, err := program.ParseProgram(ir.NewPool(), "histogram.rf", source, ir.Invalid)
	if err != nil {
		return nil, err
	}
	p, err := plan.Factor(ctx, prog, plan.Options{Auto: true})
	if err != nil {
		return nil, err
	}
	for _, u := range p.Serial { // a service that counts on running in parallel says so at its start
		return nil, fmt.Errorf("%s stays serial: %s", u.Update, u.Reason)
	}
	compiled, err := lower.Compile(p, lower.RunOptions{})
	return &service{compiled}, err
}

// ServeHTTP answers a picture with its histogram. A request that is cancelled ends its run.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m, _, err := image.Decode(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	counts, err := s.histogram(r.Context(), m)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(counts); err != nil {
		log.Print(err)
	}
}

func (s *service) histogram(ctx context.Context, m image.Image) ([]int32, error) {
	b := m.Bounds()
	pixels := make([]uint8, 0, b.Dx()*b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			pixels = append(pixels, color.GrayModel.Convert(m.At(x, y)).(color.Gray).Y)
		}
	}
	in := &ndarray.Array{Dims: ndarray.Box{{Extent: b.Dx()}, {Extent: b.Dy()}}, Data: []any{pixels}}
	out, err := s.program.Run(ctx, &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": in}})
	if err != nil {
		return nil, err
	}
	return out["hist"].Data[0].([]int32), nil
}
