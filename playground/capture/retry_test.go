package capture_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/capture/capturetest"
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

// askAgain answers, and the tool asks again with another state.
func (d *desk) askAgain(arguments, state, next string) {
	d.ask(arguments, next)
	retry := &d.lines[len(d.lines)-2]
	*retry = asks(d.id, "tools/call",
		`"name":"a","arguments":`+arguments+`,`+answerOfDesk+`"requestState":"`+state+`",`, "")
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

// TestTape_Retries: the fault of a retry is named in the first call and in the
// fifth one, after four that are right.
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
					if f.Verdict == verdict.Failed ||
						f.Verdict == verdict.Advisory && f.Side == rules.Client {
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

// TestTape_Clients: on lines, each bad client is named by its rule and by no other, in its first
// call and in its fifth one, and nothing is held against an unusual one.
func TestTape_Clients(t *testing.T) {
	for _, b := range slices.Concat(capturetest.Bad(), capturetest.Unusual()) {
		if b.Where == capturetest.OverHTTP {
			continue
		}
		for _, before := range []int{0, 4} {
			t.Run(fmt.Sprintf("%s after %d", b.Name, before), func(t *testing.T) {
				p := newTaping(roomy)
				b.Run(before, func(r capturetest.Request) map[string]any {
					var lines [][]byte
					for _, message := range r.Bodies() {
						p.FromClient([]byte(message+"\n"), p.next())
						lines = append(lines, capturetest.Desk.Line([]byte(message)))
					}
					var response map[string]any
					for _, line := range lines {
						if line != nil {
							p.FromServer(append(line, '\n'), p.next())
							_ = json.Unmarshal(line, &response)
						}
					}
					return response
				})
				checkClient(t, p.End(p.next()), b)
			})
		}
	}
}

// checkClient fails unless a report names a client by its rule and by no other.
func checkClient(t *testing.T, r capture.Report, b capturetest.Client) {
	t.Helper()
	var got, want []string
	for _, f := range r.Findings {
		if line := f.Rule + " " + string(f.Verdict); f.Side == rules.Client &&
			(f.Verdict == verdict.Failed || f.Verdict == verdict.Advisory) && !slices.Contains(got, line) {
			got = append(got, line)
			t.Logf("%s: %s", f.Rule, f.Text)
		}
		if b.Rule == "" && f.Verdict == verdict.Failed {
			t.Errorf("%s: %s", f.Rule, f.Text)
		}
	}
	if b.Rule != "" {
		want = []string{b.Rule + " " + string(verdict.Failed)}
	}
	if b.Hint {
		want = []string{b.Rule + " " + string(verdict.Advisory)}
	}
	if !slices.Equal(got, want) || r.Unjoined() != b.Lost() {
		t.Errorf("%q, want %q; %d retries could not be joined", got, want, r.Unjoined())
	}
}
