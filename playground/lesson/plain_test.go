package lesson_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// request sends a message that is not a retry, as tasks need.
func (a *actor) request(rest string) {
	method, text, _ := strings.Cut(rest, " ")
	text = strings.ReplaceAll(text, "$task", a.task)
	meta := a.last().Sent.At("params", "_meta").Raw()
	params, err := jsontree.Set(json.RawMessage(text), jsontree.Pair{Key: "_meta", Value: meta})
	a.must(err)
	a.conn++
	params, err = jsontree.Set(params, a.edits...)
	a.must(err)
	a.edits = nil
	frame, err := a.encode(wire.Request{URL: a.x.Target.URL, Method: method,
		ID: strconv.AppendInt(nil, int64(1000+a.conn), 10), Params: params})
	a.must(err)
	a.frame = frame
	a.sent, err = jsontree.Parse(frame.Body, jsontree.Limits{})
	a.must(err)
	var body []byte
	a.caller.Send(a.Context(), a.x.Target.URL, frame,
		func(p wire.Part) error { body = append(body, p.Bytes...); return nil })
	answer := wire.Split(body)
	a.answered, err = wire.ParseHead(answer.Head)
	a.must(err)
	a.status = a.answered.Status
	a.got, err = jsontree.Parse(answer.Body, jsontree.Limits{})
	a.must(err)
}

// post sends a plain HTTP request.
func (a *actor) post(rest string) {
	path, text, _ := strings.Cut(rest, " ")
	if a.got.Has("state") {
		a.plain = a.got
	}
	if a.plain != nil {
		text = strings.NewReplacer("$state", a.plain.Get("state").Str(), "$number",
			number(a.plain.At("question", "text").Str())).Replace(text)
	}
	w := httptest.NewRecorder()
	a.catalog.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(text)))
	var err error
	a.got, err = jsontree.Parse(w.Body.Bytes(), jsontree.Limits{})
	a.must(err)
	a.status = w.Code
}

// get reads a document.
func (a *actor) get(path string) {
	w := httptest.NewRecorder()
	a.catalog.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, http.NoBody))
	var err error
	a.got, err = jsontree.Parse(w.Body.Bytes(), jsontree.Limits{})
	a.must(err)
	a.status = w.Code
}

// visit fills in the page of the question in URL mode, whose fields include the
// parameters of its URL, and sends it.
func (a *actor) visit(rest string) {
	page, err := url.Parse(a.last().Questions[0].Params.Get("url").Str())
	a.must(err)
	fields, err := url.ParseQuery(rest)
	a.must(err)
	for name, values := range page.Query() {
		fields[name] = values
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, page.Path, strings.NewReader(fields.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	a.catalog.ServeHTTP(w, r)
	a.status = w.Code
}

// number returns the number that the banking app of the checkout shows.
func number(message string) string {
	_, rest, _ := strings.Cut(message, "banking app shows ")
	n, _, _ := strings.Cut(rest, ".")
	return n
}
