package wire

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// CurlOf returns a recorded request to t as a curl command. Values that the
// record masks are read from shell variables: the token from $TOKEN, other
// credentials from variables named after their header fields or parameters.
func CurlOf(request wire.Frame, t playground.Target) string {
	redacted := t.Redacted()
	c := curl{head: string(request.Head), url: redacted.URL}
	for _, f := range redacted.Header {
		c.field(f)
	}
	c.query()
	return export.Curl(wire.Frame{Head: []byte(c.head), Body: request.Body}, c.url, c.masks...)
}

// curl replaces each mask by a distinct placeholder, because two secrets of the
// same length have the same mask.
type curl struct {
	head, url string
	masks     []export.Mask
}

// placeholder returns a new placeholder for the variable name.
func (c *curl) placeholder(name string) string {
	value := "masked-" + name
	c.masks = append(c.masks, export.Mask{Value: value, Name: name})
	return value
}

// field replaces the mask of a header field and keeps what precedes it, such as
// the scheme of Authorization.
func (c *curl) field(f wire.Field) {
	before := strings.TrimRight(f.Value, "*")
	if before == f.Value {
		return
	}
	line := "\r\n" + f.Name + ": " + f.Value + "\r\n"
	c.head = strings.Replace(c.head, line, "\r\n"+f.Name+": "+before+
		c.placeholder(variableName(f.Name))+"\r\n", 1)
}

// query replaces the masks of query parameters.
func (c *curl) query() {
	path, query, found := strings.Cut(c.url, "?")
	if !found {
		return
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if value != "" && strings.Trim(value, "*") == "" {
			pairs[i] = name + "=" + c.placeholder(variableName(name))
		}
	}
	c.url = path + "?" + strings.Join(pairs, "&")
}

// variableName returns the shell variable for a header field or a parameter.
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
