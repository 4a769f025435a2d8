// Package narrate describes a Round in words: once for the page, the ribbon,
// the picture, Markdown and the terminal, so that they never disagree. Its
// words follow from the record. It claims nothing that was not seen: of a
// foreign server it does not say what the server keeps, and of a request
// without an answer not whether it arrived.
//
// Every word of a server in it is harmless (package text), but not escaped for
// a format: a writer of HTML or Markdown does that. It names no experiment. The
// package is pure.
package narrate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Narration is one Round in words.
type Narration struct {
	Label    string // a few words without a subject: "asks for resolution"
	Response string // the same as the wire says it: "input_required: resolution"
	Sentence string // the event, and why the next step follows
	Answer   string // what its questions were answered with, in a few words; "" if they were not
	Ending   Ending
}

// Round returns the narration of Round i (from 0) of an exchange with t, for the
// person who made the call. The newest Round of a call that goes on is described
// in the present tense, others in the past tense.
func Round(t playground.Target, f playground.Transcript, i int) Narration {
	return newNarrator(t, f, i).narration(f, i)
}

// Recorded is Round for a reader of a recording, who did not make the call and
// cannot continue it.
func Recorded(t playground.Target, f playground.Transcript, i int) Narration {
	n := newNarrator(t, f, i)
	n.reader, n.past = true, true
	return n.narration(f, i)
}

// narrator knows what a sentence is about.
type narrator struct {
	r      playground.Round
	next   *playground.Round // the Round after it; nil if there is none
	status playground.Status // of the call, if r is its last Round; else ""
	name   string            // of the server
	sample bool              // whose workings are known
	past   bool              // the Round was answered, or the call has ended
	reader bool              // the sentence is not for the person who made the call
}

func newNarrator(t playground.Target, f playground.Transcript, i int) narrator {
	s := narrator{r: f.Rounds[i], name: text.Visible(t.Name, 80), sample: t.Sample != ""}
	if i+1 < len(f.Rounds) {
		s.next, s.past = &f.Rounds[i+1], true
		return s
	}
	s.status = f.Status
	s.past = f.Status != playground.StatusRunning && f.Status != playground.StatusWaiting
	return s
}

// capital returns a sentence with a capital at its start, unless it starts with
// the name of the server, which stays as it is: "mcp.example.com needs ...".
func capital(sentence, name string) string {
	if name != "" && strings.HasPrefix(sentence, name) {
		return sentence
	}
	first, size := utf8.DecodeRuneInString(sentence)
	return string(unicode.ToUpper(first)) + sentence[size:]
}

func (s narrator) narration(f playground.Transcript, i int) Narration {
	sentence := s.sentence()
	if sentence == "" {
		sentence = strings.TrimSpace("There is no usable response. " + text.Visible(s.r.Detail, 400))
	}
	n := Narration{
		Label: s.label(), Response: Response(s.r), Ending: EndingOf(f, i),
		Sentence: capital(sentence, s.name),
	}
	if s.next != nil {
		n.Answer = answers(s.next.Answers())
	} else if s.refused() != "" {
		n.Answer = "refused"
	}
	return n
}

// verb returns the verb in the tense of the sentence.
func (s narrator) verb(present, past string) string {
	if s.past {
		return past
	}
	return present
}

// user names the person who made the call, as a subject.
func (s narrator) user() string {
	if s.reader {
		return "The user"
	}
	return "You"
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
		return s.pending()
	case playground.OutcomeInputRequired:
		return s.asked() + s.refused()
	case playground.OutcomeRetry:
		return s.paused() + s.refused()
	case playground.OutcomeComplete:
		return s.complete()
	case playground.OutcomeInterrupted:
		return "The playground stopped while the request was running. " + Unfinished(s.r) + s.advice()
	case playground.OutcomeCancelled:
		return s.gaveUp() + MayHaveFinished(s.r)
	}
	return s.failed()
}

// gaveUp says that the user cancelled the request. Over HTTP that closes its connection;
// on a line a notification says so.
func (s narrator) gaveUp() string {
	if s.r.OnLine() {
		return s.user() + " cancelled the request before the response arrived. "
	}
	return s.user() + " closed the connection before the response arrived. "
}

// pending describes a request without a response yet.
func (s narrator) pending() string {
	words := fmt.Sprintf("The request %s on its way to %s", s.verb("is", "was"), s.name)
	if len(s.r.AllMessages()) > 0 {
		words = fmt.Sprintf("%s %s received the request and %s working on it", s.server(),
			s.verb("has", "had"), s.verb("is", "was"))
	}
	if s.reader {
		words += " when the recording was made"
	}
	return words + "."
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
		words := strings.TrimSpace("There is no usable response: " + lower(detail))
		if s.r.Notifications() > 0 {
			words += " " + Unfinished(s.r)
		}
		return words
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

// server names the server: of a sample the instance that served the Round.
func (s narrator) server() string {
	name, version := s.r.ServedBy()
	switch {
	case name == "":
		return s.name
	case version == "":
		return "Instance " + text.Visible(name, 40)
	}
	return "Instance " + text.Visible(name, 40) + " (" + text.Visible(version, 40) + ")"
}

// Unfinished returns a sentence about a request whose response never arrived or
// is not complete.
func Unfinished(r playground.Round) string {
	if started := started(r); started != "" {
		return started + ". Whether it finished is unknown."
	}
	return "Whether the server received the request is unknown."
}

// MayHaveFinished is Unfinished for a request that the user gave up.
func MayHaveFinished(r playground.Round) string {
	if started := started(r); started != "" {
		return started + " and may have finished anyway."
	}
	return "The server may have finished anyway."
}

// started says how far the server is known to have come: "The server had
// started (6 of 10)". It returns "" if nothing came from it.
func started(r playground.Round) string {
	messages := r.AllMessages()
	if len(messages) == 0 {
		return ""
	}
	for _, m := range slices.Backward(messages) {
		if m.Method() != playground.ProgressNotified {
			continue
		}
		params := m.Node.Get("params")
		far := text.Visible(string(params.Get("progress").Raw()), 40)
		if total := params.Get("total"); total != nil && far != "" {
			far += " of " + text.Visible(string(total.Raw()), 40)
		}
		if far != "" {
			return "The server had started (" + far + ")"
		}
	}
	return "The server had started"
}

// advice is for the user before sending the request again, with a space before
// it.
func (s narrator) advice() string {
	if s.reader || s.next != nil {
		return ""
	}
	return " Retry only if running the call twice is safe."
}

func (s narrator) asked() string {
	asked := fmt.Sprintf("%s asked for %s and closed the request", s.server(), Keys(s.r.Questions))
	answer := s.answers()
	switch {
	case s.r.State == nil && s.sample && s.past:
		return asked + ". It kept nothing: the same call with the " + answer + " was enough."
	case s.r.State == nil && s.sample:
		return asked + ". It keeps nothing: the same call with your " + answer + " is enough."
	case s.r.State == nil:
		return asked + fmt.Sprintf(". It sent no requestState: it %s for the same call with %s %s.",
			s.verb("asks", "asked"), s.verb("your", "the"), answer)
	case s.sample && s.past:
		return asked + ". It kept nothing: it sent what it must remember as requestState."
	case s.sample:
		return asked + ". It keeps nothing: what it must remember travels as requestState."
	case s.past:
		return asked + ". It sent a requestState" + s.echoed() + "."
	}
	return asked + ". Its requestState goes back unchanged with your " + answer + "."
}

// echoed says whether the next request had the requestState of the Round, as
// the second part of a sentence. It returns "" if there is no next request.
func (s narrator) echoed() string {
	if s.next == nil || s.next.Sent == nil {
		return ""
	}
	switch sent := s.next.Sent.At("params", "requestState").Raw(); {
	case sent == nil:
		return ", which did not go back"
	case bytes.Equal(sent, s.r.State) && text.HasMask(sent):
		return ", which went back; it is masked here"
	case bytes.Equal(sent, s.r.State):
		return ", which went back unchanged"
	}
	return ", which went back changed"
}

// refused says that the user ended the call instead of answering, with a space
// before it. It returns "" if the user did not.
func (s narrator) refused() string {
	if s.status != playground.StatusDeclined || !s.r.Open() {
		return ""
	}
	return " " + s.user() + " refused, and the call ended here."
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
	again := ""
	if s.next != nil && s.next.Method == s.r.Method {
		again = " The same call was sent again."
	}
	switch {
	case s.sample && s.past:
		return s.server() + " paused this attempt and returned its progress as requestState." + again
	case s.sample:
		return s.server() + " paused this attempt and returned its progress as requestState. " +
			"Retry at any time; any instance can continue."
	case s.past:
		return s.server() + " asked for nothing and sent a requestState." + again
	}
	return s.server() + " asks for nothing and sent a requestState. The same call can be sent again with it."
}

func (s narrator) complete() string {
	before := ""
	if n := s.r.Notifications(); n > 0 {
		before = "sent " + text.Plural(n, "notification") + " and "
	}
	switch refused := refusedKeys(s.r.Decision.Answers); {
	case refused != "":
		return fmt.Sprintf("%s %s, and %s %sended the call.", s.user(), refused, s.server(), before)
	case s.r.IsError:
		return s.server() + " " + before + "finished the call with an error of the tool. " +
			"It is part of the result (isError), so a model can read it."
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
