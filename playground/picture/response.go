package picture

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// response is the arrow back to the client, or what came instead of a response.
func (s *builder) response(r playground.Round, at int) Step {
	step := Step{Kind: Reply, Round: r.N, From: at, To: client}
	step.Label, step.Mark = responseLabel(r)
	if r.State != nil {
		state, _ := jsontree.Parse(r.State, jsontree.Limits{})
		step.State = "requestState " + stateSize(state)
	}
	step.Sentence = s.responseSentence(r, at, step)
	return step
}

func responseLabel(r playground.Round) (string, Mark) {
	switch r.Kind {
	case playground.OutcomeComplete:
		if r.IsError {
			return "complete, with isError", Wrong
		}
		return "complete", Done
	case playground.OutcomeInputRequired:
		if r.Legacy {
			return "asks for " + keyList(questionKeys(r)), NoMark
		}
		return "input_required: " + keyList(questionKeys(r)), NoMark
	case playground.OutcomeRetry:
		return "input_required, no question", NoMark
	case playground.OutcomeTask:
		return "task created", NoMark
	case playground.OutcomeTaskStatus:
		return "task " + visible(r.Result.Get("status").Str()), NoMark
	case playground.OutcomeAck:
		return "received", NoMark
	case playground.OutcomeCancelled:
		if r.Result != nil {
			return "task cancelled", Wrong
		}
	}
	return failureLabel(r)
}

func failureLabel(r playground.Round) (string, Mark) {
	switch r.Kind {
	case playground.OutcomeRPCError:
		return fmt.Sprintf("error %d", r.Error.Code), Wrong
	case playground.OutcomeHTTPError:
		return fmt.Sprintf("HTTP %d", r.Head.Status), Wrong
	case playground.OutcomeViolation:
		return "invalid response", Wrong
	case playground.OutcomeCancelled:
		return "cancelled by you", Broken
	case playground.OutcomeInterrupted:
		return "interrupted", Broken
	}
	return failureWords(r.Class), Broken
}

// failureWords describes a failed connection in a few words.
func failureWords(c playground.Class) string {
	switch c {
	case wire.BadURL:
		return "invalid URL"
	case wire.BlockedAddress:
		return "address not allowed"
	case wire.DNS:
		return "name not found"
	case wire.Refused:
		return "refused"
	case wire.Unreachable:
		return "unreachable"
	case wire.TLS:
		return "TLS failed"
	case wire.TimeoutConnect, wire.TimeoutFirstByte, wire.TimeoutIdle, wire.TimeoutTotal:
		return "timed out"
	case wire.TooLarge:
		return "too large"
	case wire.Reset:
		return "connection lost"
	}
	return strings.ReplaceAll(visible(string(c)), "_", " ")
}

func (s *builder) responseSentence(r playground.Round, at int, step Step) string {
	who, with := capital(s.name(at)), ""
	if step.State != "" {
		with = ", with " + statePhrase(step.State)
	}
	switch r.Kind {
	case playground.OutcomeComplete:
		if r.IsError {
			return who + " returns complete, but the tool reports an error."
		}
		return who + " returns complete: the call is done."
	case playground.OutcomeInputRequired:
		if r.Legacy {
			return fmt.Sprintf("%s asks for %s, and the call stays open.", who, keyList(questionKeys(r)))
		}
		return fmt.Sprintf("%s returns input_required and asks for %s%s.", who, keyList(questionKeys(r)), with)
	case playground.OutcomeRetry:
		return fmt.Sprintf("%s returns input_required without a question%s.", who, with)
	case playground.OutcomeCancelled:
		if r.Result != nil {
			return who + " returns the task as cancelled."
		}
		return "You cancel the request; its response never arrives."
	case playground.OutcomeInterrupted:
		return "The request was interrupted; it is unknown whether the server received it."
	case playground.OutcomeTransportError:
		return fmt.Sprintf("The response of %s never arrives: %s", s.name(at), sentence(failureDetail(r)))
	}
	return fmt.Sprintf("%s responds: %s", who, sentence(responseDetail(r, step)))
}

// responseDetail is the sentence that describes a response, or else its label.
func responseDetail(r playground.Round, step Step) string {
	if r.Detail != "" {
		return visible(r.Detail)
	}
	return step.Label
}

// failureDetail is the sentence that describes a failure, or else its few words.
func failureDetail(r playground.Round) string {
	if r.Detail != "" {
		return visible(r.Detail)
	}
	return failureWords(r.Class)
}

// notices adds one arrow for all notifications of a Round: the latest progress,
// or else their number.
func (s *builder) notices(r playground.Round, at int) {
	count, latest := 0, ""
	for _, m := range r.Heard() {
		if m.Node == nil || m.IsResponse() || m.Method() == "" || m.Node.Has("id") && r.Legacy {
			continue
		}
		count++
		if m.Method() == "notifications/progress" {
			latest = progress(m.Node.Get("params"))
		}
	}
	if count == 0 {
		return
	}
	number := plural(count, "notification")
	label, sentence := number, fmt.Sprintf("%s sends %s.", capital(s.name(at)), number)
	if latest != "" {
		label = "progress " + latest
		sentence = fmt.Sprintf("%s sends %s; the latest progress is %s.", capital(s.name(at)), number, latest)
	}
	s.add(Step{Kind: Notice, Round: r.N, From: at, To: client, Label: label, Sentence: sentence})
}

// progress is a value of progress, with its total if there is one.
func progress(params *jsontree.Node) string {
	value := visible(string(params.Get("progress").Raw()))
	if total := params.Get("total"); total != nil && value != "" {
		return value + " of " + visible(string(total.Raw()))
	}
	return value
}

func questionKeys(r playground.Round) []string {
	keys := make([]string, 0, len(r.Questions))
	for _, q := range r.Questions {
		keys = append(keys, q.Label())
	}
	return keys
}

// sentence ends a sentence that may have its full stop already.
func sentence(s string) string { return strings.TrimRight(s, ". ") + "." }

// capital begins a sentence with the name of a lane, which begins with ASCII.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
