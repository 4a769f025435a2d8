package views

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// CurlOf is a recorded request to t as a command. What is starred out in the
// record is read from the shell: the token as $TOKEN, other credentials by the
// names of their header fields or parameters.
func CurlOf(request wire.Frame, t playground.Target) string {
	hidden := t.Redacted()
	c := curl{head: string(request.Head), url: hidden.URL}
	for _, f := range hidden.Header {
		c.field(f)
	}
	c.query()
	return export.Curl(wire.Frame{Head: []byte(c.head), Body: request.Body}, c.url, c.masks...)
}

// curl puts a word of its own in the place of each mask, because two secrets of
// one length have the same mask.
type curl struct {
	head, url string
	masks     []export.Mask
}

func (c *curl) word(name string) string {
	word := "starred-out-" + name
	c.masks = append(c.masks, export.Mask{Value: word, Name: name})
	return word
}

// field replaces the mask of a header field; what stands before it, such as the
// scheme of Authorization, stays.
func (c *curl) field(f wire.Field) {
	before := strings.TrimRight(f.Value, "*")
	if before == f.Value {
		return
	}
	line := "\r\n" + f.Name + ": " + f.Value + "\r\n"
	c.head = strings.Replace(c.head, line, "\r\n"+f.Name+": "+before+c.word(variableName(f.Name))+"\r\n", 1)
}

// query replaces the masks of parameters.
func (c *curl) query() {
	path, query, found := strings.Cut(c.url, "?")
	if !found {
		return
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if value != "" && strings.Trim(value, "*") == "" {
			pairs[i] = name + "=" + c.word(variableName(name))
		}
	}
	c.url = path + "?" + strings.Join(pairs, "&")
}

// variableName is a shell variable's name for a header field or a parameter.
func variableName(name string) string {
	if strings.EqualFold(name, "Authorization") {
		return "TOKEN"
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z':
			return r
		}
		return '_'
	}, name)
}
