// Compress writes FILE.gz beside each file that is named, as small as gzip makes it, and with -br FILE.br by brotli.
// A file that decompresses to what is there is left as it is, since brotli at its best takes most of a minute for 15 MB; without -br
// a FILE.br that does not is removed.
//
//	go run -C lab ./cmd/compress -br ../bin/playground/rfactor.wasm
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/andybalholm/brotli"

	"github.com/rfactor-go/rfactor/internal/save"
)

// coder is a way to compress.
type coder struct {
	suffix string
	writer func(io.Writer) io.WriteCloser
	reader func(io.Reader) (io.Reader, error)
}

var coders = []coder{
	{".gz", func(w io.Writer) io.WriteCloser {
		z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			panic("internal: " + err.Error())
		}
		return z
	}, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{".br", func(w io.Writer) io.WriteCloser {
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	}, func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }},
}

func main() {
	br := flag.Bool("br", false, "write FILE.br as well")
	flag.Parse()
	n := 1
	if *br {
		n = len(coders)
	}
	for _, file := range flag.Args() {
		if err := compress(os.Stdout, file, n); err != nil {
			fmt.Fprintln(os.Stderr, "compress:", err)
			os.Exit(2)
		}
	}
}

// compress writes a file by each of the first n coders, and prints all sizes. What the others made of another text is removed.
func compress(w io.Writer, file string, n int) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %.2f MB", file, float64(len(text))/1e6)
	for i, c := range coders {
		packed, err := os.ReadFile(file + c.suffix)
		switch {
		case i >= n && err != nil:
			continue
		case i >= n && !c.holds(packed, text):
			if err := os.Remove(file + c.suffix); err != nil {
				return err
			}
			continue
		}
		size, err := c.write(file+c.suffix, text)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, ", %s %.2f", c.suffix, float64(size)/1e6)
	}
	fmt.Fprintln(w)
	return nil
}

// write makes a file decompress to a text, and returns its size.
func (c *coder) write(file string, text []byte) (int, error) {
	if packed, err := os.ReadFile(file); err == nil && c.holds(packed, text) {
		return len(packed), nil
	}
	var packed bytes.Buffer
	z := c.writer(&packed)
	if _, err := z.Write(text); err != nil {
		return 0, err
	}
	if err := z.Close(); err != nil {
		return 0, err
	}
	return packed.Len(), save.Text(file, packed.Bytes())
}

// holds reports whether a file decompresses to a text.
func (c *coder) holds(packed, text []byte) bool {
	r, err := c.reader(bytes.NewReader(packed))
	if err != nil {
		return false
	}
	got, err := io.ReadAll(r)
	return err == nil && bytes.Equal(got, text)
}
