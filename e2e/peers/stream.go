package peers

import (
	"net/http"
	"net/http/httptest"
	"strings"
)

// Stream is how a server sends a response as an event stream.
type Stream struct {
	Name   string
	before string // sent before the response
	piece  int    // bytes that are sent at once; 0 for all
	stays  bool   // the stream stays open after the response, until the client closes it
	after  string // sent after the response
	errors bool   // errors are streams too
}

// Streams are right in different ways.
func Streams() []Stream {
	return []Stream{
		{Name: "at once"},
		{Name: "left open", stays: true},
		{Name: "byte by byte", piece: 1, errors: true},
		{Name: "in odd pieces", piece: 7, stays: true, errors: true},
		{Name: "after a comment", before: ": keep-alive\r\n\r\n", piece: 3},
		{Name: "after an id", before: "id: 1\nretry: 5000\ndata:\n\n", stays: true},
		{Name: "before a comment", after: ": bye\n\n", stays: true},
		{Name: "with errors", errors: true},
		{Name: "left open, even an error", errors: true, stays: true},
	}
}

// Streamed sends what h answers in JSON as event streams.
func Streamed(h http.Handler, s Stream) http.Handler {
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
func (s Stream) write(w http.ResponseWriter, text string) {
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
