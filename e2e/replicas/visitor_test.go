//go:build linux

package replicas

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// visitor is one browser, at an address of its own.
type visitor struct {
	t      *testing.T
	site   *testSite
	client *http.Client
	seen   *report
}

// exchange is an exchange that a visitor has begun.
type exchange struct {
	owner  *visitor
	kind   string
	path   string
	rounds int  // the most that were shown with an outcome
	cut    bool // a Round of it was cut off
	end    string
	text   string // that its page shows at its end
}

func newVisitor(t *testing.T, s *testSite, i int, seen *report) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	check(t, err)
	transport, err := s.Transport(net.IPv4(127, 0, 1, byte(i+1)))
	check(t, err)
	return &visitor{t: t, site: s, seen: seen, client: &http.Client{
		Jar: jar, Transport: transport,
	}}
}

// page is the page that a request led to.
type page struct {
	path, query, text string
	status            int
}

var (
	shownStatus  = regexp.MustCompile(`data-exchange="[^"]+"\s+data-status="([a-z_]+)"`)
	shownOutcome = regexp.MustCompile(`data-round="(\d+)"\s+data-outcome="([a-z_]+)"`)
	openRound    = regexp.MustCompile(`(?s)data-form="(?:answers|resend)".*?name="round" value="(\d+)"`)
)

func (p page) exchangeStatus() string {
	if m := shownStatus.FindStringSubmatch(p.text); m != nil {
		return m[1]
	}
	return ""
}

// outcomes returns how many Rounds are shown with an outcome.
func (p page) outcomes() int {
	with := map[string]bool{} // a page shows a Round more than once
	for _, m := range shownOutcome.FindAllStringSubmatch(p.text, -1) {
		if m[2] != "pending" && m[2] != "interrupted" {
			with[m[1]] = true
		}
	}
	return len(with)
}

// request sends a GET, or a POST with a form, and follows where it leads.
func (v *visitor) request(ctx context.Context, path string, form url.Values) (page, error) {
	method, body := http.MethodGet, io.Reader(nil)
	if form != nil {
		method, body = http.MethodPost, strings.NewReader(form.Encode())
	}
	to, err := url.Parse(v.site.Origin)
	if err == nil {
		to, err = to.Parse(path)
	}
	if err != nil {
		return page{}, err
	}
	req, err := http.NewRequestWithContext(ctx, method, to.String(), body)
	if err != nil {
		return page{}, err
	}
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", v.site.Origin)
	}
	began := time.Now()
	res, err := v.client.Do(req)
	if err != nil {
		v.note(began, "connection lost")
		return page{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	kind := ""
	switch {
	case err != nil:
		kind = "connection lost"
	case res.StatusCode >= http.StatusBadRequest:
		kind = fmt.Sprint(res.StatusCode)
		err = fmt.Errorf("%s %s: %s", method, path, res.Status)
	}
	v.note(began, kind)
	return page{res.Request.URL.Path, res.Request.URL.RawQuery, string(text), res.StatusCode}, err
}

func (v *visitor) note(began time.Time, failure string) {
	if failure != "" {
		v.seen.add(&v.seen.errors, failure)
	}
	v.seen.mu.Lock()
	defer v.seen.mu.Unlock()
	v.seen.requests++
	v.seen.longest = max(v.seen.longest, time.Since(began))
}

// look gets a page, as often as it takes.
func (v *visitor) look(ctx context.Context, path string) page {
	for {
		p, err := v.request(ctx, path, nil)
		if err == nil || ctx.Err() != nil {
			return p
		}
		if p.status == http.StatusNotFound {
			v.t.Errorf("%s is lost", path)
			return p
		}
		_ = pause(ctx, 200*time.Millisecond)
	}
}

// script is something that a visitor plays to its end.
type script struct {
	kind  string
	begin string // path of the form
	form  url.Values
	// answer returns the form for an open question.
	answer func(page) url.Values
	result string                          // that the page shows at the end
	also   string                          // that it shows instead when a Round was cut off and sent again
	other  func(context.Context, *visitor) // plays pages that are no exchange
}

func accept(value string) url.Values { return url.Values{"a0.action": {"accept"}, "a0.f0": {value}} }

func mustJSON(v any) []byte {
	data, _ := json.Marshal(v)
	return data
}

const legacyCall = "legacy call"

var scripts = []script{
	{kind: "modern call", begin: "/exchanges", form: url.Values{"sample": {"azure-devops"}},
		answer: func(p page) url.Values {
			if strings.Contains(p.text, `data-field="duplicateOfId"`) {
				return accept("4301")
			}
			return accept("Duplicate")
		}, result: "Bug #4522 resolved as Duplicate of Bug #4301."},
	{kind: legacyCall, begin: "/exchanges", form: url.Values{"sample": {"before-mrtr"}},
		answer: func(p page) url.Values {
			if strings.Contains(p.text, `data-field="duplicateOfId"`) {
				return accept("4301")
			}
			return accept("Duplicate")
		}},
	{kind: "task", begin: "/exchanges", form: url.Values{"sample": {"tasks"}},
		answer: func(p page) url.Values {
			if strings.Contains(p.text, `data-field="tone"`) {
				return accept("cheerful")
			}
			return accept("week")
		}, result: "A cheerful report on sales over the last week"},
	{kind: "voucher", begin: "/exchanges", form: url.Values{"sample": {"voucher"}},
		answer: func(page) url.Values { return accept("true") },
		result: " redeemed for ", also: "was redeemed before"},
	{kind: "check", other: playCheck},
	{kind: "demo", other: playDemo},
	{kind: "sign-in", other: playSignIn},
	{kind: "foreign legacy client", other: playForeign},
}

// play plays a script from its beginning to its end.
func (v *visitor) play(ctx context.Context, s script) {
	if s.other != nil {
		s.other(ctx, v)
		_ = pause(ctx, 200*time.Millisecond)
		return
	}
	p, err := v.request(ctx, s.begin, s.form)
	if err != nil || !strings.HasPrefix(p.path, "/x/") {
		_ = pause(ctx, 200*time.Millisecond)
		return // the visitor does not know whether it has begun
	}
	e := &exchange{owner: v, kind: s.kind, path: p.path, text: s.result}
	v.seen.mu.Lock()
	v.seen.begun = append(v.seen.begun, e)
	v.seen.mu.Unlock()
	for ctx.Err() == nil {
		p = v.look(ctx, e.path)
		e.see(p)
		switch status := p.exchangeStatus(); status {
		case "complete", "failed", "declined", "cancelled":
			if status != "failed" || s.kind != legacyCall || !strings.Contains(p.text, `data-form="resend"`) {
				e.finish(s, status, p)
				return
			}
			v.answer(ctx, e, s, p) // its session was lost, so it begins again
		case "waiting", "interrupted":
			v.answer(ctx, e, s, p)
		}
		_ = pause(ctx, 100*time.Millisecond)
	}
	e.end = p.exchangeStatus()
	if os.Getenv("MRTR_REPLICAS_LOG") != "" {
		v.t.Log(mainOf(p.text))
	}
	v.t.Errorf("%s (%s) does not come to an end: %s after %d rounds", e.path, e.kind, e.end, e.rounds)
}

// answer sends what the form on the page of an exchange asks for.
func (v *visitor) answer(ctx context.Context, e *exchange, s script, p page) {
	round := openRound.FindStringSubmatch(p.text)
	if round == nil {
		v.t.Errorf("%s is %s, without a form", e.path, p.exchangeStatus())
		_ = pause(ctx, time.Second)
		return
	}
	form := s.answer(p)
	form.Set("do", "send")
	if s := p.exchangeStatus(); s == "interrupted" || s == "failed" {
		form.Set("do", "resend")
		e.cut = true
		v.seen.mu.Lock()
		v.seen.resent++
		v.seen.mu.Unlock()
	}
	form.Set("round", round[1])
	if after, err := v.request(ctx, e.path+"/rounds", form); err == nil {
		e.see(after)
	}
}

// see fails if a page shows less than an earlier one.
func (e *exchange) see(p page) {
	if p.path != e.path || p.exchangeStatus() == "" {
		return
	}
	n := p.outcomes()
	// The open call of a legacy server ends with its process, and so does its Round.
	cut := e.kind == legacyCall && (p.exchangeStatus() == "interrupted" || p.exchangeStatus() == "failed")
	if n < e.rounds && !cut {
		e.owner.t.Errorf("%s: %d rounds were shown, now %d", e.path, e.rounds, n)
	}
	v := e.owner
	v.seen.mu.Lock()
	v.seen.rounds += max(0, n-e.rounds)
	v.seen.mu.Unlock()
	if e.rounds = max(e.rounds, n); cut {
		e.rounds = n
	}
}

func (e *exchange) finish(s script, status string, p page) {
	e.end = status
	found := strings.Contains(html.UnescapeString(p.text), s.result)
	if !found && e.cut && s.also != "" {
		found = strings.Contains(html.UnescapeString(p.text), s.also)
		e.text = s.also
	}
	if status != "complete" || !found {
		if os.Getenv("MRTR_REPLICAS_LOG") != "" {
			e.owner.t.Log(mainOf(p.text))
		}
		e.owner.t.Errorf("%s (%s) is %s after %d rounds, without %q",
			e.path, e.kind, status, e.rounds, s.result)
	}
}

// mainOf returns a page from its main part on.
func mainOf(text string) string { return text[max(0, strings.Index(text, "<main")):] }

// verify looks at an exchange again when everything is over.
func (v *visitor) verify(t *testing.T, e *exchange) {
	t.Helper()
	p := v.look(t.Context(), e.path)
	e.see(p)
	if p.exchangeStatus() != e.end || !strings.Contains(html.UnescapeString(p.text), e.text) {
		t.Errorf("%s (%s) was %s, and is %s at the end", e.path, e.kind, e.end, p.exchangeStatus())
	}
}

// playCheck checks a sample, and waits until that has ended.
func playCheck(ctx context.Context, v *visitor) {
	p, err := v.request(ctx, "/servers/azure-devops/check", url.Values{
		"tool": {"update_work_item"}, "args": {`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`},
		"answers": {`{"resolution":{"resolution":"Duplicate"},"duplicate_of":{"duplicateOfId":4301}}`},
	})
	if err != nil || !strings.Contains(p.path, "/check/") {
		return
	}
	end := "running"
	for path := p.path; end == "running" && ctx.Err() == nil; {
		_ = pause(ctx, 200*time.Millisecond)
		p = v.look(ctx, path)
		_, board, _ := strings.Cut(p.text, `data-board="`)
		end, _, _ = strings.Cut(board, `"`)
	}
	v.seen.add(&v.seen.others, "check "+end)
}

// nextStep is the button that goes on, also after a Round was cut off.
var nextStep = regexp.MustCompile(
	`name="step" value="(\d+)"> <button class="[^"]*" name="do" value="(next|again)"`)

// playDemo goes through a story to its last step.
func playDemo(ctx context.Context, v *visitor) {
	p, err := v.request(ctx, "/demos/azure-devops", url.Values{})
	if err != nil || strings.Count(p.path, "/") != 3 {
		return
	}
	path := p.path
	for ctx.Err() == nil {
		next := nextStep.FindStringSubmatch(p.text)
		again := next != nil && next[2] == "again"
		if next == nil && !strings.Contains(p.text, `data-status="running"`) ||
			again && !strings.Contains(p.text, `data-status="interrupted"`) {
			break
		}
		if next == nil {
			_ = pause(ctx, 100*time.Millisecond)
			p = v.look(ctx, path)
			continue
		}
		_, _ = v.request(ctx, path, url.Values{"step": {next[1]}, "do": {next[2]}})
		_ = pause(ctx, 100*time.Millisecond)
		p = v.look(ctx, path)
	}
	if !strings.Contains(p.text, `data-status="complete"`) {
		v.t.Errorf("%s ends without a result: status %d of %s: %.3000s",
			path, p.status, p.path, mainOf(p.text))
	}
	v.seen.add(&v.seen.others, "demo complete")
}

var (
	leave   = regexp.MustCompile(`<a class="button first" href="([^"]+)"`)
	consent = regexp.MustCompile(`(?s)<form[^>]*action="([^"]+)".*?</form>`)
	hidden  = regexp.MustCompile(`<(?:input|button)[^>]* name="([^"]+)"[^>]* value="([^"]*)"`)
)

// playSignIn signs in to the protected sample and out again. What a cut ends is
// begun again the next time.
func playSignIn(ctx context.Context, v *visitor) {
	const server = "/servers/protected"
	v.look(ctx, server)
	p, err := v.request(ctx, server+"/sign-in", url.Values{})
	if err != nil {
		return
	}
	for wait := 0; leave.FindStringSubmatch(p.text) == nil; wait++ {
		if wait == 20 {
			v.seen.add(&v.seen.others, "sign-in cut off")
			return
		}
		_ = pause(ctx, 200*time.Millisecond)
		p = v.look(ctx, p.path+"?"+p.query)
	}
	p, err = v.request(ctx, html.UnescapeString(leave.FindStringSubmatch(p.text)[1]), nil)
	form := consent.FindStringSubmatch(p.text)
	if err != nil || form == nil {
		v.seen.add(&v.seen.others, "sign-in cut off")
		return
	}
	values := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(form[0], -1) {
		if !values.Has(m[1]) {
			values.Set(m[1], html.UnescapeString(m[2]))
		}
	}
	action, err := url.Parse(html.UnescapeString(form[1]))
	if err == nil {
		from := url.URL{Path: p.path}
		p, err = v.request(ctx, from.ResolveReference(action).String(), values)
	}
	if err != nil || p.path != server { // else the page of the sign-in says what failed
		v.seen.add(&v.seen.others, "sign-in cut off")
		return
	}
	if p = v.look(ctx, server); !strings.Contains(p.text, "data-signed-in") {
		v.t.Errorf("signed in, but the page does not show it: %.2000s", mainOf(p.text))
	}
	v.seen.add(&v.seen.others, "sign-in done")
	_, _ = v.request(ctx, server+"/sign-in", url.Values{"do": {"out"}})
}
