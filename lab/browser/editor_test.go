//go:build !js

package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// inEditor is what the editor's own tree has.
const inEditor = `const editor = by("text").shadowRoot, all = s => [...editor.querySelectorAll(s)].map(e => e.textContent);`

// Functions of the language are completed, mistakes are underlined where they stand with their message below, and text is
// highlighted.
func TestEditor(t *testing.T) {
	ctx, console := playgroundPage(t)
	eval[int](t, ctx, `fill({ text: "" }); 0`)
	typeText(t, ctx, "sele")
	await(t, ctx, `!!by("text").shadowRoot.querySelector(".cm-tooltip-autocomplete li")`)
	offered := eval[[]string](t, ctx, `(() => { `+inEditor+` return all(".cm-tooltip-autocomplete li"); })()`)
	picture(t, ctx, "1280-completion.png")
	run(t, ctx, chromedp.Sleep(100*time.Millisecond)) // CodeMirror ignores keys for 75 ms after its list opens
	run(t, ctx, chromedp.KeyEvent("\r"))
	await(t, ctx, `by("text").value.startsWith("select(")`)
	eval[int](t, ctx, `fill({ text: "" }); 0`)
	typeText(t, ctx, "x0 + mim(x0, y0)")
	const wrong = `(() => { ` + inEditor + ` return all(".cm-wrong").concat(all(".cm-why")); })()`
	await(t, ctx, `by("text").shadowRoot.querySelector(".cm-why") && by("out").textContent.includes("mim")`)
	said := eval[[]string](t, ctx, wrong)
	picture(t, ctx, "1280-mistake.png")
	if len(offered) == 0 || !strings.HasPrefix(offered[0], "select") || len(said) != 2 || said[0] != "mim" || !strings.Contains(said[1], "mim") {
		t.Errorf("of sele %q is offered; of a mistake %q is marked", offered, said)
	}
	match(t, ctx, "  x0 + y0 +\n q", "x0:i32,y0:i32")
	if said := eval[[]string](t, ctx, wrong); len(said) != 2 || said[0] != "q" {
		t.Errorf("of q after blanks and a new line %q is marked", said)
	}
	for _, text := range []string{"", "\n", "x0 +\n", "é + q", "x0 + q // é"} { // also where there is nothing to underline
		match(t, ctx, text, "x0:i32,y0:i32")
		if said := eval[[]string](t, ctx, wrong); len(said) == 0 {
			t.Errorf("of %q nothing is said", text)
		}
	}
	match(t, ctx, countProgram, "")
	marks := eval[int](t, ctx, `new Set([...by("text").shadowRoot.querySelectorAll(".cm-line span")].map(s => getComputedStyle(s).color)).size`)
	if marks < 4 {
		t.Errorf("the program has %d colours", marks)
	}
	if said := console.read(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

// The types of what is typed are chips, which may be changed; assumptions are switches; what is given is a condition a line.
func TestForm(t *testing.T) {
	ctx, console := playgroundPage(t)
	eval[int](t, ctx, `fill({ text: "" }); 0`)
	typeText(t, ctx, "select(y0, x0 + y1, x0); max(x1, y1)")
	const chips = `[...document.querySelectorAll(".chip")].map(c => c.firstChild.textContent.trim() + ":" + c.querySelector("select").value).join()`
	await(t, ctx, chips+` === "x0:i32,x1:i32,y0:bool,y1:i32"`)
	await(t, ctx, settled)
	change := func(label, value string) {
		t.Helper()
		eval[int](t, ctx, `(() => { const c = [...document.querySelectorAll(".chip")].find(c => c.firstChild.textContent.trim() === "`+label+`").querySelector("select"); c.value = "`+value+`"; c.dispatchEvent(new Event("change")); return 0; })()`)
		await(t, ctx, settled)
	}
	change("x0", "f32")
	await(t, ctx, chips+` === "x0:f32,x1:f32,y0:bool,y1:f32"`) // what nobody chose follows
	change("y1", "i32")
	if failed := eval[string](t, ctx, `(document.querySelector("#out > .bad") || document.body).textContent`); !strings.Contains(failed, "f32") {
		t.Errorf("a sum of f32 and i32 gives %.300q", failed)
	}
	eval[int](t, ctx, `fill({ text: "f() = f() + in(r)/r" }); submit(); 0`)
	await(t, ctx, chips+` === "numbers:i32"`) // a program that declares nothing
	await(t, ctx, settled)
	change("numbers", "f32")
	if types := eval[string](t, ctx, `by("types").value`); types != "f32" {
		t.Errorf("numbers of a program are %q", types)
	}
	eval[int](t, ctx, `fill({ text: "x0 + y0", types: "x0:f32,y0:f32" }); submit(); 0`)
	await(t, ctx, settled)
	toggle := func(name string) string {
		t.Helper()
		eval[int](t, ctx, `document.querySelector("#switches input[value=`+name+`]").click(); 0`)
		await(t, ctx, settled)
		return eval[string](t, ctx, `by("assume").value + " " + document.querySelector("#out p").textContent`)
	}
	if s := toggle("nsw"); s != "+nsw a reduction" {
		t.Errorf("with nsw: %q", s)
	}
	toggle("nsw")
	if s := toggle("reassoc"); !strings.HasPrefix(s, "nnan,nsz refused") {
		t.Errorf("without reassoc: %q", s)
	}
	if s := toggle("reassoc"); s != " a reduction" {
		t.Errorf("with reassoc again: %q", s)
	}
	eval[int](t, ctx, `fill({ text: "max(abs(x0), y0 & 127)", types: "x0:i32,y0:i32", given: "0 <= x0" }); by("given").focus(); 0`)
	run(t, ctx, chromedp.KeyEvent("\nx0 <= 1000")) // above what is there, or below
	run(t, ctx, chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	await(t, ctx, settled)
	if given := eval[string](t, ctx, `new URLSearchParams(location.hash.slice(1)).get("given")`); !strings.Contains(given, " && ") {
		t.Errorf("two lines are %q", given)
	}
	if said := console.read(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}
