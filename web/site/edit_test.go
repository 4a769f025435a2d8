package site_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
)

// editForm returns the form of the editor, or the one that leads to it, as a
// browser sends it.
func editForm(t *testing.T, page string) url.Values {
	t.Helper()
	form := htmltest.Parse(page).Form("[data-form=edit], [data-form=send-state]")
	if !form.Has("body") || !form.Has("headers") {
		t.Fatalf("no form in %s", excerpt(page))
	}
	for _, name := range []string{"body", "headers", "claims"} {
		if form.Has(name) {
			form.Set(name, strings.ReplaceAll(form.Get(name), "\n", "\r\n"))
		}
	}
	form.Set("do", "send")
	return form
}

// replace changes a text in a control of a form, which must have it once.
func replace(t *testing.T, form url.Values, name, old, other string) {
	t.Helper()
	if strings.Count(form.Get(name), old) != 1 {
		t.Fatalf("%q is not once in %s", old, form.Get(name))
	}
	form.Set(name, strings.Replace(form.Get(name), old, other, 1))
}

// changesOf returns the changes that a page lists, as plain text.
func changesOf(page string) []string {
	return htmltest.Parse(page).Texts("li.wire")
}

func wantChanges(t *testing.T, page string, want ...string) {
	t.Helper()
	if got := changesOf(page); !slices.Equal(got, want) {
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
			s := newSite(t, app.Local)
			original := s.inMode("azure-devops", mode)
			before := s.get(original).body
			form := editForm(t, s.get(original+"/edit?round=2").body)
			replace(t, form, "claims", `"Duplicate"`, `"Fixed"`)
			form.Set("do", "changes")
			page := s.post(original+"/edit", form.Encode()).body
			list := changesOf(page)
			if len(list) != 2 || !strings.HasPrefix(list[0], "requestState: ") ||
				!strings.HasSuffix(list[1], `"Duplicate" → "Fixed"`) {
				t.Errorf("changes %q", list)
			}
			form.Set("do", "send")
			if got := s.post(original+"/edit", form.Encode()); got.status != 303 {
				t.Fatalf("%d %q", got.status, codes(got.body))
			}
			branch := s.get(s.last)
			branch.has(t, `[data-experiment="edited"]`, `[data-reaction="`+want+`"]`,
				`[data-verdict="unjudged"]`, `"The checks here cover only what this branch sent."`)
			if mode == lab.Plain {
				branch.has(t, `"Fixed"`)
			} else {
				branch.has(t, `"error -32602"`)
			}
			if after := s.get(original).body; rounds(after) != rounds(before) {
				t.Error("the original did not stay as it was")
			}
			s.noErrors()
		})
	}
}

// TestEdit_EveryPart: each part of a request can be changed, is listed as
// changed, on the page and on the branch, and is put back by its button.
func TestEdit_EveryPart(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	original := s.inMode("azure-devops", lab.Sealed)
	right := editForm(t, s.get(original+"/edit?round=2").body)
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
		replace(t, form, edit[0], edit[1], edit[2])
		form.Set("do", "changes")
		page := s.post(original+"/edit", form.Encode())
		page.has(t, `[data-change="`+part+`"]`)
		wantChanges(t, page.body, edit[3])
		form.Set("do", "reset-"+part)
		reset := s.post(original+"/edit", form.Encode())
		wantChanges(t, reset.body)
		if got := editForm(t, reset.body); got.Encode() != right.Encode() {
			t.Errorf("%s: reset to %s, want %s", part, got, right)
		}
		form.Set("do", "send")
		if got := s.post(original+"/edit", form.Encode()); got.status != 303 {
			t.Fatalf("%s: %d %q", part, got.status, codes(got.body))
		}
		branch := s.get(s.last).body
		wantChanges(t, branch, edit[3])
		wantChanges(t, s.get(value(t, branch, "[data-do=edit-again]", "href")).body, edit[3])
	}
	s.noErrors()
}

// TestEdit_NotJSON: a body that is no JSON is sent as it is.
func TestEdit_NotJSON(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	original := s.startOf("azure-devops")
	form := editForm(t, s.get(original+"/edit?round=0").body)
	form.Set("body", "{\"jsonrpc\":\r\n</textarea>")
	form.Set("do", "changes")
	page := s.post(original+"/edit", form.Encode())
	page.has(t, `"not JSON: "`, `"</textarea>"`)
	form.Set("do", "send")
	if got := s.post(original+"/edit", form.Encode()); got.status != 303 {
		t.Fatalf("%d %q", got.status, codes(got.body))
	}
	s.get(s.last+"?view=exact").has(t, `"not JSON"`, `"{"jsonrpc": </textarea>"`,
		`[data-reaction="rejected"]`)
}

// TestEdit_Bounds: what cannot be sent is refused with a sentence, and the form
// keeps what was entered.
func TestEdit_Bounds(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	original := s.startOf("azure-devops")
	right := editForm(t, s.get(original+"/edit").body)
	before := s.get("/history").body
	for line, code := range map[string]string{
		"Host: elsewhere": "bad_header", "Content-Length: 3": "bad_header", "Connection: close": "bad_header",
		"Transfer-Encoding: chunked": "bad_header", "no colon": "bad_header", "a b: c": "bad_header",
		strings.Repeat("X-A: 1\r\n", 51):         "bad_header",
		"X-Long: " + strings.Repeat("a", 17<<10): "bad_header",
	} {
		form := url.Values{"round": right["round"], "body": right["body"], "do": {"send"},
			"headers": {right.Get("headers") + line}}
		got := s.post(original+"/edit", form.Encode())
		if got.status != 422 || !slices.Contains(codes(got.body), code) {
			t.Errorf("%.30q: %d %q", line, got.status, codes(got.body))
		}
		if kept := editForm(t, got.body); strings.TrimSpace(kept.Get("headers")) !=
			strings.TrimSpace(form.Get("headers")) {
			t.Errorf("%.30q: the form did not keep it", line)
		}
	}
	huge := url.Values{"round": right["round"], "headers": right["headers"], "do": {"send"},
		"body": {strings.Repeat("a", lab.MaxEditBody)}}
	if got := s.post(original+"/edit", huge.Encode()); got.status != 413 {
		t.Errorf("a huge body: %d", got.status)
	}
	if s.get("/history").body != before {
		t.Error("a branch is stored although nothing was sent")
	}
}

// TestEdit_IsForTheOwner: another visitor cannot see or send an exchange's
// request, in particular not the claims of its state.
func TestEdit_IsForTheOwner(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Public)
	s.follow("/exchanges", url.Values{"sample": {"azure-devops"}})
	original := s.last
	page := s.page(original + "/edit?round=1")
	form := editForm(t, page.body)
	s.cookies = ""
	if got := s.page(original + "/edit?round=1"); got.status != 404 {
		t.Errorf("another visitor's GET: %d", got.status)
	}
	if got := s.follow(original+"/edit", form); got.status != 404 {
		t.Errorf("another visitor's POST: %d", got.status)
	}
}

// TestEdit_OpensNoStateOfOthers: neither a recording that was imported nor a
// call that was continued with a state from elsewhere shows what is in it.
func TestEdit_OpensNoStateOfOthers(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	victim := s.startOf("azure-devops")
	s.post(victim+"/rounds", "round=1&a0.action=accept&a0.f0=Duplicate")
	form := editForm(t, s.get(victim+"/edit?round=2").body)
	if !form.Has("claims") {
		t.Fatal("the own state is not opened")
	}
	var message struct{ Params struct{ RequestState string } }
	check(t, json.Unmarshal([]byte(form.Get("body")), &message))
	if seal.ModeOf(message.Params.RequestState) != seal.Sealed {
		t.Fatalf("state %q", message.Params.RequestState)
	}
	recording := s.get(victim + ".json").body
	asJSON := map[string][]string{"Content-Type": {"application/json"}}
	if got := s.do("POST", "/import", recording, asJSON); got.status != 303 {
		t.Fatalf("import: %d", got.status)
	}
	imported := find(t, s.get(s.last).body, `(/x/\w+)`)
	if page := s.get(imported + "/edit?round=2").body; htmltest.Parse(page).Has(`[name="claims"]`) {
		t.Error("the state of an imported recording is opened")
	}
	bench := s.get("/state?x=" + strings.TrimPrefix(imported, "/x/"))
	bench.has(t, `"`+message.Params.RequestState+`"`)
	bench.hasNot(t, `[data-verification="sample"]`, `"azure-devops""`)
	own := s.startOf("azure-devops")
	first := editForm(t, s.get(own+"/edit?round=1").body)
	var mine map[string]any
	check(t, json.Unmarshal([]byte(first.Get("body")), &mine))
	params := mine["params"].(map[string]any)
	params["requestState"] = message.Params.RequestState
	params["inputResponses"] = map[string]any{"resolution": map[string]any{"action": "accept",
		"content": map[string]any{"resolution": "Duplicate"}}}
	body, err := json.Marshal(mine)
	check(t, err)
	first.Set("body", string(body))
	if got := s.post(own+"/edit", first.Encode()); got.status != 303 {
		t.Fatalf("%d %q", got.status, codes(got.body))
	}
	branch := s.get(s.last + "?panel=state").body
	if !htmltest.Parse(branch).Has(`[data-status="waiting"]`) {
		t.Fatalf("the state of another call was not accepted: %s", excerpt(branch))
	}
	if strings.Contains(branch, "sha256:") || htmltest.Parse(branch).Has(`""answers""`) {
		t.Error("the State panel opens what a state of another call became")
	}
	if page := s.get(s.last + "/edit").body; htmltest.Parse(page).Has(`[name="claims"]`) {
		t.Error("the editor opens what a state of another call became")
	}
	bench = s.get("/state?x=" + strings.TrimPrefix(s.last, "/x/"))
	bench.has(t, `"mrtr1.sealed."`)
	bench.hasNot(t, `[data-verification="sample"]`, `"azure-devops""`)
}

// TestEdit_MasksSecrets: the user's credentials are stars on the page, are sent
// as they are if the stars were left alone, and new ones are stored nowhere.
func TestEdit_MasksSecrets(t *testing.T) {
	t.Parallel()
	server, address := newEcho(t)
	s := newSite(t, app.Local)
	s.connectTo(address, "token", "planted-token-edit-1", "declares", "shown", "declare", "elicitation.form")
	s.follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.last, "/servers/")}, "tool": {"echo"},
		"json": {`{"text":"planted-token-edit-1"}`}, "raw": {"true"}})
	original := s.last
	page := s.page(original + "/edit?round=0")
	if strings.Contains(page.body, "planted-token-edit-1") {
		t.Error("the page has the token")
	}
	form := editForm(t, page.body)
	if form.Get("claims") != "" || !strings.Contains(form.Get("headers"), "Authorization: Bearer ****") {
		t.Errorf("headers %s", form.Get("headers"))
	}
	sent := len(server.heads)
	if got := s.follow(original+"/edit", form); got.status != 403 ||
		!slices.Contains(codes(got.body), "not_yours") || len(server.heads) != sent {
		t.Fatalf("before it is confirmed: %d %q", got.status, codes(got.body))
	}
	replace(t, form, "body", `"id": 1`, `"id": 7`)
	refused := s.follow(original+"/edit", form)
	if kept := editForm(t, refused.body); kept.Get("body") != form.Get("body") {
		t.Errorf("without the tick, what was typed is lost: %q", kept.Get("body"))
	}
	form.Set("mine", "yes")
	got := s.follow(original+"/edit", form)
	if wantChanges(t, got.body, "id 1 → 7"); len(server.heads) != sent+1 {
		t.Fatalf("%d %q", got.status, codes(got.body))
	}
	if token := server.heads[sent].Get("Authorization"); token != "Bearer planted-token-edit-1" {
		t.Errorf("the untouched token came as %q", token)
	}
	form.Set("headers", regexp.MustCompile(`Bearer \*+`).ReplaceAllString(form.Get("headers"),
		"Bearer planted-other-edit-2")+"X-Other: planted-third-edit-3\r\n")
	got = s.follow(original+"/edit", form)
	head := server.heads[len(server.heads)-1]
	if head.Get("Authorization") != "Bearer planted-other-edit-2" ||
		head.Get("X-Other") != "planted-third-edit-3" {
		t.Errorf("the new credentials came as %q", head)
	}
	secrets := []string{"planted-token-edit-1", "planted-other-edit-2", "planted-third-edit-3"}
	for where, data := range s.stored() {
		for _, leak := range leaks(where, data, secrets) {
			t.Error(leak)
		}
	}
	for _, leak := range leaks("the branch", []byte(got.body), secrets) {
		t.Error(leak)
	}
	s.noErrors()
}

// TestEdit_TokenForAnOpenServer: a token that is entered in the editor for a
// server without one is stored nowhere either, although the browser has no key.
func TestEdit_TokenForAnOpenServer(t *testing.T) {
	t.Parallel()
	server, address := newEcho(t)
	s := newSite(t, app.Local)
	s.connectTo(address, "declares", "shown", "declare", "elicitation.form")
	s.follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.last, "/servers/")}, "tool": {"echo"}})
	form := editForm(t, s.page(s.last+"/edit?round=0").body)
	form.Set("mine", "yes")
	form.Set("headers", form.Get("headers")+"Authorization: Bearer planted-new-edit-4")
	if got := s.follow(s.last+"/edit", form); got.status != 200 {
		t.Fatalf("%d %q", got.status, codes(got.body))
	}
	if got := server.heads[len(server.heads)-1].Get("Authorization"); got != "Bearer planted-new-edit-4" {
		t.Errorf("sent %q", got)
	}
	for where, data := range s.stored() {
		for _, leak := range leaks(where, data, []string{"planted-new-edit-4"}) {
			t.Error(leak)
		}
	}
}

// TestEdit_ATask edits the answer to a task's question: the call is made again,
// and the request names the new task.
func TestEdit_ATask(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	s.post("/exchanges", "sample=tasks")
	original := s.last
	s.post(original+"/rounds", "round=1&a0.action=accept&a0.f0=week")
	s.runner.Wait(t.Context(), strings.TrimPrefix(original, "/x/"))
	page := s.get(original + "/edit")
	page.has(t, `"tasks/update answers the task's question"`)
	form := editForm(t, page.body)
	form.Set("headers", form.Get("headers")+"X-Edited: yes")
	if got := s.post(original+"/edit", form.Encode()); got.status != 303 {
		t.Fatalf("%d %q", got.status, codes(got.body))
	}
	branch := s.get(s.last)
	branch.has(t, `[data-experiment="edited"]`, `[data-reaction="accepted"]`)
	wantChanges(t, branch.body, "X-Edited added: yes")
}

// TestEdit_ARepeatedRequest: from a request that was sent again after a sign-in
// the menu leads to the request as it was sent first, which can be edited.
func TestEdit_ARepeatedRequest(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	id := s.signedIn(p)
	s.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	original := s.last
	p.forget()
	s.follow(original+"/rounds", url.Values{
		"round": {"1"}, "do": {"send"}, "a0.action": {"accept"}, "a0.f0": {"true"},
	})
	s.page(back(s.leave(id, strings.TrimPrefix(original, "/x/"))))
	page := s.page(original)
	page.has(t, `[data-status="complete"]`, `[data-round="3"]`,
		`[data-do="edit"][href$="/edit?round=1"] "Edit the request of round 2"`)
	form := editForm(t, s.page(original+"/edit?round=1").body)
	form.Set("mine", "yes")
	form.Set("headers", form.Get("headers")+"X-Edited: yes")
	got := s.follow(original+"/edit", form)
	got.has(t, `[data-experiment="edited"]`, `[data-reaction="accepted"]`)
	wantChanges(t, got.body, "X-Edited added: ***") // new fields may be secrets
	s.noErrors()
}

// TestEdit_LegacyHasNone: the editor of a call that stays open says why its
// requests cannot be edited, and what can be changed.
func TestEdit_LegacyHasNone(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	original := s.startOf("before-mrtr")
	got := s.get(original + "/edit")
	if got.status != 422 || !slices.Contains(codes(got.body), "no_edit") {
		t.Errorf("%d %q", got.status, codes(got.body))
	}
	got.has(t, `"a library writes the requests"`, `"You can change its arguments and make it again."`)
	got.hasNot(t, `"has not been sent"`)
	s.page(original).has(t, `[data-menu="again"] [data-do="edit-call"]`)
	if page := s.get(original).body; strings.Contains(page, "/edit") {
		t.Error("the page links to the editor")
	}
}

// TestEdit_FreshState: a state that can be used only once is exchanged for a
// new one unless it was edited.
func TestEdit_FreshState(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	original := s.inMode("voucher", lab.Sealed)
	page := s.get(original + "/edit?round=1")
	page.has(t, "[data-again]")
	form := editForm(t, page.body)
	form.Set("headers", form.Get("headers")+"X-Edited: yes")
	if got := s.post(original+"/edit", form.Encode()); got.status != 303 {
		t.Fatalf("%d %q", got.status, codes(got.body))
	}
	branch := s.get(s.last)
	branch.has(t, `[data-reaction="accepted"]`, fmt.Sprintf(`[data-experiment="%s"]`, lab.EditedID))
	wantChanges(t, branch.body, "X-Edited added: yes")
}

// TestEdit_SharedAsItWas: readers of a share see what was edited, and nothing
// else as edited, also if headers or answers are left out of it.
func TestEdit_SharedAsItWas(t *testing.T) {
	t.Parallel()
	server, address := newEcho(t)
	s := newSite(t, app.Local)
	s.connectTo(address, "token", "planted-token-edit-5", "declares", "shown", "declare", "elicitation.form")
	s.follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.last, "/servers/")}, "tool": {"echo"}})
	form := editForm(t, s.page(s.last+"/edit?round=1").body)
	form.Set("mine", "yes")
	replace(t, form, "body", `"id": 2`, `"id": 9`)
	replace(t, form, "headers", "Mcp-Method: tools/call\r\n", "")
	got := s.follow(s.last+"/edit", form)
	want := []string{"Mcp-Method left out", "id 2 → 9"}
	wantChanges(t, got.body, want...)
	_ = server
	for _, choices := range []string{"answers=keep", "leave=headers", "leave=answers"} {
		token := s.share(choices + s.allPicked())
		page := s.get("/s/" + token + "?x=2")
		page.has(t, `[data-experiment="edited"]`)
		wantChanges(t, page.body, want...)
		if strings.Contains(page.body, "/edit") {
			t.Error("a share links to the editor")
		}
	}
}
