package capture_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// desk is a server on lines whose tool asks for a name, as lines of a Tape.
type desk struct {
	lines []string
	id    int
}

// ask calls the tool, which asks with a state.
func (d *desk) ask(arguments, state string) {
	d.id++
	d.lines = append(d.lines, asks(d.id, "tools/call", `"name":"a","arguments":`+arguments+`,`, ""),
		gives(d.id, `"resultType":"input_required","requestState":"`+state+`","inputRequests":{"who":`+
			`{"method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":`+
			`{"type":"object","properties":{"name":{"type":"string"}}}}}},`+nameOfServer))
}

// answer sends the retry with more members of its params, which completes.
func (d *desk) answer(arguments, more string) {
	d.id++
	d.lines = append(d.lines, asks(d.id, "tools/call", `"name":"a","arguments":`+arguments+`,`+more, ""),
		gives(d.id, doneResult+","+nameOfServer))
}

const (
	nameOfServer = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}`
	answerOfDesk = `"inputResponses":{"who":{"action":"accept","content":{"name":"Ada"}}},`
)

// TestTape_Retries: what is wrong with a retry is named in the first call and in the fifth one,
// after four that are right.
func TestTape_Retries(t *testing.T) {
	for name, c := range map[string]struct {
		call     func(d *desk)
		failed   []string
		unjoined int
	}{
		"right": {func(d *desk) {
			d.ask(`{}`, "S5")
			d.answer(`{}`, answerOfDesk+`"requestState":"S5",`)
		}, nil, 0},
		"the state is changed": {func(d *desk) {
			d.ask(`{}`, "S5")
			d.answer(`{}`, answerOfDesk+`"requestState":"S6",`)
		}, []string{"C2"}, 0},
		"the state is left out": {func(d *desk) {
			d.ask(`{}`, "S5")
			d.answer(`{}`, answerOfDesk)
		}, []string{"C2"}, 0},
		"the arguments are changed": {func(d *desk) {
			d.ask(`{}`, "S5")
			d.answer(`{"x":1}`, answerOfDesk+`"requestState":"S5",`)
		}, []string{"C5"}, 0},
		"two calls wait, and the state is that of neither": {func(d *desk) {
			d.ask(`{}`, "S5")
			d.ask(`{}`, "S6")
			d.answer(`{}`, answerOfDesk+`"requestState":"S7",`)
		}, []string{"C2"}, 0},
		"two calls wait, and are answered": {func(d *desk) {
			d.ask(`{}`, "S5")
			d.ask(`{}`, "S6")
			d.answer(`{}`, answerOfDesk+`"requestState":"S5",`)
			d.answer(`{}`, answerOfDesk+`"requestState":"S6",`)
		}, nil, 0},
		"two calls wait with one state, and are answered": {func(d *desk) {
			d.ask(`{}`, "S")
			d.ask(`{}`, "S")
			d.answer(`{}`, answerOfDesk+`"requestState":"S",`)
			d.answer(`{}`, answerOfDesk+`"requestState":"S",`)
		}, nil, 0},
		"the state is that of another call": {func(d *desk) {
			d.ask(`{"n":1}`, "S5")
			d.ask(`{"n":2}`, "S6")
			d.answer(`{"n":1}`, answerOfDesk+`"requestState":"S6",`)
		}, []string{"C5"}, 0},
		"a retry of no call": {func(d *desk) {
			d.answer(`{"n":1}`, answerOfDesk+`"requestState":"S5",`)
		}, nil, 1},
		"a retry with two faults": {func(d *desk) {
			d.ask(`{"n":1}`, "S5")
			d.answer(`{"n":2}`, answerOfDesk+`"requestState":"S6",`)
		}, nil, 1},
	} {
		for _, before := range []int{0, 4} {
			t.Run(fmt.Sprintf("%s after %d", name, before), func(t *testing.T) {
				var d desk
				for n := range before {
					d.ask(`{}`, fmt.Sprint("S", n))
					d.answer(`{}`, answerOfDesk+fmt.Sprintf(`"requestState":"S%d",`, n))
				}
				c.call(&d)
				r, _ := tape(roomy, d.lines...)
				var got []string
				for _, f := range r.Findings {
					if f.Verdict == verdict.Failed || f.Verdict == verdict.Advisory && f.Side == rules.Client {
						got = append(got, f.Rule)
					}
				}
				if !slices.Equal(got, c.failed) || r.Unjoined() != c.unjoined {
					t.Errorf("%q, %d unjoined", got, r.Unjoined())
				}
				b := capture.NewBoard("s", []capture.Run{{Report: r, Stdio: true}}, capture.Selection{})
				h := b.Verdict().Headline()
				if strings.Contains(h.Words, "could not be joined") != (c.unjoined > 0) ||
					c.unjoined > 0 && h.Outcome == verdict.Passed {
					t.Errorf("the headline is %s: %s", h.Outcome, h.Words)
				}
			})
		}
	}
}
