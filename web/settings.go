package web

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// Limits of the headers that a user may enter.
const (
	maxHeaders    = 50
	maxHeaderSize = 16 << 10
)

// settings holds the credentials for a server and the declared capabilities.
type settings struct {
	header       []wire.Field
	capabilities json.RawMessage
	declares     bool // the form had the choice of capabilities
}

// readSettings reads the connect form. It returns the form as it was filled in,
// without the token, which no page repeats.
func readSettings(values url.Values) (settings, views.ConnectForm) {
	set := settings{capabilities: declared(), declares: values.Get("declares") != ""}
	if set.declares {
		set.capabilities = playground.Declare(values["declare"])
	}
	form := views.ConnectForm{
		URL: values.Get("url"), Tool: values.Get("tool"), Args: values.Get("args"), Era: chosenEra(values),
		Headers:  values.Get("headers"),
		Declared: views.NewDeclared(set.capabilities),
		Open:     values.Get("headers") != "" || values.Get("token") != "" || values.Get("era") != "",
	}
	var err error
	if set.header, err = readHeaders(values.Get("token"), values.Get("headers")); err != nil {
		form.HeadersProblem = sentenceCase(err.Error()) + "."
	}
	return set, form
}

// chosenEra returns the era that the connect form names, or "" to detect it.
func chosenEra(values url.Values) playground.Era {
	switch era := playground.Era(values.Get("era")); era {
	case playground.Modern, playground.Legacy:
		return era
	}
	return ""
}

// readHeaders reads a token and lines of "Name: value". Errors never contain a
// value.
func readHeaders(token, lines string) ([]wire.Field, error) {
	var list []wire.Field
	if token = strings.TrimSpace(token); token != "" {
		if scheme, rest, found := strings.Cut(token, " "); found && strings.EqualFold(scheme, "bearer") {
			token = strings.TrimSpace(rest)
		}
		list = append(list, wire.Field{Name: "Authorization", Value: "Bearer " + token})
	}
	fields, err := readFields(lines)
	if err != nil {
		return nil, err
	}
	list = append(list, fields...)
	if len(list) > maxHeaders || len(token)+len(lines) > maxHeaderSize {
		return nil, errTooManyHeaders
	}
	return list, checkHeaders(list)
}

var errTooManyHeaders = errors.New("the limit is 50 headers and 16 KiB")

// readFields reads lines of "Name: value" as header fields that can be sent.
// Errors never contain a value.
func readFields(lines string) ([]wire.Field, error) {
	var list []wire.Field
	if len(lines) > maxHeaderSize {
		return nil, errTooManyHeaders
	}
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, value, found := strings.Cut(line, ":")
		if !found {
			return nil, errors.New("enter one header per line, such as X-Api-Key: abc")
		}
		f := wire.Field{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)}
		if err := checkField(f); err != nil {
			return nil, err
		}
		if list = append(list, f); len(list) > maxHeaders {
			return nil, errTooManyHeaders
		}
	}
	return list, nil
}

func checkHeaders(list []wire.Field) error {
	authorized := false
	for _, f := range list {
		if err := checkField(f); err != nil {
			return err
		}
		if strings.EqualFold(f.Name, "authorization") {
			if authorized {
				return errors.New("enter a token or an Authorization header, not both")
			}
			authorized = true
		}
	}
	return nil
}

// checkField returns an error for a header field that cannot be sent.
func checkField(f wire.Field) error {
	if err := wire.CheckField(f); err != nil {
		return err
	}
	if !utf8.ValidString(f.Value) ||
		strings.ContainsFunc(f.Value, func(r rune) bool { return r > unicode.MaxLatin1 }) {
		return &wire.FieldError{Name: f.Name, Text: "the value has characters that a header cannot contain"}
	}
	return nil
}

// sentenceCase returns s with its first letter in upper case.
func sentenceCase(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
