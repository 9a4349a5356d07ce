package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Go 1.27 inlines the operations of package simd in two steps, each of which leaves a mark among the
// instructions: a byte that processors decode like any other. Loops of more operations than loads wait for
// that: counting took 1.7 times as long, products of complex numbers 1.4 times. On amd64 kernels are therefore written
// a second time, in the types of archsimd, whose operations the compiler knows itself: for vectors of 256 bits.
// Other widths are left to package simd.

// archBits is the width for which kernels are written in the types of archsimd.
const archBits = 256

// emulated is how kernels ask whether package simd has no instructions to call.
const emulated = "if simd.Emulated() || "

// laned reports whether a kernel's loop is written on package simd: sums in wider lanes call functions
// that have instructions of their own on amd64.
func (k *kernel) laned() bool {
	switch k.vector.(type) {
	case nil, wideForm, floatWideForm:
		return false
	}
	return true
}

// onArch splits the text of kernels on package simd: portable has names that amd64 does not call for
// vectors of 256 bits, arch the same functions on archsimd, and other what calls the former elsewhere.
func (g *generator) onArch(text string) (portable, arch, other string) {
	var entries []string
	var calls strings.Builder
	for _, k := range g.kernels {
		if k.laned() {
			entries = append(entries, k.name+"Kernel")
			fmt.Fprintf(&calls, "\nfunc %sKernel%s {\nreturn %sVectors%s\n}\n", k.name, k.params(), k.name, k.arguments(k.states(), "", ""))
		}
		if k.flat != nil {
			entries = append(entries, k.name+"Flat")
			fmt.Fprintf(&calls, "\nfunc %sFlat%s {\nreturn %sFlatVectors(%s)\n}\n", k.name, k.flat.params(k, ""), k.name, namesOf(k.flat.params(k, "")))
		}
	}
	if len(entries) == 0 {
		return text, "", ""
	}
	portable, arch = text, text
	for _, f := range kernelFuncs(text) {
		if !slices.Contains(entries, f.name) {
			arch = renamed(arch, f.name, f.name+strconv.Itoa(archBits))
			continue
		}
		vectors := strings.TrimSuffix(f.name, "Kernel") + "Vectors"
		portable = renamed(portable, f.name, vectors)
		head, body, _ := strings.Cut(arch, f.text)
		before, after, _ := strings.Cut(body, emulated)
		arch = head + f.text + before + fmt.Sprintf("if !vectors%d {\nreturn %s(%s)\n}\nif ", archBits, vectors, namesOf(f.params)) + after
	}
	arch = arrayLoads(ofWidth(arch))
	arch = fmt.Sprintf("\n// vectors%[1]d tells whether vectors have %[1]d bits.\nvar vectors%[1]d = simd.VectorBitSize() == %[1]d\n", archBits) + arch
	return portable, arch, calls.String()
}

// kernelFunc is a function of a text: its name, its parameters, and its declaration up to their end.
type kernelFunc struct{ name, params, text string }

// kernelFuncs lists the functions that are declared in a text, in the form in which kernels are written.
func kernelFuncs(text string) (out []kernelFunc) {
	for line := range strings.Lines(text) {
		head, _, ok := strings.Cut(line, ")")
		name, params, _ := strings.Cut(strings.TrimPrefix(head, "func "), "(")
		if ok && strings.HasPrefix(head, "func ") && name != "" {
			out = append(out, kernelFunc{name, params, head + ")"})
		}
	}
	return out
}

// word returns the word that a text begins with, which is as long as it can be.
func word(text string) string {
	end := strings.IndexFunc(text, func(c rune) bool {
		return c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
	if end < 0 {
		return text
	}
	return text[:end]
}

// mapWords replaces the words of a text by what a function gives for each, and for what comes after it.
func mapWords(text string, to func(word, after string) string) string {
	var b strings.Builder
	for text != "" {
		w := word(text)
		if w == "" {
			b.WriteByte(text[0])
			text = text[1:]
			continue
		}
		text = text[len(w):]
		b.WriteString(to(w, text))
	}
	return b.String()
}

// renamed replaces a word of a text.
func renamed(text, from, to string) string {
	return mapWords(text, func(word, _ string) string {
		if word == from {
			return to
		}
		return word
	})
}

// ofWidth writes types of package simd, their constructors and conversions of masks as those of archsimd.
func ofWidth(text string) string {
	typed := false // the next word is such a type or constructor
	return mapWords(text, func(w, after string) string {
		of, qualifies := strings.CutPrefix(after, ".")
		name := w
		if typed {
			name = strings.TrimPrefix(strings.TrimPrefix(w, "Load"), "Broadcast")
		} else if ints, ok := strings.CutPrefix(w, "ToInt"); ok {
			name = "Int" + ints
		}
		n := vectorLanes(name)
		switch {
		case w == "simd" && qualifies:
			name = strings.TrimPrefix(strings.TrimPrefix(word(of), "Load"), "Broadcast")
			if typed = vectorLanes(name) > 0; typed {
				return "archsimd"
			}
		case n > 0 && (typed || name != w):
			typed = false
			return fmt.Sprintf("%sx%d", strings.TrimSuffix(w, "s"), n)
		}
		return w
	})
}

// arrayLoads lets loads on archsimd read arrays: the compiler makes an instruction of these, and leaves a mark
// for those of slices.
func arrayLoads(text string) string {
	const load = "archsimd.Load"
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, load)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		vector := word(after)
		end := closing(after, len(vector))
		slice := arrayLoads(after[len(vector)+1 : end])
		element, lanes, _ := strings.Cut(vector, "x")
		fmt.Fprintf(&b, "%s%sArray((*[%s]%s)(%s))", load, vector, lanes, strings.ToLower(element), slice)
		text = after[end+1:]
	}
}

// closing returns where the parenthesis closes that a text has at an index.
func closing(text string, open int) int {
	depth := 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text) - 1
}

// vectorLanes returns the number of lanes that a vector type of package simd has, such as Int32s; 0 for another name.
func vectorLanes(name string) int {
	for _, kind := range []string{"Int", "Uint", "Float", "Mask"} {
		if digits, ok := strings.CutPrefix(name, kind); ok && strings.HasSuffix(digits, "s") {
			if bits, err := strconv.Atoi(strings.TrimSuffix(digits, "s")); err == nil && bits > 0 {
				return archBits / bits
			}
		}
	}
	return 0
}

// namesOf lists the names of declared parameters, up to the closing parenthesis.
func namesOf(params string) string {
	params, _, _ = strings.Cut(strings.TrimPrefix(params, "("), ")")
	var names []string
	for p := range strings.SplitSeq(params, ", ") {
		name, _, _ := strings.Cut(p, " ")
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
