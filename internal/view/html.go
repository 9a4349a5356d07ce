package view

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

// What pages are made of. The playground has the same files.
var (
	//go:embed page.css
	style string
	//go:embed page.js
	page string
	//go:embed words.js
	words string
	//go:embed tabs.js
	tabs string
	//go:embed merge.js
	merging string
	//go:embed proof.js
	proofs string
	//go:embed graph.js
	graphs string
	//go:embed zoom.js
	zooming string
	//go:embed code.js
	programs string
	//go:embed certificate.js
	certificates string
	//go:embed dagre.min.js
	layout string // of graphs: see dagre.LICENSE
)

// escape makes text of a page. Package html would do, with 2,231 names of characters that the playground then carries.
var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// HTML returns a page with what there is to show, in one file that asks nobody for anything.
func HTML(title string, p *Page) ([]byte, error) {
	data, err := json.Marshal(p) // which escapes < and >
	if err != nil {
		return nil, err
	}
	library, _, _ := strings.Cut(layout, "//# sourceMappingURL")
	script := strings.Join([]string{page, words, tabs, merging, proofs, graphs, zooming, programs, certificates}, "\n")
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<link rel="icon" href="data:,">
<style>
%s</style>
</head>
<body>
<header><h1>%s</h1></header>
<main id="out"></main>
<script>
%s</script>
<script>
%s
show(%s, document.getElementById("out"));
</script>
</body>
</html>
`, escape.Replace(title), style, escape.Replace(title), library, script, data)
	return []byte(b.String()), nil
}
