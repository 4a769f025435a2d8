package rules

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Asked counts the calls of some runs whose server asked for something that the client
// declares.
type Asked struct {
	Calls     int
	Continued int // with an answer, also one that declines
	Left      int // whose last questions were not answered
	Waiting   int // of those left: the client has done nothing else since
	Unjoined  int // retries that could not be joined to their calls
}

// Lines returns the lines about all calls together: whether one that was asked
// was continued, and which retries were not judged.
func (a Asked) Lines() []verdict.Line {
	var list []verdict.Line
	if a.Calls > 0 {
		list = append(list, a.continued())
	}
	if a.Unjoined > 0 {
		list = append(list, verdict.Line{
			ID: "joined", Title: "Every retry can be joined to its call.", Outcome: verdict.NotJudged,
			Sentence: unjoinedWords(a.Unjoined), Times: a.Unjoined,
		})
	}
	return list
}

// continued says how many calls were continued. Clients may stop, so a call that was left
// is no failure; but nothing shows its retry.
func (a Asked) continued() verdict.Line {
	calls := text.Plural(a.Calls, "call") + " that asked something"
	l := verdict.Line{ID: "continued", Title: "A call that is asked is continued.", Times: 1}
	switch {
	case a.Continued > 0 && a.Left == a.Waiting:
		l.Outcome = verdict.Passed
		l.Sentence = fmt.Sprintf("The client continued %d of %s.", a.Continued, calls)
	case a.Continued > 0:
		l.Outcome, l.Times = verdict.Stopped, a.Left-a.Waiting
		were := "were"
		if l.Times == 1 {
			were = "was"
		}
		l.Sentence = fmt.Sprintf("%d of %s %s not continued to the end.", l.Times, calls, were)
	case a.Unjoined > 0:
		l.Outcome = verdict.NotJudged
		l.Sentence = fmt.Sprintf("No retry could be joined to the %s.", calls)
	case a.Waiting == a.Calls:
		l.Outcome, l.Sentence = verdict.NotJudged, "No answer yet to "+calls+"."
	default:
		l.Outcome, l.Sentence = verdict.Stopped, fmt.Sprintf("The client continued none of %s.", calls)
	}
	return l
}

// unjoinedWords says how many retries were not judged, in one sentence.
func unjoinedWords(n int) string {
	if n == 1 {
		return "1 retry could not be joined to its call and was not judged."
	}
	return fmt.Sprintf("%d retries could not be joined to their calls and were not judged.", n)
}

// stopped returns that calls were left, in a sentence, if they were.
func (a Asked) stopped() []string {
	if l := a.continued(); a.Calls > 0 && l.Outcome == verdict.Stopped {
		return []string{l.Sentence}
	}
	return nil
}

// Gaps returns why the record proves nothing although nothing failed, a sentence each: the
// client continued nothing, or retries were not judged.
func (a Asked) Gaps() []string {
	var list []string
	if a.Continued == 0 {
		list = a.stopped()
	}
	if a.Unjoined > 0 {
		list = append(list, unjoinedWords(a.Unjoined))
	}
	return list
}

// LeftOpen returns the calls that the client left open although it continued
// something, a sentence each.
func (a Asked) LeftOpen() []string {
	if a.Continued == 0 {
		return nil
	}
	return a.stopped()
}
