package main

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// visitor is a browser of a public site, which the test serves without TLS.
type visitor struct {
	t      *testing.T
	cookie string
}

// send posts a form, or gets the path if form is nil, and keeps the cookie.
func (v *visitor) send(p *program, path string, form url.Values) *http.Response {
	v.t.Helper()
	method, body := http.MethodGet, io.Reader(nil)
	if form != nil {
		method, body = http.MethodPost, strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(v.t.Context(), method, p.url+path, body)
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if v.cookie != "" {
		req.Header.Set("Cookie", v.cookie)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		v.t.Fatal(err)
	}
	_ = res.Body.Close()
	if cookies := res.Cookies(); len(cookies) > 0 {
		v.cookie = cookies[0].Name + "=" + cookies[0].Value
	}
	return res
}

func keysCommand(t *testing.T, data, action string) {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), []string{"keys", "-data", data, action}, noEnv, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), action+"d the keys in ") {
		t.Errorf("%s printed %q", action, out.String())
	}
}

// TestKeys_RotatedWhileAQuestionIsOpen holds fault 101: the visitor keeps the
// workspace and the call goes on, with the running program and after a restart,
// and also once the old keys are gone.
func TestKeys_RotatedWhileAQuestionIsOpen(t *testing.T) {
	data := t.TempDir()
	public := []string{"-public", "-base-url", "https://p.example", "-limit", "drain-delay=1ms"}
	answer := func(round, value string) url.Values {
		return url.Values{"round": {round}, "a0.action": {"accept"}, "a0.f0": {value}}
	}
	p := startProgram(t, data, public...)
	v := &visitor{t: t}
	path := v.send(p, "/exchanges", url.Values{"sample": {"azure-devops"}}).Header.Get("Location")
	old := v.cookie
	keysCommand(t, data, "rotate")
	if res := v.send(p, path, nil); res.StatusCode != http.StatusOK {
		t.Errorf("the running program after the rotation: %s", res.Status)
	}
	p.end()

	p = startProgram(t, data, public...)
	if res := v.send(p, path, nil); res.StatusCode != http.StatusOK || v.cookie == old {
		t.Errorf("after the rotation: %s, the cookie is renewed: %v", res.Status, v.cookie != old)
	}
	v.send(p, path+"/rounds", answer("1", "Duplicate"))
	p.end()

	keysCommand(t, data, "retire")
	p = startProgram(t, data, public...)
	v.send(p, path+"/rounds", answer("2", "4301"))
	page := v.page(p, path)
	if !strings.Contains(page, "Bug #4522 resolved as Duplicate of Bug #4301.") {
		t.Error("the exchange did not go on")
	}
	stranger := &visitor{t: t, cookie: old}
	if res := stranger.send(p, path, nil); res.StatusCode != http.StatusNotFound {
		t.Errorf("a cookie of a retired key: %s", res.Status)
	}
}

func (v *visitor) page(p *program, path string) string {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), http.MethodGet, p.url+path, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("Cookie", v.cookie)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return string(body)
}

// A running program follows the file, and keeps its keys while the file is
// broken.
func TestCookieKeys_FollowTheirFile(t *testing.T) {
	data := t.TempDir()
	k, err := loadCookieKeys(noEnv, data)
	if err != nil || len(k.current(false)) != 1 {
		t.Fatal(err)
	}
	first := k.current(false)[0]
	keysCommand(t, data, "rotate")
	keys := k.current(true)
	if len(keys) != 2 || bytes.Equal(keys[0], first) || !bytes.Equal(keys[1], first) {
		t.Errorf("%d keys after the rotation", len(keys))
	}
	path := filepath.Join(data, cookieKeysName)
	if err := os.WriteFile(path, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if keys := k.current(true); len(keys) != 2 {
		t.Errorf("%d keys while the file is broken", len(keys))
	}
}

func TestKeys_UsageErrors(t *testing.T) {
	env := func(name string) string {
		return map[string]string{"MRTR_STATE_KEYS": "x"}[name]
	}
	for _, args := range [][]string{{"keys"}, {"keys", "burn"}, {"keys", "rotate", "now"}} {
		err := run(t.Context(), args, noEnv, io.Discard, io.Discard)
		if exitCode(err, io.Discard) != exitUsage {
			t.Errorf("%q: %v", args, err)
		}
	}
	err := run(t.Context(), []string{"keys", "-data", t.TempDir(), "rotate"}, env, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "MRTR_STATE_KEYS_FILE") {
		t.Errorf("keys of the environment: %v", err)
	}
}
