//go:build !js

package browser

import "testing"

// A reader who presses the button sees by how much slices are faster.
func TestMeasureHere(t *testing.T) {
	ctx, console := playgroundPage(t)
	match(t, ctx, "x0 + y0*y0", "x0:f32,y0:f32")
	eval[int](t, ctx, `document.querySelector(".speed button").click(); 0`)
	await(t, ctx, `/ times the serial loop: /.test(document.querySelector(".speed").textContent)`)
	t.Log(eval[string](t, ctx, `document.querySelector(".speed span").textContent`))
	match(t, ctx, "x0 + y0", "x0:i8,y0:i8")
	speed := eval[struct{ Serial, Slices float64 }](t, ctx, `askSpeed(0)`)
	if speed.Slices <= 0 || speed.Serial < 2*speed.Slices {
		t.Errorf("sums of i8 take %+v ns a step: no vectors", speed)
	}
	if said := console.read(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}
