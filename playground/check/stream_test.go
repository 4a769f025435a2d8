package check_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

// streamStyle is how a right server sends a response as an event stream.
type streamStyle struct {
	before string // sent before the response
	piece  int    // bytes that are sent at once; 0 for all
	stays  bool   // the stream stays open after the response, until the client closes it
	after  string // sent after the response
	errors bool   // errors are streams too
}

// streamStyles are right in different ways.
var streamStyles = map[string]streamStyle{
	"at once":             {},
	"left open":           {stays: true},
	"byte by byte":        {piece: 1, errors: true},
	"in odd pieces":       {piece: 7, stays: true, errors: true},
	"after a comment":     {before: ": keep-alive\r\n\r\n", piece: 3},
	"after an id":         {before: "id: 1\nretry: 5000\ndata:\n\n", stays: true},
	"before a comment":    {after: ": bye\n\n", stays: true},
	"with errors":         {errors: true},
	"open, even an error": {errors: true, stays: true},
}

// streamed sends what h answers as event streams.
func streamed(h http.Handler, s streamStyle) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, r)
		isJSON := strings.HasPrefix(answer.Body.String(), "{")
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		if !isJSON || answer.Code/100 != 2 && !s.errors {
			w.WriteHeader(answer.Code)
			_, _ = w.Write(answer.Body.Bytes())
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Accel-Buffering", "no")
		w.WriteHeader(answer.Code)
		data := "data: " + strings.ReplaceAll(answer.Body.String(), "\n", "\ndata: ")
		s.write(w, s.before+"event: message\n"+data+"\n\n"+s.after)
		if s.stays {
			<-r.Context().Done()
		}
	})
}

// write sends a text in pieces.
func (s streamStyle) write(w http.ResponseWriter, text string) {
	for len(text) > 0 {
		n := len(text)
		if s.piece > 0 {
			n = min(n, s.piece)
		}
		_, _ = w.Write([]byte(text[:n]))
		_ = http.NewResponseController(w).Flush()
		text = text[n:]
	}
}

// TestRun_StreamsAreNotAccused: a right server that answers with event streams,
// however they are cut and whenever they end, is judged as one that answers with
// JSON.
func TestRun_StreamsAreNotAccused(t *testing.T) {
	for name, s := range streamStyles {
		for _, tool := range []string{"pay", "job"} {
			parallel(t, tool+"/"+name, func(t *testing.T) {
				clock := newClock()
				r := checked(t, clock, streamed(fakeServer{now: clock.Now, jobs: &jobs{}}, s), tool)
				if diff := cmp.Diff(map[string]rules.Verdict{}, remarks(r)); diff != "" || !r.OK() {
					show(t, r)
					t.Error(diff)
				}
				for _, p := range r.Results {
					task := p.Group == lab.GroupTask && tool == "job"
					if task && (p.Verdict == rules.NA || len(p.Exchanges) == 0) {
						t.Errorf("%s was not judged: %s", p.ID, p.Text)
					}
				}
			})
		}
	}
}
