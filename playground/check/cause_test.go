package check_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// inTurn is a server that keeps nothing between two questions, and so never ends.
func inTurn(w http.ResponseWriter, _ *http.Request, m message) bool {
	if m.Method != "tools/call" {
		return false
	}
	key := "who"
	if m.Params.InputResponses["who"] != nil {
		key = "sure"
	}
	answer(w, m, `{"resultType":"input_required","inputRequests":{"`+key+
		`":{"method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":{`+
		`"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}}}}`)
	return true
}

// insists is a server that takes one answer and then asks the next question again and again.
func insists(w http.ResponseWriter, r *http.Request, m message) bool {
	if m.Params.InputResponses["sure"] != nil {
		delete(m.Params.InputResponses, "sure")
		m.Params.InputResponses["who"] = json.RawMessage(`{}`)
	}
	return inTurn(w, r, m)
}

// blames is a server that refuses an answer with this error.
func blames(code int) func(http.ResponseWriter, *http.Request, message) bool {
	return func(w http.ResponseWriter, _ *http.Request, m message) bool {
		if m.Method != "tools/call" || m.Params.InputResponses == nil {
			return false
		}
		refuse(w, m, http.StatusBadRequest, code, "")
		return true
	}
}

// TestRun_BlamesOnlyWhatTheErrorIsAbout: an error that is not about parameters blames no
// answer, although it was made up.
func TestRun_BlamesOnlyWhatTheErrorIsAbout(t *testing.T) {
	for code, blamed := range map[int]bool{-32602: true, -32600: true, -32603: false, -32004: false} {
		parallel(t, strconv.Itoa(code), func(t *testing.T) {
			clock := newClock()
			m := inMemory(t, odd(fakeServer{now: clock.Now}, blames(code)))
			plan := planOf(m.url() + "/mcp")
			plan.Answers = nil
			r := checkOf(t, checkConfig(t, clock, run.NewMemory(), m), plan)
			if got := strings.Contains(r.Detail, "placeholder"); got != blamed {
				t.Errorf("%s", r.Detail)
			}
		})
	}
}

// TestRun_StateThatIsOnlyPresent: nothing is gained by changing a state that the server does
// not read, so the experiment gives advice.
func TestRun_StateThatIsOnlyPresent(t *testing.T) {
	parallel(t, "present", func(t *testing.T) {
		clock := newClock()
		server := fakeServer{now: clock.Now, style: style{
			seal: func(claims) string { return "a-state-that-nobody-reads" },
			open: func(string) (claims, bool) {
				return claims{Exp: clock.Now().Add(time.Hour).Unix(), Amount: 7, Who: alice}, true
			},
		}}
		r := checked(t, clock, server)
		for _, id := range []string{"flip-state", "truncate-state"} {
			p := result(t, r, id)
			if p.Verdict != verdict.Advisory || !strings.Contains(p.Text, "only that there is one") {
				t.Errorf("%s: %s %s", id, p.Verdict, p.Text)
			}
		}
	})
}

// TestRun_NamesTheCause: a report says why the right call did not end, and why
// its experiments were not made, and blames no answer that the server took.
func TestRun_NamesTheCause(t *testing.T) {
	for name, c := range map[string]struct {
		own     func(http.ResponseWriter, *http.Request, message) bool
		answers string
		status  lab.Status
		detail  string
		skipped string // of skip-answer
	}{
		"does not fit": {
			answers: `{"who":{"age":36}}`, status: lab.Complete,
			detail: "The right call stopped after round 1: no answer fits what it asked (who). " +
				"Other arguments or answers would allow more checks.",
			skipped: "No answer to the questions of round 1 was sent.",
		},
		"wrong shape": {
			answers: `{"who":"Ada"}`, status: lab.Stopped,
			detail: `The check ended before every experiment was run. The answer to "who" must be the ` +
				`content of the form, an object, or {"action":"accept","content":{…}}, ` +
				`where action can be decline or cancel, without content.`,
			skipped: "No answer to the questions of round 1 was sent.",
		},
		"a key that was never asked": {
			answers: `{"whom":{"name":"Ada","age":36}}`, status: lab.Stopped,
			detail: `The check ended before every experiment was run. "whom" was never asked, ` +
				`and the answer to "who" was made up.`,
			skipped: "The experiment was not run.",
		},
		"in turn": {
			own: inTurn, status: lab.Complete,
			detail: "The right call did not end within 20 rounds. Round 20 asked what round 2 did (sure). " +
				"Other arguments or answers would allow more checks.",
		},
		"the second one": {
			own: insists, status: lab.Complete,
			detail: "The right call did not end within 20 rounds. Round 20 asked what round 2 did (sure). " +
				`The answer to "sure" looks like a placeholder. Give an answer to that question.`,
		},
		"the second one, answered": {
			own: insists, answers: `{"sure":{"a":"yes"}}`, status: lab.Complete,
			detail: "The right call did not end within 20 rounds. Round 20 asked what round 2 did (sure). " +
				"Other arguments or answers would allow more checks.",
		},
	} {
		parallel(t, name, func(t *testing.T) {
			clock := newClock()
			var h http.Handler = fakeServer{now: clock.Now}
			if c.own != nil {
				h = odd(h, c.own)
			}
			m := inMemory(t, h)
			plan := planOf(m.url() + "/mcp")
			plan.Answers = nil
			if c.answers != "" {
				if err := json.Unmarshal([]byte(c.answers), &plan.Answers); err != nil {
					t.Fatal(err)
				}
			}
			r := checkOf(t, checkConfig(t, clock, run.NewMemory(), m), plan)
			if r.Status != c.status || r.Detail != c.detail || r.Verdict().OK() {
				t.Errorf("%s: %s", r.Status, r.Detail)
			}
			if c.skipped != "" && (result(t, r, "skip-answer").Text != c.skipped ||
				strings.Contains(r.Compared, "made")) {
				t.Errorf("%s\n%s", result(t, r, "skip-answer").Text, r.Compared)
			}
		})
	}
}
