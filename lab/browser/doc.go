// Package browser tests in Chromium the pages that the other rooms make: the playground, reports of experiments and the
// documentation.
package browser
