// Package narrate describes a Round in words: once for the page, the ribbon,
// the picture, Markdown and the terminal. What it says follows from the record.
// It claims nothing that was not seen: of a foreign server it does not say what
// the server keeps, and of a request without an answer not whether it arrived.
//
// Every word of a server in it is harmless (package text). It names no
// experiment.
package narrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Narration is one Round in words.
type Narration struct {
	Label    string // a few words without a subject: "asks for resolution"
	Response string // the same as the wire says it: "input_required: resolution"
	Sentence string // what happened, and why the next step follows
	Answer   string // what its questions were answered with, in a few words; "" if nothing was
}

// Round returns the narration of Round i (from 0) of an exchange with t.
func Round(t playground.Target, f playground.Transcript, i int) Narration {
	r := f.Rounds[i]
	n := Narration{Label: label(r), Response: Response(r), Sentence: Sentence(t, r)}
	if i+1 < len(f.Rounds) {
		n.Answer = answers(f.Rounds[i+1].Answers())
		if r.Kind == playground.OutcomeInputRequired {
			n.Label = "asked for " + Keys(r.Questions)
		}
	}
	return n
}

// Sentence returns one or two sentences about what happened in a Round with the
// server t.
func Sentence(t playground.Target, r playground.Round) string {
	s := narrator{r: r, name: text.Visible(t.Name, 80), sample: t.Sample != ""}
	sentence := s.sentence()
	if sentence == "" {
		sentence = strings.TrimSpace("There is no usable response. " + text.Visible(r.Detail, 400))
	}
	return strings.ToUpper(sentence[:1]) + sentence[1:]
}

// narrator knows what a sentence is about.
type narrator struct {
	r      playground.Round
	name   string // of the server
	sample bool   // whose workings are known
}

func (s narrator) sentence() string {
	switch {
	case s.r.Legacy:
		return s.legacy()
	case s.r.Task != nil:
		return s.task()
	}
	switch s.r.Kind {
	case playground.OutcomePending:
		if len(s.r.AllMessages()) > 0 {
			return s.server() + " has received the request and is working on it."
		}
		return fmt.Sprintf("The request is on its way to %s.", s.name)
	case playground.OutcomeInputRequired:
		return s.asked()
	case playground.OutcomeRetry:
		return s.paused()
	case playground.OutcomeComplete:
		return s.complete()
	case playground.OutcomeInterrupted:
		return "The playground stopped while the request was running. " + s.unknown()
	case playground.OutcomeCancelled:
		return "You closed the connection before the response arrived. The server may have finished anyway."
	}
	return s.failed()
}

// failed describes a Round without a result that the call can continue with.
func (s narrator) failed() string {
	detail := text.Visible(s.r.Detail, 1000)
	switch s.r.Kind {
	case playground.OutcomeRPCError, playground.OutcomeHTTPError:
		return detail
	case playground.OutcomeViolation:
		return "The response violates the protocol: " + lower(detail)
	case playground.OutcomeTransportError:
		return strings.TrimSpace("There is no usable response: " + lower(detail))
	}
	return ""
}

// lower returns a sentence as the part after a colon: it begins in lower case
// unless its first word is a name of the protocol, and ends with a full stop.
func lower(sentence string) string {
	for _, article := range []string{"The ", "It ", "This ", "A ", "What "} {
		if strings.HasPrefix(sentence, article) {
			sentence = strings.ToLower(sentence[:1]) + sentence[1:]
		}
	}
	if sentence != "" && !strings.HasSuffix(sentence, ".") {
		sentence += "."
	}
	return sentence
}

// server names the server, and the instance of a sample that served the Round.
func (s narrator) server() string {
	if s.r.Instance == "" {
		return s.name
	}
	return s.name + ", instance " + text.Visible(s.r.Instance, 40) + ","
}

// unknown says what is known of a request without an answer.
func (s narrator) unknown() string {
	if len(s.r.AllMessages()) > 0 {
		return "The server had started. Whether it finished is unknown, so retry only if running the " +
			"call twice is safe."
	}
	return "Whether the server received it is unknown, so retry only if running the call twice is safe."
}

func (s narrator) asked() string {
	needs := fmt.Sprintf("%s needs %s. It closed the request with input_required", s.server(), s.needs())
	switch {
	case s.r.State == nil && s.sample:
		return needs + " and kept nothing. The same call with your " + s.answers() +
			" is enough, so there is no requestState."
	case s.r.State == nil:
		return needs + " and sent no requestState: it asks for the same call with your " + s.answers() + "."
	case s.sample:
		return needs + " and kept nothing: what it must remember travels with you as requestState."
	}
	return needs + ". Its requestState goes back unchanged with your " + s.answers() + "."
}

func (s narrator) answers() string {
	if len(s.r.Questions) == 1 {
		return "answer"
	}
	return "answers"
}

// needs is how much is asked, and by which keys.
func (s narrator) needs() string {
	if len(s.r.Questions) == 1 {
		return "one more thing: " + Keys(s.r.Questions)
	}
	return fmt.Sprintf("%d more things: %s", len(s.r.Questions), Keys(s.r.Questions))
}

func (s narrator) paused() string {
	if s.sample {
		return s.server() + " paused this attempt and returned its progress as requestState. Retry at any " +
			"time; any instance can continue."
	}
	return s.server() + " asks for nothing and sent a requestState. The same call can be sent again with it."
}

func (s narrator) complete() string {
	before := ""
	if n := s.r.Notifications(); n > 0 {
		before = "sent " + text.Plural(n, "notification") + " and "
	}
	switch refused := refusedKeys(s.r.Decision.Answers); {
	case s.r.IsError:
		return s.server() + " " + before + "finished the call, and the tool reports an error."
	case refused != "":
		return fmt.Sprintf("You %s, and %s %sended the call.", refused, s.server(), before)
	case s.sample && before == "":
		return "The request contained everything needed, so " + s.server() + " finished the call."
	case s.r.N == 1:
		return s.server() + " " + before + "finished the call without asking for anything."
	}
	return s.server() + " " + before + "finished the call."
}

// refusedKeys says which questions were declined or cancelled: "declined
// resolution". It returns "" if none was.
func refusedKeys(answers []playground.Answer) string {
	for _, verb := range []struct{ action, past string }{{"decline", "declined "}, {"cancel", "cancelled "}} {
		var keys []string
		for _, a := range answers {
			if a.Action() == verb.action {
				keys = append(keys, text.Visible(a.Key, 40))
			}
		}
		if len(keys) > 0 {
			return verb.past + strings.Join(keys, ", ")
		}
	}
	return ""
}

// label returns what a Round did, in a few words.
func label(r playground.Round) string {
	switch r.Kind {
	case playground.OutcomePending:
		return "running"
	case playground.OutcomeInputRequired:
		return "asks for " + Keys(r.Questions)
	case playground.OutcomeRetry:
		return "asks for a retry"
	case playground.OutcomeComplete:
		if r.IsError {
			return "tool error"
		}
		if refused := refusedKeys(r.Decision.Answers); refused != "" {
			return strings.Fields(refused)[0]
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
