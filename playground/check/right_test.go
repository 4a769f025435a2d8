package check_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

var (
	lax    = base64.RawURLEncoding
	strict = base64.RawURLEncoding.Strict()
	padded = base64.StdEncoding.Strict()
)

// aead returns the cipher of the servers that encrypt.
func aead() cipher.AEAD {
	block, err := aes.NewCipher([]byte("0123456789abcdef"))
	if err != nil {
		panic(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return gcm
}

// encrypted is AES-GCM in one blob.
func encrypted(encode func([]byte) string, decode func(string) ([]byte, error)) style {
	return style{
		seal: func(c claims) string {
			text, _ := json.Marshal(c)
			nonce := make([]byte, 12)
			_, _ = rand.Read(nonce)
			return encode(aead().Seal(nonce, nonce, text, nil))
		},
		open: func(state string) (c claims, ok bool) {
			blob, err := decode(state)
			if err != nil || len(blob) < 12 {
				return c, false
			}
			text, err := aead().Open(nil, blob[:12], blob[12:], nil)
			return c, err == nil && json.Unmarshal(text, &c) == nil
		},
	}
}

// inParts is a token whose parts are joined by dots; the last one is a MAC of
// those before.
func inParts(head func() string) style {
	return style{
		seal: func(c claims) string {
			text, _ := json.Marshal(c)
			body := head() + "." + lax.EncodeToString(text)
			return body + "." + sum(body)
		},
		open: func(state string) (c claims, ok bool) {
			i := strings.LastIndexByte(state, '.')
			if i < 0 || sum(state[:i]) != state[i+1:] {
				return c, false
			}
			text, err := strict.DecodeString(state[strings.IndexByte(state, '.')+1 : i])
			return c, err == nil && json.Unmarshal(text, &c) == nil
		},
	}
}

// handles are states that the server keeps.
func handles() style {
	var mu sync.Mutex
	kept := map[string]claims{}
	return style{
		seal: func(c claims) string {
			mu.Lock()
			defer mu.Unlock()
			id := make([]byte, 12)
			_, _ = rand.Read(id)
			handle := "st_" + hex.EncodeToString(id)
			kept[handle] = c
			return handle
		},
		open: func(state string) (claims, bool) {
			mu.Lock()
			defer mu.Unlock()
			c, ok := kept[state]
			return c, ok
		},
	}
}

func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return lax.EncodeToString(b)
}

// TestRun_RightServersAreNotAccused: servers that are right in different ways
// get no violation and no advisory.
func TestRun_RightServersAreNotAccused(t *testing.T) {
	header := lax.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
	declines, dated, reports, brief := style{declines: true}, style{dated: true}, style{reports: true},
		encrypted(strict.EncodeToString, strict.DecodeString)
	brief.life = time.Second
	for name, s := range map[string]style{
		"AES-GCM in Base64":               encrypted(strict.EncodeToString, strict.DecodeString),
		"AES-GCM in hex":                  encrypted(hex.EncodeToString, hex.DecodeString),
		"AES-GCM in padded text":          encrypted(padded.EncodeToString, padded.DecodeString),
		"nonce, text and tag":             inParts(func() string { return random(12) }),
		"JWT":                             inParts(func() string { return header }),
		"handles":                         handles(),
		"a normal result after a refusal": declines,
		"a result with the time":          dated,
		"errors of the tool":              reports,
		"states of one second":            brief,
	} {
		parallel(t, name, func(t *testing.T) {
			clock := newClock()
			r := checked(t, clock, fakeServer{now: clock.Now, style: s})
			if diff := cmp.Diff(map[string]verdict.Outcome{}, remarks(r)); diff != "" || !r.Verdict().OK() {
				show(t, r)
				t.Error(diff)
			}
		})
	}
}

// TestRun_LaxDecoderIsAdvice: nothing is forged when a decoder ignores unused
// bits.
func TestRun_LaxDecoderIsAdvice(t *testing.T) {
	clock := newClock()
	s := fakeServer{now: clock.Now, style: encrypted(lax.EncodeToString, lax.DecodeString)}
	r := checked(t, clock, s)
	state := s.seal(claims{clock.Now().Unix(), 7, alice})
	want := map[string]verdict.Outcome{}
	if len(lab.SpareBits(state)) > 0 {
		want["spare-bits"] = verdict.Advisory
	}
	if diff := cmp.Diff(want, remarks(r)); diff != "" || !r.Verdict().OK() {
		show(t, r)
		t.Error(diff)
	}
}

// failing answers every nth request with an error that has nothing to do with
// it.
type failing struct {
	server http.Handler
	mu     *sync.Mutex
	n      int
	every  int
	reply  func(http.ResponseWriter, message)
}

func (f *failing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.n++
	fails := f.n > 4 && f.n%f.every == 0
	f.mu.Unlock()
	if fails {
		f.reply(w, mcptest.Read(r))
		return
	}
	f.server.ServeHTTP(w, r)
}

// TestRun_UnrelatedErrorsAreNotJudged: limits, internal errors and missing
// capabilities come for reasons of the server's own.
func TestRun_UnrelatedErrorsAreNotJudged(t *testing.T) {
	type reply = func(http.ResponseWriter, message)
	plain := func(status int) reply {
		return func(w http.ResponseWriter, _ message) { http.Error(w, "no", status) }
	}
	coded := func(code int) reply {
		return func(w http.ResponseWriter, m message) { refuse(w, m, 400, code, "") }
	}
	for name, reply := range map[string]reply{
		"429": plain(429), "401": plain(401), "503": plain(503), "-32603": coded(-32603),
		"-32021": coded(-32021), "-32000": coded(-32000),
	} {
		for _, every := range []int{2, 3, 5} {
			parallel(t, fmt.Sprintf("%s, every %d", name, every), func(t *testing.T) {
				clock := newClock()
				server := fakeServer{now: clock.Now}
				f := &failing{server: server, mu: &sync.Mutex{}, every: every, reply: reply}
				r := checked(t, clock, f)
				for _, p := range r.Results {
					if p.Verdict == verdict.Failed || p.Verdict == verdict.Advisory {
						t.Errorf("%s: %s %s", p.Verdict, p.ID, p.Text)
					}
				}
			})
		}
	}
}

// asksOther is a server that goes on to another question when the first answer
// is missing, and whose answers have to be real.
type asksOther struct{ fakeServer }

func (s asksOther) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m := mcptest.Read(r)
	if m.Err == nil && m.Params.RequestState != nil && m.Params.InputResponses["who"] == nil &&
		m.Method == "tools/call" && m.Params.Name == "pay" && s.opens(*m.Params.RequestState, r, m) {
		answer(w, m, `{"resultType":"input_required","inputRequests":{"where":{`+
			`"method":"elicitation/create","params":{"message":"Where?","requestedSchema":{"type":"object",`+
			`"properties":{"place":{"type":"string"}},"required":["place"]}}}}}`)
		return
	}
	s.fakeServer.ServeHTTP(w, r)
}

// TestRun_AnotherQuestionIsNoAskingAgain: it shows neither that the server needs
// the answer nor that it does not.
func TestRun_AnotherQuestionIsNoAskingAgain(t *testing.T) {
	clock := newClock()
	r := checked(t, clock, asksOther{fakeServer{now: clock.Now}})
	for _, p := range r.Results {
		if p.Rule == "S5" &&
			(p.Verdict != verdict.NotJudged || !strings.Contains(p.Text, "different question")) {
			t.Errorf("%s: %s %s", p.ID, p.Verdict, p.Text)
		}
	}
}

// TestRun_PlaceholdersDecideNothing: the server refuses a made-up answer, which
// says nothing about its states, and the report names the question.
func TestRun_PlaceholdersDecideNothing(t *testing.T) {
	clock := newClock()
	refuses := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m := mcptest.Read(r)
		if m.Err == nil && bytes.Contains(m.Params.InputResponses["who"], []byte(`"text"`)) {
			refuse(w, m, 400, -32602, "")
			return
		}
		fakeServer{now: clock.Now}.ServeHTTP(w, r)
	})
	server := inMemory(t, refuses)
	plan := planOf(server.url() + "/mcp")
	plan.Answers = nil
	r := checkOf(t, checkConfig(t, clock, run.NewMemory(), server), plan)
	if r.Verdict().OK() || r.Worked || !strings.Contains(r.Detail, `"who" looks like a placeholder`) {
		t.Errorf("%t %s", r.Verdict().OK(), r.Detail)
	}
	for _, p := range r.Results {
		if p.ID == "flip-state" &&
			(p.Verdict != verdict.NotJudged || !strings.Contains(p.Text, `answer to "who"`)) {
			t.Errorf("%s: %s %s", p.ID, p.Verdict, p.Text)
		}
	}
}

// TestRun_ProofOutranksTheFormat: a state that looks unprotected is not advice
// when changed ones were rejected.
func TestRun_ProofOutranksTheFormat(t *testing.T) {
	clock := newClock()
	var words style
	var mu sync.Mutex
	by := map[string]claims{}
	words.seal = func(c claims) string {
		mu.Lock()
		defer mu.Unlock()
		state := fmt.Sprintf("step=2;n=%d", len(by)*100)
		by[state] = c
		return state
	}
	words.open = func(state string) (claims, bool) {
		mu.Lock()
		defer mu.Unlock()
		c, ok := by[state]
		return c, ok
	}
	r := checked(t, clock, fakeServer{now: clock.Now, style: words})
	if diff := cmp.Diff(map[string]verdict.Outcome{}, remarks(r)); diff != "" {
		show(t, r)
		t.Error(diff)
	}
	for _, p := range r.Results {
		if p.ID == "flip-state" && !strings.Contains(p.Text, "proves more") {
			t.Error(p.Text)
		}
		if p.ID == "late-state" && !strings.Contains(p.Text, "expires within 120 s") {
			t.Error(p.Text)
		}
	}
	if !strings.HasPrefix(r.Compared, "Baseline: the correct call, tools/call pay, made ") ||
		!strings.HasSuffix(r.Compared, " times, completed in 2 rounds.") {
		t.Error(r.Compared)
	}
}
