package emit

import (
	"fmt"
	"regexp"
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

var (
	declaredFunc = regexp.MustCompile(`(?m)^func (\w+)\(([^)]*)\)`)
	emulated     = regexp.MustCompile(`if simd\.Emulated\(\) \|\| `)
	portableType = regexp.MustCompile(`\bsimd\.(Load|Broadcast|)((?:Int|Uint|Float|Mask)(\d+))s\b`)
	maskToInts   = regexp.MustCompile(`\.To(Int(\d+))s\(`)
)

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
	for _, f := range declaredFunc.FindAllStringSubmatch(text, -1) {
		word := regexp.MustCompile(`\b` + f[1] + `\b`)
		if !slices.Contains(entries, f[1]) {
			arch = word.ReplaceAllString(arch, f[1]+strconv.Itoa(archBits))
			continue
		}
		vectors := strings.TrimSuffix(f[1], "Kernel") + "Vectors"
		portable = word.ReplaceAllString(portable, vectors)
		arch = strings.Replace(arch, f[0], "\x00"+f[0], 1)
		head, body, _ := strings.Cut(arch, "\x00")
		at := emulated.FindStringIndex(body)
		body = body[:at[0]] + fmt.Sprintf("if !vectors%d {\nreturn %s(%s)\n}\nif ", archBits, vectors, namesOf(f[2])) + body[at[1]:]
		arch = head + body
	}
	lanes := func(bits string) string {
		n, _ := strconv.Atoi(bits)
		return "x" + strconv.Itoa(archBits/n)
	}
	arch = portableType.ReplaceAllStringFunc(arch, func(s string) string {
		m := portableType.FindStringSubmatch(s)
		return "archsimd." + m[1] + m[2] + lanes(m[3])
	})
	arch = maskToInts.ReplaceAllStringFunc(arch, func(s string) string {
		m := maskToInts.FindStringSubmatch(s)
		return ".To" + m[1] + lanes(m[2]) + "("
	})
	arch = fmt.Sprintf("\n// vectors%[1]d tells whether vectors have %[1]d bits.\nvar vectors%[1]d = simd.VectorBitSize() == %[1]d\n", archBits) + arch
	return portable, arch, calls.String()
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
