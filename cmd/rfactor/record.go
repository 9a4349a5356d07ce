package main

import (
	"bytes"
	"encoding/json"
)

// writeRecord prints a value as one line of JSON.
func (c *command) writeRecord(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("rfactor: internal: " + err.Error())
	}
	c.stdout.Write(b.Bytes())
}
