package verbs

import "strings"

// The texts of the verbs of rfactor-go. They stand here since rfactor, which lists them and has manual pages of them, does without what they do.

// Lower is the verb lower, which does nothing by itself.
var Lower = Verb{
	Name:  "lower",
	About: "emits a program with its schedule as a Go package",
	Usage: `FILE.rf -out DIR [-target go|beam] [-package NAME] [-extent NAME=MIN:EXTENT,...]
       rfactor lower FILE.rf -kernel PASS [-extent NAME=MIN:EXTENT,...]

Examples:
  rfactor lower sum.rf -out sum
  rfactor lower histogram.rf -out internal/hist -package hist
  rfactor lower plain.rf -out plain -auto=false
  rfactor lower horner.rf -out horner -target beam

The package has the function, a plain and, with GOEXPERIMENT=simd and Go 1.27, a vector
kernel, a test that compares them with the serial program, and a benchmark. It imports the
standard library alone. With -kernel nothing is written: the kernels are printed as they are behind a pass. With -target beam it is a command that reduces shards on Apache Beam,
and imports the module in the folder beam of this one. A file that lower did not write is not overwritten without -force.
Exit code 0: written; 1: the schedule was refused; 2: bad usage or input. Nothing is
written in the latter cases.`,
}

// Run is the verb run, which does nothing by itself.
var Run = Verb{
	Name:  "run",
	About: "runs a program with its schedule on data",
	Usage: `FILE.rf -in NAME=DATA.npy... [-param NAME=VALUE...] [-out OUT.npy]

Examples:
  rfactor run sum.rf -in input=data.npy
  rfactor run histogram.rf -in in=photo.jpeg -out hist.npy
  rfactor run complex-product.rf -in in=re.npy,im.npy -param n=1000 -verify
  rfactor run 'f() += in(r)' -in in=a.npy

Data are .npy files, one for each component of an input, separated by commas, or a PNG or
JPEG image for a two-dimensional u8 input: its luminance. The last axis of a .npy file is
the program's first dimension. A program that declares nothing runs over its arrays.
-given is promised of every update that is factored.
With -out, a program of several functions or components writes several files: OUT.f.npy,
OUT.0.npy, OUT.f.0.npy. Without, results are printed.
Exit code 0: it ran; 1: the schedule was refused, or -verify found a difference
or cannot tell; 2: bad usage or input. Nothing is written in the latter cases.`,
}

// Vet is the verb vet, which does nothing by itself.
var Vet = Verb{
	Name:  "vet",
	About: "finds the reductions in Go packages",
	Usage: `[flags] [PACKAGE ...]

Examples:
  rfactor vet ./...
  rfactor vet -all ./stat
  rfactor vet -diff ./stat
  rfactor vet -pprof cpu.out -fix ./...
  rfactor vet -category order,float -baseline vet.txt -fail ./...
  go vet -vettool=$(which rfactor-go) -rfactor.all ./...

Packages are named as for the go command; without a name it is the one of this directory. At each loop that is a
reduction it says by which operator. Comments at a loop: //rfactor:ignore, //rfactor:assume nsw.
The match of each loop has the effort that is the default of rfactor match.
Exit code 0: all packages were looked at; 1: some were left out, or with -fail something is reported; 2: bad usage, or
none could be loaded.`,
}

// AsVetTool reports whether arguments are those of go vet, which asks the tool that -vettool names for its version and its flags, and
// then to look at the package that a file describes.
func AsVetTool(args []string) bool {
	return len(args) > 0 && (strings.HasPrefix(args[0], "-V=") || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg"))
}
