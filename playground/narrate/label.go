package narrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// label returns the action of a Round, in a few words.
func (s narrator) label() string {
	r := s.r
	switch r.Kind {
	case playground.OutcomePending:
		return "running"
	case playground.OutcomeInputRequired:
		return s.verb("asks for ", "asked for ") + Keys(r.Questions)
	case playground.OutcomeRetry:
		return s.verb("asks for a retry", "asked for a retry")
	case playground.OutcomeComplete:
		if refused := refusedKeys(r.Decision.Answers); refused != "" {
			return strings.Fields(refused)[0]
		}
		if r.IsError {
			return "tool error"
		}
		return "complete"
	case playground.OutcomeTask:
		return "became a task"
	case playground.OutcomeTaskStatus:
		status := text.Visible(r.Task.Status, 40)
		if len(r.Unseen()) > 0 {
			status = "answer not taken yet"
		}
		return status + times(r.Polls)
	case playground.OutcomeAck:
		if r.Method == playground.TasksCancel {
			return "asked to stop"
		}
		return "sent " + answers(r.Decision.Answers)
	}
	return Response(r)
}

func times(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" ×%d", n)
}

// Response returns how a Round ended, in a few words close to the wire.
func Response(r playground.Round) string {
	switch r.Kind {
	case playground.OutcomePending:
		return "no response yet"
	case playground.OutcomeComplete:
		if r.IsError {
			return "complete, with isError"
		}
		return "complete"
	case playground.OutcomeInputRequired:
		if r.Legacy {
			return "asks for " + Keys(r.Questions)
		}
		return "input_required: " + Keys(r.Questions)
	case playground.OutcomeRetry:
		return "input_required, no question"
	case playground.OutcomeTask:
		return "task created"
	case playground.OutcomeTaskStatus:
		return "task " + text.Visible(r.Result.Get("status").Str(), 40)
	case playground.OutcomeAck:
		return "received"
	case playground.OutcomeRPCError:
		return fmt.Sprintf("error %d", r.Error.Code)
	case playground.OutcomeHTTPError:
		return fmt.Sprintf("HTTP %d", r.Head.Status)
	case playground.OutcomeViolation:
		return "invalid response"
	case playground.OutcomeInterrupted:
		return "interrupted"
	case playground.OutcomeCancelled:
		if r.Result != nil {
			return "task cancelled"
		}
		if r.Lost != "" {
			return "cancelled"
		}
		return "cancelled by you"
	}
	return Failure(r.Class)
}

// Failure returns the class of a failed connection in a few words.
func Failure(c playground.Class) string {
	switch c {
	case wire.BadURL:
		return "invalid URL"
	case wire.BlockedAddress:
		return "address not allowed"
	case wire.DNS:
		return "name not found"
	case wire.TLS:
		return "TLS failed"
	case wire.TLSUntrusted:
		return "certificate not trusted"
	case wire.TLSExpired:
		return "certificate not valid now"
	case wire.TLSName:
		return "certificate for another name"
	case wire.TLSChanged:
		return "certificate changed"
	case wire.NoTLS:
		return "no TLS"
	case wire.TimeoutConnect, wire.TimeoutFirstByte, wire.TimeoutIdle, wire.TimeoutTotal:
		return "timed out"
	case wire.Reset:
		return "connection lost"
	case "":
		return "failed"
	}
	return strings.ReplaceAll(text.Visible(string(c), 40), "_", " ")
}

// maxKeys is how many keys are named in a few words.
const maxKeys = 3

// Keys returns the names of the questions, as far as they fit in a few words.
func Keys(questions []playground.Question) string {
	names := make([]string, len(questions))
	for i, q := range questions {
		names[i] = q.Label()
	}
	return Names(names)
}

// Names returns a list of keys, as far as it fits in a few words.
func Names(keys []string) string {
	names := make([]string, 0, maxKeys)
	for i, k := range keys {
		if i == maxKeys {
			return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), len(keys)-maxKeys)
		}
		names = append(names, Key(k))
	}
	return strings.Join(names, ", ")
}

// Key returns a key as it can be read. It is the server's word and may be
// empty.
func Key(key string) string {
	if key == "" {
		return "“”"
	}
	return text.Visible(key, 40)
}

func answers(list []playground.Answer) string {
	words := make([]string, 0, len(list))
	for _, a := range list {
		words = append(words, Answer(a))
	}
	return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), ", ")
}
