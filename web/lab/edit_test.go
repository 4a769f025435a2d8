package lab_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

func wantChanges(t *testing.T, page string, want ...string) {
	t.Helper()
	if got := sitetest.ChangesOf(page); !slices.Equal(got, want) {
		t.Errorf("changes %q, want %q", got, want)
	}
}

// TestEdit_ForgedClaims edits the claims of a state by the form. A plain state
// is accepted, and the result shows the damage; with the others the sample
// refuses, because nothing signs or seals for a visitor.
func TestEdit_ForgedClaims(t *testing.T) {
	t.Parallel()
	for mode, want := range map[lab.Protection]string{
		lab.Plain: "accepted", lab.Signed: "rejected", lab.Sealed: "rejected",
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			s := sitetest.New(t, app.Local)
			original := s.InMode("azure-devops", mode)
			before := s.Get(original).Body
			form := sitetest.EditForm(t, s.Get(original+"/edit?round=2").Body)
			sitetest.Replace(t, form, "claims", `"Duplicate"`, `"Fixed"`)
			form.Set("do", "changes")
			page := s.Post(original+"/edit", form.Encode()).Body
			list := sitetest.ChangesOf(page)
			if len(list) != 2 || !strings.HasPrefix(list[0], "requestState: ") ||
				!strings.HasSuffix(list[1], `"Duplicate" → "Fixed"`) {
				t.Errorf("changes %q", list)
			}
			form.Set("do", "send")
			if got := s.Post(original+"/edit", form.Encode()); got.Status != 303 {
				t.Fatalf("%d %q", got.Status, sitetest.Codes(got.Body))
			}
			branch := s.Get(s.Last)
			branch.Has(t, `[data-experiment="edited"]`, `[data-reaction="`+want+`"]`,
				`[data-verdict="unjudged"]`, `"The checks here cover only what this branch sent."`)
			if mode == lab.Plain {
				branch.Has(t, `"Fixed"`)
			} else {
				branch.Has(t, `"error -32602"`)
			}
			if after := s.Get(original).Body; sitetest.Rounds(after) != sitetest.Rounds(before) {
				t.Error("the original did not stay as it was")
			}
			s.NoErrors()
		})
	}
}

// TestEdit_EveryPart: each part of a request can be changed, is listed as
// changed, on the page and on the branch, and is put back by its button.
func TestEdit_EveryPart(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	original := s.InMode("azure-devops", lab.Sealed)
	right := sitetest.EditForm(t, s.Get(original+"/edit?round=2").Body)
	for part, edit := range map[string][4]string{
		"header":  {"headers", "Mcp-Name: update_work_item\r\n", "", "Mcp-Name left out"},
		"id":      {"body", `"id": 3`, `"id": 1`, "id 3 → 1"},
		"method":  {"body", `"tools/call"`, `"tools/list"`, `method "tools/call" → "tools/list"`},
		"params":  {"body", `"workItemId": 4522`, `"workItemId": 1`, "params.arguments.workItemId 4522 → 1"},
		"answers": {"body", `4301`, `4302`, "inputResponses.duplicate_of.content.duplicateOfId 4301 → 4302"},
		"meta":    {"body", `"round-3"`, `"x"`, `_meta.progressToken "round-3" → "x"`},
		"state":   {"body", `mrtr1.sealed.`, `mrtr1.Sealed.`, "requestState: 1 byte differs"},
		"body":    {"body", `"jsonrpc": "2.0"`, `"jsonrpc": "1.0"`, `jsonrpc "2.0" → "1.0"`},
	} {
		form := url.Values{}
		for name, values := range right {
			form[name] = values
		}
		sitetest.Replace(t, form, edit[0], edit[1], edit[2])
		form.Set("do", "changes")
		page := s.Post(original+"/edit", form.Encode())
		page.Has(t, `[data-change="`+part+`"]`)
		wantChanges(t, page.Body, edit[3])
		form.Set("do", "reset-"+part)
		reset := s.Post(original+"/edit", form.Encode())
		wantChanges(t, reset.Body)
		if got := sitetest.EditForm(t, reset.Body); got.Encode() != right.Encode() {
			t.Errorf("%s: reset to %s, want %s", part, got, right)
		}
		form.Set("do", "send")
		if got := s.Post(original+"/edit", form.Encode()); got.Status != 303 {
			t.Fatalf("%s: %d %q", part, got.Status, sitetest.Codes(got.Body))
		}
		branch := s.Get(s.Last).Body
		wantChanges(t, branch, edit[3])
		wantChanges(t, s.Get(sitetest.Value(t, branch, "[data-do=edit-again]", "href")).Body, edit[3])
	}
	s.NoErrors()
}

// TestEdit_NotJSON: a body that is no JSON is sent as it is.
func TestEdit_NotJSON(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	original := s.StartOf("azure-devops")
	form := sitetest.EditForm(t, s.Get(original+"/edit?round=0").Body)
	form.Set("body", "{\"jsonrpc\":\r\n</textarea>")
	form.Set("do", "changes")
	page := s.Post(original+"/edit", form.Encode())
	page.Has(t, `"not JSON: "`, `"</textarea>"`)
	form.Set("do", "send")
	if got := s.Post(original+"/edit", form.Encode()); got.Status != 303 {
		t.Fatalf("%d %q", got.Status, sitetest.Codes(got.Body))
	}
	s.Get(s.Last+"?view=exact").Has(t, `"not JSON"`, `"{"jsonrpc": </textarea>"`,
		`[data-reaction="rejected"]`)
}

// TestEdit_Bounds: a request that cannot be sent is refused with a sentence,
// and the form keeps the input.
func TestEdit_Bounds(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	original := s.StartOf("azure-devops")
	right := sitetest.EditForm(t, s.Get(original+"/edit").Body)
	before := s.Get("/history").Body
	for line, code := range map[string]string{
		"Host: elsewhere": "bad_header", "Content-Length: 3": "bad_header", "Connection: close": "bad_header",
		"Transfer-Encoding: chunked": "bad_header", "no colon": "bad_header", "a b: c": "bad_header",
		strings.Repeat("X-A: 1\r\n", 51):         "bad_header",
		"X-Long: " + strings.Repeat("a", 17<<10): "bad_header",
	} {
		form := url.Values{"round": right["round"], "body": right["body"], "do": {"send"},
			"headers": {right.Get("headers") + line}}
		got := s.Post(original+"/edit", form.Encode())
		if got.Status != 422 || !slices.Contains(sitetest.Codes(got.Body), code) {
			t.Errorf("%.30q: %d %q", line, got.Status, sitetest.Codes(got.Body))
		}
		if kept := sitetest.EditForm(t, got.Body); strings.TrimSpace(kept.Get("headers")) !=
			strings.TrimSpace(form.Get("headers")) {
			t.Errorf("%.30q: the form did not keep it", line)
		}
	}
	huge := url.Values{"round": right["round"], "headers": right["headers"], "do": {"send"},
		"body": {strings.Repeat("a", lab.MaxEditBody)}}
	if got := s.Post(original+"/edit", huge.Encode()); got.Status != 413 {
		t.Errorf("a huge body: %d", got.Status)
	}
	if s.Get("/history").Body != before {
		t.Error("a branch is stored although nothing was sent")
	}
}

// TestEdit_IsForTheOwner: another visitor cannot see or send an exchange's
// request, in particular not the claims of its state.
func TestEdit_IsForTheOwner(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Public)
	s.Follow("/exchanges", url.Values{"sample": {"azure-devops"}})
	original := s.Last
	page := s.Page(original + "/edit?round=1")
	form := sitetest.EditForm(t, page.Body)
	s.Cookies = ""
	if got := s.Page(original + "/edit?round=1"); got.Status != 404 {
		t.Errorf("another visitor's GET: %d", got.Status)
	}
	if got := s.Follow(original+"/edit", form); got.Status != 404 {
		t.Errorf("another visitor's POST: %d", got.Status)
	}
}

// TestEdit_OpensNoStateOfOthers: neither a recording that was imported nor a
// call that was continued with a state from elsewhere shows its content.
func TestEdit_OpensNoStateOfOthers(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	victim := s.StartOf("azure-devops")
	s.Post(victim+"/rounds", "round=1&a0.action=accept&a0.f0=Duplicate")
	form := sitetest.EditForm(t, s.Get(victim+"/edit?round=2").Body)
	if !form.Has("claims") {
		t.Fatal("the own state is not opened")
	}
	var message struct{ Params struct{ RequestState string } }
	sitetest.Check(t, json.Unmarshal([]byte(form.Get("body")), &message))
	if seal.ModeOf(message.Params.RequestState) != seal.Sealed {
		t.Fatalf("state %q", message.Params.RequestState)
	}
	recording := s.Get(victim + ".json").Body
	asJSON := map[string][]string{"Content-Type": {"application/json"}}
	if got := s.Do("POST", "/import", recording, asJSON); got.Status != 303 {
		t.Fatalf("import: %d", got.Status)
	}
	imported := sitetest.Find(t, s.Get(s.Last).Body, `(/x/\w+)`)
	if page := s.Get(imported + "/edit?round=2").Body; htmltest.Parse(page).Has(`[name="claims"]`) {
		t.Error("the state of an imported recording is opened")
	}
	bench := s.Get("/state?x=" + strings.TrimPrefix(imported, "/x/"))
	bench.Has(t, `"`+message.Params.RequestState+`"`)
	bench.HasNot(t, `[data-verification="sample"]`, `"azure-devops""`)
	own := s.StartOf("azure-devops")
	first := sitetest.EditForm(t, s.Get(own+"/edit?round=1").Body)
	var mine map[string]any
	sitetest.Check(t, json.Unmarshal([]byte(first.Get("body")), &mine))
	params := mine["params"].(map[string]any)
	params["requestState"] = message.Params.RequestState
	params["inputResponses"] = map[string]any{"resolution": map[string]any{"action": "accept",
		"content": map[string]any{"resolution": "Duplicate"}}}
	body, err := json.Marshal(mine)
	sitetest.Check(t, err)
	first.Set("body", string(body))
	if got := s.Post(own+"/edit", first.Encode()); got.Status != 303 {
		t.Fatalf("%d %q", got.Status, sitetest.Codes(got.Body))
	}
	branch := s.Get(s.Last + "?panel=state").Body
	if !htmltest.Parse(branch).Has(`[data-status="waiting"]`) {
		t.Fatalf("the state of another call was not accepted: %s", sitetest.Excerpt(branch))
	}
	if strings.Contains(branch, "sha256:") || htmltest.Parse(branch).Has(`""answers""`) {
		t.Error("the State panel opens what a state of another call became")
	}
	if page := s.Get(s.Last + "/edit").Body; htmltest.Parse(page).Has(`[name="claims"]`) {
		t.Error("the editor opens what a state of another call became")
	}
	bench = s.Get("/state?x=" + strings.TrimPrefix(s.Last, "/x/"))
	bench.Has(t, `"mrtr1.sealed."`)
	bench.HasNot(t, `[data-verification="sample"]`, `"azure-devops""`)
}

// TestEdit_MasksSecrets: the user's credentials are stars on the page, are sent
// as they are if the stars were left alone, and new ones are stored nowhere.
func TestEdit_MasksSecrets(t *testing.T) {
	t.Parallel()
	server, address := sitetest.NewEcho(t)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(address, "token", "planted-token-edit-1", "declares", "shown", "declare", "elicitation.form")
	s.Follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.Last, "/servers/")}, "tool": {"echo"},
		"json": {`{"text":"planted-token-edit-1"}`}, "raw": {"true"}})
	original := s.Last
	page := s.Page(original + "/edit?round=0")
	if strings.Contains(page.Body, "planted-token-edit-1") {
		t.Error("the page has the token")
	}
	form := sitetest.EditForm(t, page.Body)
	if form.Get("claims") != "" || !strings.Contains(form.Get("headers"), "Authorization: Bearer ****") {
		t.Errorf("headers %s", form.Get("headers"))
	}
	sent := len(server.Heads)
	if got := s.Follow(original+"/edit", form); got.Status != 403 ||
		!slices.Contains(sitetest.Codes(got.Body), "not_yours") || len(server.Heads) != sent {
		t.Fatalf("before it is confirmed: %d %q", got.Status, sitetest.Codes(got.Body))
	}
	sitetest.Replace(t, form, "body", `"id": 1`, `"id": 7`)
	refused := s.Follow(original+"/edit", form)
	if kept := sitetest.EditForm(t, refused.Body); kept.Get("body") != form.Get("body") {
		t.Errorf("without the tick, what was typed is lost: %q", kept.Get("body"))
	}
	form.Set("mine", "yes")
	got := s.Follow(original+"/edit", form)
	if wantChanges(t, got.Body, "id 1 → 7"); len(server.Heads) != sent+1 {
		t.Fatalf("%d %q", got.Status, sitetest.Codes(got.Body))
	}
	if token := server.Heads[sent].Get("Authorization"); token != "Bearer planted-token-edit-1" {
		t.Errorf("the untouched token came as %q", token)
	}
	form.Set("headers", regexp.MustCompile(`Bearer \*+`).ReplaceAllString(form.Get("headers"),
		"Bearer planted-other-edit-2")+"X-Other: planted-third-edit-3\r\n")
	got = s.Follow(original+"/edit", form)
	head := server.Heads[len(server.Heads)-1]
	if head.Get("Authorization") != "Bearer planted-other-edit-2" ||
		head.Get("X-Other") != "planted-third-edit-3" {
		t.Errorf("the new credentials came as %q", head)
	}
	secrets := []string{"planted-token-edit-1", "planted-other-edit-2", "planted-third-edit-3"}
	for where, data := range s.Stored() {
		for _, leak := range sitetest.Leaks(where, data, secrets) {
			t.Error(leak)
		}
	}
	for _, leak := range sitetest.Leaks("the branch", []byte(got.Body), secrets) {
		t.Error(leak)
	}
	s.NoErrors()
}

// TestEdit_TokenForAnOpenServer: a token that is entered in the editor for a
// server without one is stored nowhere either, although the browser has no key.
func TestEdit_TokenForAnOpenServer(t *testing.T) {
	t.Parallel()
	server, address := sitetest.NewEcho(t)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(address, "declares", "shown", "declare", "elicitation.form")
	s.Follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.Last, "/servers/")}, "tool": {"echo"}})
	form := sitetest.EditForm(t, s.Page(s.Last+"/edit?round=0").Body)
	form.Set("mine", "yes")
	form.Set("headers", form.Get("headers")+"Authorization: Bearer planted-new-edit-4")
	if got := s.Follow(s.Last+"/edit", form); got.Status != 200 {
		t.Fatalf("%d %q", got.Status, sitetest.Codes(got.Body))
	}
	if got := server.Heads[len(server.Heads)-1].Get("Authorization"); got != "Bearer planted-new-edit-4" {
		t.Errorf("sent %q", got)
	}
	for where, data := range s.Stored() {
		for _, leak := range sitetest.Leaks(where, data, []string{"planted-new-edit-4"}) {
			t.Error(leak)
		}
	}
}

// TestEdit_ATask edits the answer to a task's question: the call is made again,
// and the request names the new task.
func TestEdit_ATask(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Post("/exchanges", "sample=tasks")
	original := s.Last
	s.Post(original+"/rounds", "round=1&a0.action=accept&a0.f0=week")
	s.Runner.Wait(t.Context(), strings.TrimPrefix(original, "/x/"))
	page := s.Get(original + "/edit")
	page.Has(t, `"tasks/update answers the task's question"`)
	form := sitetest.EditForm(t, page.Body)
	form.Set("headers", form.Get("headers")+"X-Edited: yes")
	if got := s.Post(original+"/edit", form.Encode()); got.Status != 303 {
		t.Fatalf("%d %q", got.Status, sitetest.Codes(got.Body))
	}
	branch := s.Get(s.Last)
	branch.Has(t, `[data-experiment="edited"]`, `[data-reaction="accepted"]`)
	wantChanges(t, branch.Body, "X-Edited added: yes")
}

// TestEdit_ARepeatedRequest: from a request that was sent again after a sign-in
// the menu leads to the request as it was sent first, which can be edited.
func TestEdit_ARepeatedRequest(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	id := s.SignedIn(p)
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	original := s.Last
	p.Forget()
	s.Follow(original+"/rounds", url.Values{
		"round": {"1"}, "do": {"send"}, "a0.action": {"accept"}, "a0.f0": {"true"},
	})
	s.Page(sitetest.Back(s.Leave(id, strings.TrimPrefix(original, "/x/"))))
	page := s.Page(original)
	page.Has(t, `[data-status="complete"]`, `[data-round="3"]`,
		`[data-do="edit"][href$="/edit?round=1"] "Edit the request of round 2"`)
	form := sitetest.EditForm(t, s.Page(original+"/edit?round=1").Body)
	form.Set("mine", "yes")
	form.Set("headers", form.Get("headers")+"X-Edited: yes")
	got := s.Follow(original+"/edit", form)
	got.Has(t, `[data-experiment="edited"]`, `[data-reaction="accepted"]`)
	wantChanges(t, got.Body, "X-Edited added: ***") // new fields may be secrets
	s.NoErrors()
}

// TestEdit_LegacyHasNone: the editor of a call that stays open says why its
// requests cannot be edited, and what can be changed.
func TestEdit_LegacyHasNone(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	original := s.StartOf("before-mrtr")
	got := s.Get(original + "/edit")
	if got.Status != 422 || !slices.Contains(sitetest.Codes(got.Body), "no_edit") {
		t.Errorf("%d %q", got.Status, sitetest.Codes(got.Body))
	}
	got.Has(t, `"a library writes the requests"`, `"You can change its arguments and make it again."`)
	got.HasNot(t, `"has not been sent"`)
	s.Page(original).Has(t, `[data-menu="again"] [data-do="edit-call"]`)
	if page := s.Get(original).Body; strings.Contains(page, "/edit") {
		t.Error("the page links to the editor")
	}
}

// TestEdit_FreshState: a state that can be used only once is exchanged for a
// new one unless it was edited.
func TestEdit_FreshState(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	original := s.InMode("voucher", lab.Sealed)
	page := s.Get(original + "/edit?round=1")
	page.Has(t, "[data-again]")
	form := sitetest.EditForm(t, page.Body)
	form.Set("headers", form.Get("headers")+"X-Edited: yes")
	if got := s.Post(original+"/edit", form.Encode()); got.Status != 303 {
		t.Fatalf("%d %q", got.Status, sitetest.Codes(got.Body))
	}
	branch := s.Get(s.Last)
	branch.Has(t, `[data-reaction="accepted"]`, fmt.Sprintf(`[data-experiment="%s"]`, lab.EditedID))
	wantChanges(t, branch.Body, "X-Edited added: yes")
}

// TestEdit_SharedAsItWas: readers of a share see the edited parts, and nothing
// else as edited, also if headers or answers are left out of it.
func TestEdit_SharedAsItWas(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(peers.Table(""))
	t.Cleanup(server.Close)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(
		server.URL, "token", "planted-token-edit-5", "declares", "shown", "declare", "elicitation.form",
	)
	s.Follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.Last, "/servers/")},
		"tool": {"book_table"}, "raw": {"true"}, "json": {`{"restaurant":"Luigi","day":"Friday"}`}})
	form := sitetest.EditForm(t, s.Page(s.Last+"/edit?round=1").Body)
	form.Set("mine", "yes")
	sitetest.Replace(t, form, "body", `"id": 2`, `"id": 9`)
	sitetest.Replace(t, form, "headers", "Mcp-Method: tools/call\r\n", "")
	got := s.Follow(s.Last+"/edit", form)
	want := []string{"Mcp-Method left out", "id 2 → 9"}
	wantChanges(t, got.Body, want...)
	for _, choices := range []string{"answers=keep", "leave=headers", "leave=answers"} {
		token := s.Share(choices + allPicked(s))
		page := s.Get("/s/" + token + "?x=2")
		page.Has(t, `[data-experiment="edited"]`)
		wantChanges(t, page.Body, want...)
		if strings.Contains(page.Body, "/edit") {
			t.Error("a share links to the editor")
		}
	}
}

// allPicked is the choice of every exchange of the newest session.
func allPicked(s *sitetest.Site) string {
	n, err := s.Store.Session(s.T.Context(), "local", s.SessionOf())
	sitetest.Check(s.T, err)
	choice := ""
	for _, x := range n.Exchanges {
		choice += "&x=" + x.ID
	}
	return choice
}
