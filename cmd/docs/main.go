// Docs renders the documents of this tree into a static site: the pages of docs and the Markdown files of the root. A
// link to a file or an anchor that is not there is an error, as is a page that no link leads to.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("out", "bin/docs", "`DIR` that the site goes to; it is made where it is missing")
	playground := flag.String("playground", "", "`URL` of the playground, in which programs of the gallery open; empty for no links")
	flag.Parse()
	s, err := load(os.DirFS("."))
	if err == nil {
		s.playground = *playground
		err = s.write(*out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
	fmt.Printf("%s/index.html: %d pages\n", *out, len(s.pages))
}
