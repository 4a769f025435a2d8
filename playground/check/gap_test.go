package check_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// asksForAll is a deviation of asksBoth that is no fault: if an answer is missing, it asks
// again for all, so its state keeps none. The Go SDK's server for conformance does so.
const asksForAll = "asks for all"

// asksBoth asks a person and a model at once, and keeps the answer that it gets in a state
// if the other is missing. Fault is its deviation.
func asksBoth(s fakeServer, fault string) http.Handler {
	questions := map[string]string{
		"who": `{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{` +
			`"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}`,
		"model": `{"method":"sampling/createMessage","params":{"maxTokens":9,"messages":[{"role":"user",` +
			`"content":{"type":"text","text":"A title?"}}]}}`,
	}
	needs := map[string]string{"who": "elicitation", "model": "sampling"}
	return odd(s, func(w http.ResponseWriter, _ *http.Request, m message) bool {
		if m.Method != "tools/call" {
			return false
		}
		kept, mac, _ := strings.Cut(stateOf(m), "|")
		if kept != "" && mac != sum(kept) && fault != "flip-after-gap" && fault != asksForAll {
			refuse(w, m, 400, -32602, "")
			return true
		}
		answers := map[string]json.RawMessage{}
		if fault != asksForAll {
			_ = json.Unmarshal([]byte(kept), &answers)
		}
		for key, answer := range m.Params.InputResponses {
			shape := map[string]string{"who": `"action":"accept","content":{"name":"`, "model": `"role"`}[key]
			switch {
			case shape == "":
				continue
			case !strings.HasPrefix(string(answer), "{"), !strings.Contains(string(answer), shape) &&
				fault != "malformed-answer" && !strings.Contains(string(answer), `"action":"`):
				refuse(w, m, 400, -32602, "")
				return true
			case strings.Contains(string(answer), shape) || fault == "malformed-answer":
				answers[key] = answer
			case strings.Contains(string(answer), `"action":"accept"`):
			default:
				complete(w, m, "not done")
				return true
			}
		}
		var asks []string
		declared := string(m.Params.Meta["io.modelcontextprotocol/clientCapabilities"])
		for _, key := range []string{"who", "model"} {
			if answers[key] != nil && (fault != asksForAll || len(answers) == len(questions)) {
				continue
			}
			if !strings.Contains(declared, needs[key]) && (fault != "omit-capability" || key == "who") {
				refuse(w, m, 400, -32021, `{"requiredCapabilities":{"`+needs[key]+`":{}}}`)
				return true
			}
			asks = append(asks, fmt.Sprintf("%q:%s", key, questions[key]))
		}
		if len(asks) == 0 {
			complete(w, m, "done")
			return true
		}
		state := ""
		if len(answers) > 0 {
			text, _ := json.Marshal(answers)
			state = fmt.Sprintf(`"requestState":%q,`, string(text)+"|"+sum(string(text)))
		}
		answer(w, m, `{"resultType":"input_required",`+state+`"inputRequests":{`+
			strings.Join(asks, ",")+`}}`)
		return true
	})
}

// TestRun_QuestionsOfTwoKinds: the faults that only a server with questions of two kinds at
// once can have.
func TestRun_QuestionsOfTwoKinds(t *testing.T) {
	verdicts := map[string]verdict.Outcome{
		"": "", asksForAll: "", "flip-after-gap": verdict.Advisory, "malformed-answer": verdict.Advisory,
		"omit-capability": verdict.Failed,
	}
	for fault := range verdicts {
		parallel(t, "fault "+fault, func(t *testing.T) {
			clock := newClock()
			server := inMemory(t, asksBoth(fakeServer{now: clock.Now}, fault))
			plan := planOf(server.url() + "/mcp")
			plan.Target.Capabilities = []byte(`{"elicitation":{},"sampling":{}}`)
			r := checkOf(t, checkConfig(t, clock, run.NewMemory(), server), plan)
			found := remarks(r)
			for id, verdict := range verdicts {
				if id != fault {
					verdict = ""
				}
				if found[id] != verdict {
					show(t, r)
					t.Errorf("%s: %s, want %s", id, found[id], verdict)
				}
			}
		})
	}
}
