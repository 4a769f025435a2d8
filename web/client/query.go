package client

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// refuseQuery records a request whose URL has a query, and refuses it: an access token must
// not be in one (basic/authorization, "Token Requirements"). The values are masked, since
// any may be one.
func (s *Pages) refuseQuery(r *web.Request, k capture.Capture, body []byte) error {
	query, values := maskedQuery(r.URL.RawQuery)
	target := k.Target.URL + "?"
	if strings.Contains(k.Target.URL, "?") {
		target = k.Target.URL + "&"
	}
	fields := onward(r.Header, k.Token)
	frame, err := wire.EncodePlain(r.Method, target+query, fields, body)
	if err != nil {
		return s.refuse(r, err)
	}
	_, err = s.App.PassOn(r.Visit, k, app.Foreign{
		URL: s.address(r, k), Frame: frame, Credentials: credentials(fields), Secrets: values,
		Refused: &wire.Failure{
			Class:  wire.BadURL,
			Detail: "a capture has one URL without a query, so the request was not passed on",
		},
	})
	if err != nil {
		return s.refuse(r, err)
	}
	return s.refuse(r, app.Refuse(http.StatusBadRequest, "capture_query",
		"A capture has one URL without a query.", "Leave out what follows the question mark."))
}

// The most that is recorded of a query.
const (
	mostParameters = 32
	longestName    = 40
)

// maskedQuery returns a query without the values of its parameters, which it returns, too. A
// parameter whose name is no plain word has no name there.
func maskedQuery(raw string) (query string, values []string) {
	var list []string
	for parameter := range strings.SplitSeq(raw, "&") {
		name, value, named := strings.Cut(parameter, "=")
		if plain, err := url.QueryUnescape(value); err == nil {
			value = plain
		}
		if len(list) == mostParameters {
			break
		}
		if !named || len(name) > longestName || strings.ContainsFunc(name, notOfWord) {
			name, value = "", parameter
		}
		list = append(list, name+"=********")
		if value != "" {
			values = append(values, value)
		}
	}
	return strings.Join(list, "&"), values
}

// notOfWord reports whether a character is none of a plain word.
func notOfWord(r rune) bool {
	return r != '_' && r != '-' && r != '.' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
}
