package expect

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Steps returns the messages that are expected, a line each.
func (e Expectation) Steps() []string {
	if e.whole != nil {
		return Came(e.Call, playground.Transcript{Rounds: e.whole})
	}
	p := sequence{}
	p.add("-> %s", called(e.Call))
	for _, r := range e.Rounds {
		p.add("<- %s", asks(r.Asks))
		if r.Stops {
			p.add("   nothing more is sent")
			return p.lines
		}
		p.add("%s", sent(len(r.Asks)))
	}
	if e.Result != nil {
		p.add("<- %s", e.Result.words())
	}
	return p.lines
}

// Came returns the messages of a transcript, a line each, in the words of Steps.
func Came(c playground.Call, f playground.Transcript) []string {
	p := sequence{}
	p.add("-> %s", called(c))
	for i, r := range f.Rounds {
		switch {
		case r.Kind == playground.OutcomeTask || r.Kind == playground.OutcomeTaskStatus:
			continue
		case !r.Open():
			p.add("<- %s", ended(r))
			continue
		}
		p.add("<- %s", asks(asked(r)))
		if i+1 < len(f.Rounds) {
			p.add("%s", sent(len(r.Questions)))
		} else {
			p.add("   nothing more is sent")
		}
	}
	return p.lines
}

type sequence struct{ lines []string }

func (p *sequence) add(format string, args ...any) {
	p.lines = append(p.lines, text.Visible(fmt.Sprintf(format, args...), 200))
}

func called(c playground.Call) string { return strings.TrimSpace(c.Method + " " + c.Name()) }

func sent(questions int) string {
	switch questions {
	case 0:
		return "-> the same call, with its state"
	case 1:
		return "-> the same call, with the answer"
	}
	return "-> the same call, with the answers"
}

// asks names questions: their keys, and their methods without the part that all have.
func asks(list []Ask) string {
	if len(list) == 0 {
		return "asks nothing and wants the call again"
	}
	words := make([]string, len(list))
	for i, a := range list {
		words[i] = a.name()
	}
	return "asks for " + strings.Join(words, ", ")
}

// name returns the key and the method: `seat (elicitation/create)`.
func (a Ask) name() string {
	if a.Key == "" {
		return text.Visible(a.Method, 80)
	}
	return text.Visible(a.Key, 80) + " (" + text.Visible(a.Method, 80) + ")"
}

// asked returns the questions of a round.
func asked(r playground.Round) []Ask {
	var list []Ask
	for _, q := range r.Questions {
		a := Ask{Key: q.Key, Method: q.Method}
		if r.Legacy {
			a.Key = ""
		}
		list = append(list, a)
	}
	return list
}

// words says how the call must end.
func (r Result) words() string {
	switch {
	case r.Outcome == playground.OutcomeComplete && r.IsError != nil && *r.IsError:
		return "completes, and the tool reports an error"
	case r.Outcome == playground.OutcomeComplete:
		return "completes"
	case r.Outcome == playground.OutcomeRPCError && r.Code != nil:
		return fmt.Sprintf("error %d", *r.Code)
	}
	return outcomeWords[r.Outcome]
}

// ended says how a round ended that is not open.
func ended(r playground.Round) string {
	w := Result{Outcome: r.Kind, IsError: &r.IsError}
	if r.Error != nil {
		w.Code = &r.Error.Code
	}
	words := w.words()
	if r.Kind == playground.OutcomeHTTPError && r.Head.Status > 0 {
		words += fmt.Sprintf(" %d", r.Head.Status)
	}
	return words
}

// outcomeWords are the words for the outcomes that end a call without a result.
var outcomeWords = map[playground.OutcomeKind]string{
	playground.OutcomePending:        "no response yet",
	playground.OutcomeRPCError:       "an error",
	playground.OutcomeHTTPError:      "HTTP error",
	playground.OutcomeTransportError: "no response: the connection failed",
	playground.OutcomeViolation:      "a response that breaks the protocol",
	playground.OutcomeCancelled:      "the call was cancelled",
	playground.OutcomeInterrupted:    "the call was interrupted",
	playground.OutcomeAck:            "an acknowledgment",
}

// columnWidth is the width of a column of Beside.
const columnWidth = 37

// Beside returns two sequences for a terminal: side by side, or one below the other if a line
// is too long for that. Lines that differ are marked.
func Beside(expected, came []string) []string {
	const marked, same = " | ", "   "
	wide := false
	for _, line := range append(append([]string{}, expected...), came...) {
		wide = wide || len([]rune(line)) > columnWidth
	}
	at := func(list []string, i int) string {
		if i < len(list) {
			return list[i]
		}
		return ""
	}
	if wide {
		return below(expected, came)
	}
	list := []string{fmt.Sprintf("%-*s%s%s", columnWidth, "expected", same, "came")}
	for i := range max(len(expected), len(came)) {
		left, right, mark := at(expected, i), at(came, i), same
		if left != right {
			mark = marked
		}
		list = append(list, strings.TrimRight(fmt.Sprintf("%-*s%s%s", columnWidth, left, mark, right), " "))
	}
	return list
}

// below returns the sequences one below the other.
func below(expected, came []string) []string {
	list := []string{"expected"}
	for i, line := range expected {
		list = append(list, markOf(came, i, line)+line)
	}
	list = append(list, "came")
	for i, line := range came {
		list = append(list, markOf(expected, i, line)+line)
	}
	return list
}

// markOf marks a line that another sequence does not have at the same place.
func markOf(other []string, i int, line string) string {
	if i < len(other) && other[i] == line {
		return "  "
	}
	return "| "
}
