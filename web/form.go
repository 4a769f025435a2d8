package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
)

// HeaderLines returns header fields as lines of "Name: value".
func HeaderLines(e lab.Edit) string {
	var b strings.Builder
	for _, f := range e.Header {
		b.WriteString(f.Name + ": " + f.Value + "\n")
	}
	return b.String()
}

// FormValues returns the values of the form that a page sent. The body of
// another program may be no form.
func (s *App) FormValues(r *Request) (url.Values, error) {
	if err := r.ParseForm(); err != nil {
		return nil, FormError(err)
	}
	n := 0
	for _, values := range r.PostForm {
		n += len(values)
	}
	if n > s.Limits.Fields {
		return nil, app.Refuse(http.StatusUnprocessableEntity, "too_many_fields",
			"This form has too many fields.", "No page here sends as many.")
	}
	return r.PostForm, nil
}

// FormError returns the refusal of a body or a query that is not encoded as a
// form. A body that is too large keeps its own error.
func FormError(err error) error {
	var tooBig *http.MaxBytesError
	if errors.As(err, &tooBig) {
		return err
	}
	return app.RefuseBecause(err, http.StatusBadRequest, "bad_request", "This form can't be read.",
		"Its body or its URL is not encoded as application/x-www-form-urlencoded. "+
			"Reload the page and send it again.")
}

// Limits of the list.
const (
	PageOfSessions = 50
	MaxSearch      = 8 // words
)

// IsOwnPath reports whether a redirect stays on this site: browsers read "//"
// and "/\" as another host.
func IsOwnPath(path string) bool {
	return strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") &&
		!strings.ContainsAny(path, "\\\t\r\n")
}

// ZoneOf returns the time zone that the browser's script put into a cookie, or
// nil.
func ZoneOf(r *http.Request) *time.Location {
	cookie, err := r.Cookie("zone")
	if err != nil || len(cookie.Value) > maxZone {
		return nil
	}
	name, err := url.QueryUnescape(cookie.Value)
	if err != nil || name == "" || name == "Local" { // which is the zone of this machine
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return zone
}

// maxZone is the longest name of a time zone, as it is escaped.
const maxZone = 64

// First returns the first value of a field, or "".
func First(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// Number returns a positive number from a URL, otherwise if the text is empty,
// and -1 if the text is something else.
func Number(text string, otherwise int) int {
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return -1
	}
	return n
}

// Limits of the headers that a user may enter.
const (
	maxHeaders    = 50
	maxHeaderSize = 16 << 10
)

// ReadSettings reads the connect form. It returns the form as it was filled in,
// without the token, which no page repeats.
func ReadSettings(values url.Values) (app.Settings, serverview.ConnectForm) {
	set := app.Settings{Capabilities: app.Declared(), Declares: values.Get("declares") != ""}
	if set.Declares {
		set.Capabilities = playground.Declare(values["declare"])
	}
	form := serverview.ConnectForm{
		URL: values.Get("url"), Tool: values.Get("tool"), Args: values.Get("args"), Era: chosenEra(values),
		Headers:  values.Get("headers"),
		Declared: serverview.NewDeclared(set.Capabilities),
		Open:     values.Get("headers") != "" || values.Get("token") != "" || values.Get("era") != "",
	}
	var err error
	if set.Header, err = readHeaders(values.Get("token"), values.Get("headers")); err != nil {
		form.HeadersProblem = SentenceCase(err.Error()) + "."
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
	fields, err := ReadFields(lines)
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

// ReadFields reads lines of "Name: value" as header fields that can be sent.
// Errors never contain a value.
func ReadFields(lines string) ([]wire.Field, error) {
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

// SentenceCase returns s with its first letter in upper case.
func SentenceCase(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
