package picture

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// response is the arrow back to the client, or the event instead of a response.
func (s *builder) response(r playground.Round, at int) Step {
	step := Step{Kind: Reply, Round: r.N, From: at, To: client, Message: Message{r.N, Response}}
	step.Label, step.Mark = narrate.Response(r), s.mark(r)
	if r.Legacy && !s.brief && r.Kind == playground.OutcomeInputRequired && len(r.Questions) == 1 &&
		r.Questions[0].Method != "" {
		step.Label = visible(r.Questions[0].Method) // the next arrow has its words
	}
	if r.State != nil {
		state, _ := jsontree.Parse(r.State, jsontree.Limits{})
		step.State = "requestState " + stateSize(state)
	}
	step.Sentence = s.responseSentence(r, at, step)
	return step
}

// mark is how the arrow of a response ends, given the status of the whole call.
func (s *builder) mark(r playground.Round) Mark {
	mark := responseMark(r)
	switch {
	case mark == Wrong && s.judged == Judged{r.N, narrate.Good}:
		return Done
	case mark == Wrong && s.judged == Judged{r.N, narrate.Unknown}:
		return NoMark
	case (mark == Done || mark == NoMark) && s.judged == Judged{r.N, narrate.Bad}:
		return Wrong
	case mark.beside() && s.declined == r.N:
		return Neutral
	}
	return mark
}

// responseMark is how the arrow of a response ends.
func responseMark(r playground.Round) Mark {
	switch r.Kind {
	case playground.OutcomeComplete:
		if r.IsError {
			return Wrong
		}
		return Done
	case playground.OutcomeInputRequired, playground.OutcomeRetry, playground.OutcomeTask,
		playground.OutcomeTaskStatus,
		playground.OutcomeAck, playground.OutcomePending:
		return NoMark
	case playground.OutcomeRPCError, playground.OutcomeHTTPError, playground.OutcomeViolation:
		return Wrong
	case playground.OutcomeCancelled:
		if r.Result != nil {
			return Neutral
		}
		return Cut
	case playground.OutcomeInterrupted:
		return Cut
	}
	return Broken
}

func (s *builder) responseSentence(r playground.Round, at int, step Step) string {
	who, with := capital(s.name(at)), ""
	if step.State != "" {
		with = ", with " + statePhrase(step.State)
	}
	switch r.Kind {
	case playground.OutcomeComplete:
		switch {
		case step.Mark == Neutral:
			return who + " returns complete, and the call ends."
		case r.IsError:
			return who + " returns complete, but the tool reports an error."
		}
		return who + " returns complete: the call is done."
	case playground.OutcomeInputRequired:
		if r.Legacy {
			return fmt.Sprintf("%s asks for %s, and the call stays open.", who, narrate.Keys(r.Questions))
		}
		return fmt.Sprintf("%s returns input_required and asks for %s%s.", who,
			narrate.Keys(r.Questions), with)
	case playground.OutcomeRetry:
		return fmt.Sprintf("%s returns input_required without a question%s.", who, with)
	case playground.OutcomeCancelled:
		if r.Result != nil {
			return who + " returns the task as cancelled."
		}
		if r.Lost != "" {
			return "The answer was lost, and the call was cancelled."
		}
		return "You cancel the request, so its response never arrives. " + narrate.MayHaveFinished(r)
	case playground.OutcomeInterrupted:
		return "The request was interrupted. " + narrate.Unfinished(r)
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

// failureDetail is the sentence that describes a failure, or else its few
// words.
func failureDetail(r playground.Round) string {
	if r.Detail != "" {
		return visible(r.Detail)
	}
	return narrate.Failure(r.Class)
}

// notices adds one arrow for all notifications of a Round: the latest progress,
// or else their number.
func (s *builder) notices(r playground.Round, at int) {
	count, latest := 0, ""
	for _, m := range r.AllMessages() {
		if m.Node == nil || m.IsResponse() || m.Method() == "" || m.Node.Has("id") && r.Legacy {
			continue
		}
		count++
		if m.Method() == playground.ProgressNotified {
			latest = progress(m.Node.Get("params"))
		}
	}
	if count == 0 {
		return
	}
	number := text.Plural(count, "notification")
	label, sentence := number, fmt.Sprintf("%s sends %s.", capital(s.name(at)), number)
	if latest != "" {
		label = "progress " + latest
		sentence = fmt.Sprintf("%s sends %s; the latest progress is %s.", capital(s.name(at)), number, latest)
	}
	s.add(Step{
		Kind: Notice, Round: r.N, From: at, To: client, Label: label, Message: Message{r.N, Response},
		Sentence: sentence,
	})
}

// progress is a value of progress, with its total if there is one.
func progress(params *jsontree.Node) string {
	value := visible(string(params.Get("progress").Raw()))
	if total := params.Get("total"); total != nil && value != "" {
		return value + " of " + visible(string(total.Raw()))
	}
	return value
}

// sentence ends a sentence that may have its full stop already.
func sentence(s string) string { return strings.TrimRight(s, ". ") + "." }

// capital begins a sentence with the name of a lane, which begins with ASCII.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
