package sampletools_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// story is a call that completes if every question is accepted.
type story struct {
	slug, method, params string
	rounds               int
	ends                 string // regular expression
}

func stories() []story {
	call := func(name, arguments string) string {
		return fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments)
	}
	const tool, get, read = "tools/call", "prompts/get", "resources/read"
	return []story{
		{"azure-devops", tool, resolve4522, 2, `^Bug #4522 resolved as Fixed\. State set to Resolved\.$`},
		{"azure-devops", tool, call("update_work_item", `{"workItemId":4310,`+
			`"fields":{"System.State":"Closed"}}`), 2, `^Task #4310 closed after 1 hours`},
		{"azure-devops", tool, call("list_work_items", `{}`), 1, `Bug #4522`},
		{"rolling-upgrade", tool, call("link_accounts", `{}`), 2, `^Linked GitHub as Ada and Google as Ada`},
		{"load-shedding", tool, call("count_primes", `{"below":1000000}`), 2, `^78498 primes below ` +
			`1000000: stages 1-6 on instance ./v1, stages 7-10 on instance ./v1`},
		{"load-shedding", tool, call("count_primes", `{"below":1000000,`+
			`"shedAfter":1}`), 10, `^78498 primes`},
		{"confirm", tool, call("delete_records", `{"table":"orders"}`), 2, `^Deleted 1,200,000 records`},
		{"checkout", tool, call("place_order", `{"item":"bike","amount":900}`), 2, `second factor matched`},
		{"checkout", tool, call("place_order", `{"item":"bell","amount":20}`), 1, `^Ordered bell`},
		{"profile", tool, call("create_profile", `{}`), 2, `created with 14 fields`},
		{"trip", tool, call("plan_trip", `{"destination":"Lisbon"}`), 2, `^4 days of food in Lisbon. ` +
			`The castle. To be saved in file:///home/ada`},
		{"interview", tool, call("prepare_interview", `{"role":"engineer"}`), 3, `^Ask them: The castle`},
		{"workspace", tool, call("describe_workspace", `{}`), 2, `home: file:///home/ada`},
		{"sign-in", tool, call("list_invoices", `{}`), 2, `^Signed in as a guest`},
		{"wizard", tool, call("create_project", `{}`), 5, `^Created the service Ada on a container`},
		{"voucher", tool, call("redeem_voucher", `{"value":25}`), 2, `redeemed for 25 euro`},
		{"prompt-resource", get, call("review_code", `{"language":"Go"}`), 2, `Review this Go code. ` +
			`Look at correctness`},
		{"prompt-resource", read, `{"uri":"report://sales"}`, 2, `Sales in Q1`},
		{"slow", tool, call("wait", `{"seconds":1}`), 1, `^Waited 1 seconds`},
		{"protected", tool, call("list_notes", `{}`), 1, `^Notes of Alice`},
		{"protected", tool, call("send_note", `{"note":"talk"}`), 2, `^Alice sent “Begin with the ` +
			`question” to Carol`},
		{"protected", tool, call("delete_note", `{"note":"talk"}`), 2, `^Alice deleted the note`},
		{"conformance", tool, call("test_input_required_result_multi_round", `{}`), 3, `likes`},
	}
}

func (s story) String() string { return s.slug + " " + s.params }

// Every scenario completes with every round on another instance. The instances
// share nothing but keys.
func TestScenarios_EveryRoundOnAnotherInstance(t *testing.T) {
	p := newPeer(t)
	for _, s := range stories() {
		p.enter(s.slug)
		for _, mode := range []string{"plain", "signed", "sealed"} {
			last, instances := p.drive(func(round int) string {
				return fmt.Sprintf("/mcp/%s?instances=a,b,c&next=%c&state=%s&stream=%d", s.slug,
					'a'+round%3, mode, round%2)
			}, s.method, s.params)
			if !regexp.MustCompile(s.ends).MatchString(last.text()) {
				t.Errorf("%v, %s: ends with %s", s, mode, last.body)
			}
			if len(instances) != s.rounds {
				t.Errorf("%v, %s: %d rounds, want %d", s, mode, len(instances), s.rounds)
			}
			for i := 1; i < len(instances); i++ {
				if instances[i] == instances[i-1] {
					t.Errorf("%v: rounds %d and %d on instance %s", s, i, i+1, instances[i])
				}
			}
		}
	}
}

// An answer to a question that was not asked is ignored, and the question is asked: a client
// that gives every answer in round 1 skips the first round alone, which no state shows.
func TestScenarios_AskWhatWasNotAsked(t *testing.T) {
	p := newPeer(t)
	for _, s := range stories() {
		p.enter(s.slug)
		path := "/mcp/" + s.slug
		all := map[string]any{}
		play := func(extra map[string]any) (rounds int) {
			for range maxRounds {
				r := p.send(path, s.method, s.params, extra)
				if r.resultType() != "input_required" {
					break
				}
				rounds++
				extra = p.answers(r)
				if given, ok := extra["inputResponses"].(map[string]any); ok {
					maps.Copy(all, given)
				}
			}
			return rounds
		}
		asks := play(nil)
		if early := play(map[string]any{"inputResponses": all}); early < asks-1 {
			t.Errorf("%v: asks in %d rounds, and in %d after answers in advance", s, asks, early)
		}
	}
}

// Another process with the same keys continues a call, also after a rotation.
func TestScenarios_AnotherProcessContinues(t *testing.T) {
	first := newPeer(t)
	rotated := first.keys.Rotate()
	second := newPeer(t, func(c *sampletools.Config) { c.Keys = rotated })
	const path = "/mcp/wizard"
	const params = `{"name":"create_project","arguments":{}}`
	one := first.send(path, "tools/call", params, nil)
	two := first.send(path, "tools/call", params, first.answers(one))
	three := second.send(path, "tools/call", params, first.answers(two))
	four := second.send(path, "tools/call", params, second.answers(three))
	five := second.send(path, "tools/call", params, second.answers(four))
	if !strings.Contains(five.text(), "Created") {
		t.Errorf("round 5 in another process: %s", five.body)
	}
}

// The state contains the answers that were asked for, and nothing else.
func TestState_HoldsAnswersAndNoBearer(t *testing.T) {
	p := newPeer(t)
	p.auth = "demo-alice"
	r := p.send("/mcp/azure-devops", "tools/call", resolve4522, map[string]any{
		"inputResponses": map[string]any{"resolution": accept(`{"resolution":"Duplicate",` +
			`"note":"unexpected"}`)}})
	e := seal.Explain(r.state(), p.keys, p.clock.Now())
	if e.Claims == nil {
		t.Fatalf("state of round 2: %s", r.body)
	}
	want := `{"action":"accept","content":{"resolution":"Duplicate"}}`
	if got := string(e.Claims.Answers["resolution"]); got != want {
		t.Errorf("kept answer %s, want %s", got, want)
	}
	if e.Claims.Request.Principal != "alice" || e.Expires.Sub(e.Issued) != time.Hour {
		t.Errorf("claims: %+v", e.Claims)
	}
	if strings.Contains(string(e.JSON), "demo-") || strings.Contains(string(e.JSON), "Bearer") {
		t.Errorf("the state contains a bearer: %s", e.JSON)
	}
}

func TestCatalog_IsComplete(t *testing.T) {
	p := newPeer(t)
	c, err := sampletools.New(sampletools.Config{Keys: p.keys})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, s := range c.Samples() {
		if s.Title == "" || s.Summary == "" || s.Teaches == "" || len(s.Try) == 0 || s.Replay == "" ||
			len(s.Options) == 0 {
			t.Errorf("%s: a field is empty", s.Slug)
		}
		if !json.Valid(s.Start.Params) || s.Start.Method == "" || s.Start.Label == "" {
			t.Errorf("%s: start %+v", s.Slug, s.Start)
		}
		if got, ok := c.Lookup(s.Slug); !ok || got.Title != s.Title {
			t.Errorf("%s: not found by its slug", s.Slug)
		}
		if s.Era == sampletools.Legacy {
			continue
		}
		p.enter(s.Slug)
		r := p.send("/mcp/"+s.Slug+"?"+s.Start.Query, s.Start.Method, string(s.Start.Params), nil)
		if r.Error != nil || r.status != 200 {
			t.Errorf("%s: start gives %d %s", s.Slug, r.status, r.body)
		}
	}
	if _, ok := c.Lookup("nothing"); ok {
		t.Error("Lookup finds a sample that does not exist")
	}
}
