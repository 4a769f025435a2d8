package endpoint

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// MaskedField is the header field that says that a value of the answer was masked when it was
// recorded.
const MaskedField = "Mcp-Recording-Masked"

// RequestField has the number of the recorded request.
const RequestField = "Mcp-Recording-Request"

// MadeField says that an answer was not recorded, but made of the calls.
const MadeField = "Mcp-Recording-Made"

// ErrorField says that an answer is the recording's own, and not the server's.
const ErrorField = "Mcp-Recording-Error"

// ServeHTTP answers a request of a client (basic/transports/streamable-http).
func (s *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		s.post(w, r)
	case http.MethodGet, http.MethodDelete:
		f, ok := s.Recording.Legacy(r.Method, r.Header.Get("Last-Event-Id"))
		if !ok {
			w.Header().Set("Allow", http.MethodPost)
			s.write(w, r, r.Method, own(http.StatusMethodNotAllowed,
				"This is a recorded MCP server: send it JSON-RPC by POST. It has no recorded "+r.Method+"."))
			return
		}
		s.give(w, r, r.Method, f)
	default:
		w.Header().Set("Allow", http.MethodPost)
		s.write(
			w,
			r,
			"",
			own(http.StatusMethodNotAllowed, "This is a recorded MCP server: send it JSON-RPC by POST."),
		)
	}
}

// own returns an answer of the recording in its own name, without an id.
func own(status int, message string) mock.Reply { return mock.OwnError(status, message) }

func (s *Endpoint) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if errors.As(err, new(*http.MaxBytesError)) {
		s.write(w, r, "", own(http.StatusRequestEntityTooLarge,
			"A recording reads requests of at most "+text.Size(MaxBody)+"."))
		return
	}
	if err != nil {
		s.write(w, r, "", own(http.StatusBadRequest, "The request ended before its body did."))
		return
	}
	message, err := jsontree.Parse(body, jsontree.Limits{})
	switch {
	case err != nil:
		s.write(w, r, "", own(http.StatusBadRequest, "The body cannot be read as JSON: "+err.Error()+"."))
	case message.Kind != jsontree.Object:
		s.write(
			w,
			r,
			"",
			own(http.StatusBadRequest,
				"The body is no message of JSON-RPC. A recording reads one at a time."),
		)
	case mock.IsAnswer(message):
		s.answered(w, r, message)
	case message.Get("method").Str() == "":
		s.write(w, r, "", own(http.StatusBadRequest, "The message has no method."))
	default:
		s.called(w, r, message)
	}
}

// called answers a request or a notification.
func (s *Endpoint) called(w http.ResponseWriter, r *http.Request, message *jsontree.Node) {
	method := message.Get("method").Str()
	f, miss := s.Recording.Find(message)
	switch {
	case !message.Has("id") && (miss != nil || f.Answered()):
		w.WriteHeader(http.StatusAccepted) // a notification has no answer
	case miss == nil:
		s.give(w, r, method, f)
	default:
		s.write(w, r, method, s.Recording.Refuse(miss, message.Get("id")))
	}
}

// answered takes the answer to a question of a legacy server.
func (s *Endpoint) answered(w http.ResponseWriter, r *http.Request, message *jsontree.Node) {
	if why := s.answer(message); why != "" {
		s.write(w, r, "", own(http.StatusBadRequest, why))
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// give writes the next recorded answer.
func (s *Endpoint) give(w http.ResponseWriter, r *http.Request, method string, f mock.Found) {
	reply, err := s.reply(r.Context(), f)
	if err != nil {
		reply = own(http.StatusServiceUnavailable, "The recording cannot be read now. Try again.")
	}
	s.write(w, r, method, reply)
}

// write writes an answer. One that broke off when it was recorded breaks off again.
func (s *Endpoint) write(w http.ResponseWriter, r *http.Request, method string, reply mock.Reply) {
	if s.Hold != nil && reply.Waits() {
		release, err := s.Hold(r.Context())
		if err != nil {
			reply = own(http.StatusServiceUnavailable, "Too many answers are held open. Try again later.")
		} else {
			defer release()
		}
	}
	s.note(method, reply)
	if reply.Status == 0 {
		if reply.End == mock.Open {
			<-r.Context().Done()
		}
		panic(http.ErrAbortHandler) // nothing came back
	}
	writeHead(w.Header(), reply)
	w.WriteHeader(reply.Status)
	if !reply.Stream && reply.End == mock.Whole {
		_, _ = w.Write(reply.Body) // the client may be gone
		return
	}
	s.stream(w, r, reply)
}

// writeHead sets the fields of the head of an answer.
func writeHead(h http.Header, reply mock.Reply) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	for _, f := range reply.Fields {
		h.Add(f.Name, f.Value)
	}
	switch {
	case reply.Own != "":
		h.Set(ErrorField, "true")
	case reply.Made:
		h.Set(MadeField, "true")
	default:
		h.Set(RequestField, strconv.Itoa(reply.Request))
	}
	if reply.Masked {
		h.Set(MaskedField, "true")
	}
	switch {
	case reply.Stream:
		h.Set("Content-Type", "text/event-stream")
	case len(reply.Body) > 0 || reply.End != mock.Whole:
		h.Set("Content-Type", "application/json")
	}
}

// stream writes the part of an answer that came before its end.
func (s *Endpoint) stream(w http.ResponseWriter, r *http.Request, reply mock.Reply) {
	out := http.NewResponseController(w)
	_, _ = w.Write(reply.Body)
	for _, e := range reply.Events {
		why, err := s.send(r.Context(), e, func() error {
			_, err := w.Write(e.Bytes)
			return errors.Join(err, out.Flush())
		})
		if err != nil {
			return
		}
		if why != "" {
			fmt.Fprintf(w, "data: %s\n\n", s.Recording.RefuseAnswer(why, reply.ID).Body)
			return
		}
	}
	switch reply.End {
	case mock.Cut:
		_ = out.Flush()
		panic(http.ErrAbortHandler) // ends the connection without the end of the body
	case mock.Open:
		_ = out.Flush()
		<-r.Context().Done()
	}
}
