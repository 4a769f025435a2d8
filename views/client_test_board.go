package views

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// ClientTestTitle is the name of the server that tests clients.
const ClientTestTitle = "Client test"

// ClientTest is the board of the client test.
type ClientTest struct {
	Counts []BoardCount
	Open   []TickRow // what failed, then advisories and notes
	Passed []TickRow
	Next   []capture.Scenario // of which nothing was seen
}

// TickRow is what was observed of one check.
type TickRow struct {
	Scenario, Check, Title, Text, Verdict, Link string
	Path                                        string // to the bytes; empty for none
	Standing                                    Standing
}

// SetTest adds the board of the client test. Its server sends deliberate oddities, so it
// is not judged.
func (c *Client) SetTest(ticks []capture.Tick, r capture.Report) {
	c.Server = ClientSide{}
	for i := range c.Calls {
		c.Calls[i].Server = Standing{glyphNothing, "deliberate", classMuted}
	}
	t := ClientTest{}
	seen := map[string]bool{}
	counts := map[capture.Verdict]int{}
	for _, v := range []capture.Verdict{capture.Failed, capture.Advisory, capture.Noted} {
		for _, tick := range ticks {
			if tick.Verdict == v {
				t.Open = append(t.Open, newTickRow(tick, r))
			}
		}
	}
	for _, tick := range ticks {
		counts[tick.Verdict]++
		seen[tick.Scenario] = seen[tick.Scenario] || tick.Verdict != capture.Unseen
		if tick.Verdict == capture.Passed {
			t.Passed = append(t.Passed, newTickRow(tick, r))
		}
	}
	for _, s := range capture.Scenarios() {
		if !seen[s.ID] {
			t.Next = append(t.Next, s)
		}
	}
	add := func(kind string, v capture.Verdict, words func(n int) string) {
		if n := counts[v]; n > 0 {
			t.Counts = append(t.Counts, BoardCount{Kind: kind, N: n, Words: words(n)})
		}
	}
	numbered := func(word string) func(int) string {
		return func(n int) string { return fmt.Sprintf("%d %s", n, word) }
	}
	counted := func(noun string) func(int) string {
		return func(n int) string { return text.Plural(n, noun) }
	}
	add("fail", capture.Failed, numbered("failed"))
	add("hint", capture.Advisory, counted("advisory"))
	add("note", capture.Noted, counted("note"))
	add("pass", capture.Passed, numbered("passed"))
	add("na", capture.Unseen, numbered("not seen"))
	c.Test = &t
	if c.Requests > 0 && c.unjudged() {
		c.Words += " The client test needs a client of revision 2026-07-28."
	}
	if failed := counts[capture.Failed]; failed > 0 && len(c.Client.Failed) == 0 {
		c.Words, c.Good = "This client fails "+text.Plural(failed, "check")+" of the client test.", false
	}
}

func newTickRow(t capture.Tick, r capture.Report) TickRow {
	row := TickRow{
		Scenario: t.Scenario, Check: t.Check, Text: text.Visible(t.Text, 400), Verdict: string(t.Verdict),
		Path: pathOf(t.Evidence, r), Standing: tickStanding(t.Verdict),
	}
	if s, ok := capture.ByID(t.Scenario); ok {
		row.Title = s.Title
	}
	if sentence, ok := spec.ByID(t.Requirement); ok {
		row.Link = sentence.Link()
	}
	return row
}

func tickStanding(v capture.Verdict) Standing {
	ending, word := v.Standing()
	if ending == narrate.NoEnding {
		return Standing{glyphNothing, word, classMuted}
	}
	return endingAs(ending, word)
}

// pathOf returns where the bytes of a request are.
func pathOf(e capture.Evidence, r capture.Report) string {
	if e.Exchange == "" && e.Conn > 0 {
		return fmt.Sprintf("#round-%d", e.Conn)
	}
	for _, c := range r.Calls {
		if c.Exchange.ID != e.Exchange {
			continue
		}
		for _, round := range c.Transcript.Rounds {
			if holds(round, e.Conn) {
				return fmt.Sprintf("/x/%s?round=%d&panel=wire", e.Exchange, round.N)
			}
		}
	}
	return ""
}

func holds(r playground.Round, conn int) bool {
	if r.Conn == conn {
		return true
	}
	for _, o := range r.Others {
		if o.Conn == conn {
			return true
		}
	}
	return false
}
