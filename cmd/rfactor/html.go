package main

import (
	"flag"

	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/internal/view"
	"github.com/rfactor-go/rfactor/rfactor"
)

// htmlFlag is a flag for a page in place of text.
func htmlFlag(fs *flag.FlagSet) *string {
	return fs.String("html", "", "write a page to `FILE` instead: the answer, its proof as steps, and the e-graph by iteration")
}

// writePage writes what there is to see of updates into a file.
func (c *command) writePage(file string, js []job, options func(name string) rfactor.Options) int {
	p, code := &view.Page{}, verbs.Matched
	for _, j := range js {
		v, err := view.Of(c.Ctx, j.text, j.update, options(j.name))
		if err != nil {
			return verbs.Interrupted
		}
		switch {
		case v.Failed != "":
			code = verbs.BadInput
		case v.Status == rfactor.Refused:
			code = max(code, verbs.Refused)
		}
		p.Updates = append(p.Updates, v)
	}
	text, err := view.HTML("rfactor: "+js[0].text, p)
	if err == nil {
		err = save.Text(file, text)
	}
	if err != nil {
		return c.Errorf("%v", err)
	}
	return code
}
