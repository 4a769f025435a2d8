package seal_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

func noon() time.Time { return time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC) }

func call() seal.Request {
	return seal.Request{Sample: "azure-devops", Method: "tools/call", Name: "update_work_item",
		Arguments: "sha256:x", Principal: "alice"}
}

func claims(id string) seal.Claims {
	return seal.Claims{
		Issued: noon().Unix(), Expires: noon().Add(time.Hour).Unix(), ID: id, Request: call(),
		Answers: map[string]json.RawMessage{"resolution": json.RawMessage(`{"action":"accept",` +
			`"content":{"resolution":"Duplicate"}}`)},
	}
}

func generate(t testing.TB) *seal.Keys {
	t.Helper()
	k := seal.Generate()
	return k
}

func mint(t testing.TB, k *seal.Keys, mode seal.Mode, c seal.Claims) string {
	t.Helper()
	text, err := k.Seal(mode, c)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// reason opens the state and returns why it was refused, or "".
func reason(t testing.TB, k *seal.Keys, text string, mode seal.Mode, r seal.Request,
	now time.Time) seal.Reason {
	t.Helper()
	_, err := k.Open(text, mode, r, now)
	if err == nil {
		return ""
	}
	var refusal *seal.Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("Open: %v is no Refusal", err)
	}
	return refusal.Reason
}

func TestOpen_ReturnsWhatWasSealed(t *testing.T) {
	k := generate(t)
	for _, mode := range []seal.Mode{seal.Plain, seal.Signed, seal.Sealed} {
		c, err := k.Open(mint(t, k, mode, claims("1")), mode, call(), noon())
		if err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		if got := string(c.Answers["resolution"]); !strings.Contains(got, "Duplicate") {
			t.Errorf("%s: answer came back as %s", mode, got)
		}
	}
}

// Flipping any byte of 200 tokens is refused, always with the same public text.
func TestOpen_FlippedByteIsRefused(t *testing.T) {
	k := generate(t)
	outside := map[string]int{}
	for i := range 200 {
		mode := []seal.Mode{seal.Signed, seal.Sealed}[i%2]
		text := mint(t, k, mode, claims(fmt.Sprint(i)))
		for at := range len(text) {
			b := []byte(text)
			b[at] ^= byte(1 << (i % 7))
			_, err := k.Open(string(b), mode, call(), noon())
			var refusal *seal.Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("%s with byte %d flipped: error %v", text, at, err)
			}
			outside[refusal.Public()]++
		}
	}
	if len(outside) != 1 {
		t.Errorf("refusals differ outside: %v", outside)
	}
}

func TestOpen_ChecksCallPrincipalAndTime(t *testing.T) {
	k := generate(t)
	tests := []struct {
		want   seal.Reason
		change func(*seal.Request)
		now    time.Time
	}{
		{"", func(*seal.Request) {}, noon()},
		{"", func(*seal.Request) {}, noon().Add(time.Hour - time.Second)},
		{seal.OtherPrincipal, func(r *seal.Request) { r.Principal = "bob" }, noon()},
		{seal.OtherName, func(r *seal.Request) { r.Name = "delete_records" }, noon()},
		{seal.OtherArguments, func(r *seal.Request) { r.Arguments = "sha256:y" }, noon()},
		{seal.OtherMethod, func(r *seal.Request) { r.Method = "prompts/get" }, noon()},
		{seal.OtherSample, func(r *seal.Request) { r.Sample = "confirm" }, noon()},
		{seal.Expired, func(*seal.Request) {}, noon().Add(time.Hour)},
		{"", func(*seal.Request) {}, noon().Add(-30 * time.Second)},
		{seal.FromTheFuture, func(*seal.Request) {}, noon().Add(-31 * time.Second)},
	}
	for _, mode := range []seal.Mode{seal.Plain, seal.Signed, seal.Sealed} {
		text := mint(t, k, mode, claims("1"))
		for _, tt := range tests {
			r := call()
			tt.change(&r)
			if got := reason(t, k, text, mode, r, tt.now); got != tt.want {
				t.Errorf("%s at %v: reason %q, want %q", mode, tt.now, got, tt.want)
			}
		}
	}
}

// Truncated tokens, other alphabets, and spellings that a lenient decoder
// accepts.
func TestOpen_AcceptsOneSpelling(t *testing.T) {
	k := generate(t)
	for _, mode := range []seal.Mode{seal.Plain, seal.Signed, seal.Sealed} {
		text := mint(t, k, mode, claims("1"))
		for n := range len(text) {
			if got := reason(t, k, text[:n], mode, call(), noon()); got == "" {
				t.Errorf("%s: cut to %d bytes is accepted", mode, n)
			}
		}
		for name, other := range map[string]string{
			"line break":     text[:len(text)-4] + "\n" + text[len(text)-4:],
			"carriage":       text + "\r",
			"padding":        text + "=",
			"space":          " " + text,
			"trailing dot":   text + ".",
			"upper case":     strings.ToUpper(text),
			"standard chars": text[:len(text)-1] + "+",
			"percent":        strings.ReplaceAll(text, ".", "%2E"),
			"nothing":        "",
			"prefix only":    "mrtr1.",
			"too long":       text + strings.Repeat("A", seal.MaxToken),
		} {
			if got := reason(t, k, other, mode, call(), noon()); got == "" {
				t.Errorf("%s: %s is accepted", mode, name)
			}
		}
	}
}

func TestOpen_RejectsTrailingBits(t *testing.T) {
	k := generate(t)
	// A claims text whose length leaves unused bits in the last character.
	for i := range 3 {
		text := mint(t, k, seal.Plain, claims(strings.Repeat("x", i)))
		last := text[len(text)-1]
		const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
		payload := text[strings.LastIndexByte(text, '.')+1:]
		if len(payload)%4 == 0 {
			continue
		}
		other := text[:len(text)-1] + string(alphabet[strings.IndexByte(alphabet, last)^1])
		if got := reason(t, k, other, seal.Plain, call(), noon()); got != seal.Malformed {
			t.Errorf("trailing bits: reason %q", got)
		}
	}
}

// A client that picks the weakest mode must not pass an endpoint that uses
// another.
func TestOpen_RejectsAnotherMode(t *testing.T) {
	k := generate(t)
	for _, made := range []seal.Mode{seal.Plain, seal.Signed, seal.Sealed} {
		for _, wanted := range []seal.Mode{seal.Plain, seal.Signed, seal.Sealed} {
			got := reason(t, k, mint(t, k, made, claims("1")), wanted, call(), noon())
			if made != wanted && got != seal.OtherMode {
				t.Errorf("%s opened as %s: reason %q", made, wanted, got)
			}
		}
	}
}

func TestOpen_PlainStateCanBeChanged(t *testing.T) {
	k := generate(t)
	text := mint(t, k, seal.Plain, claims("1"))
	payload, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(text, "mrtr1.plain."))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(payload), "Duplicate", "Fixed", 1)
	c, err := k.Open("mrtr1.plain."+base64.RawURLEncoding.EncodeToString([]byte(changed)), seal.Plain,
		call(), noon())
	if err != nil || !strings.Contains(string(c.Answers["resolution"]), "Fixed") {
		t.Errorf("changed plain state: %v, %v", c.Answers, err)
	}
}

func TestOpen_RotatedKeyOpensAndRetiredKeyDoesNot(t *testing.T) {
	k := generate(t)
	rotated := k.Rotate()
	retired := rotated.Retire()
	for _, mode := range []seal.Mode{seal.Signed, seal.Sealed} {
		text := mint(t, k, mode, claims("1"))
		if got := reason(t, rotated, text, mode, call(), noon()); got != "" {
			t.Errorf("%s after rotation: reason %q", mode, got)
		}
		if got := reason(t, retired, text, mode, call(), noon()); got != seal.UnknownKey {
			t.Errorf("%s after retirement: reason %q", mode, got)
		}
		if got := reason(t, retired, mint(t, rotated, mode, claims("1")), mode, call(), noon()); got != "" {
			t.Errorf("%s with the new key: reason %q", mode, got)
		}
	}
	if words := (&seal.Refusal{Reason: seal.UnknownKey}).Public(); !strings.Contains(words,
		"start the call again") {
		t.Errorf("a retired key says %q", words)
	}
}

func TestSeal_RejectsTooLongClaims(t *testing.T) {
	c := claims("1")
	c.Work = json.RawMessage(`"` + strings.Repeat("x", seal.MaxToken) + `"`)
	if _, err := generate(t).Seal(seal.Sealed, c); !errors.Is(err, seal.ErrTooLong) {
		t.Errorf("Seal: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	k := generate(f)
	for _, mode := range []seal.Mode{seal.Plain, seal.Signed, seal.Sealed} {
		f.Add(mint(f, k, mode, claims("1")))
	}
	f.Add("mrtr1.sealed.00000000.AAAAAAAAAAAAAAAA.AA.AAAAAAAAAAAAAAAAAAAAAA")
	f.Fuzz(func(t *testing.T, text string) {
		for _, mode := range []seal.Mode{seal.Signed, seal.Sealed} {
			c, err := k.Open(text, mode, call(), noon())
			if err == nil && c.ID != "1" {
				t.Fatalf("opened a state that was never sealed: %q", text)
			}
		}
		k.Open(text, seal.Plain, call(), noon())
		e := seal.Explain(text, k, noon())
		var whole strings.Builder
		for _, p := range e.Parts {
			whole.WriteString(p.Text)
		}
		if e.Parts != nil && whole.String() != text {
			t.Fatalf("parts of %q join to %q", text, whole.String())
		}
	})
}

func BenchmarkSealOpen(b *testing.B) {
	k := generate(b)
	for _, mode := range []seal.Mode{seal.Plain, seal.Signed, seal.Sealed} {
		b.Run(string(mode), func(b *testing.B) {
			c := claims("1")
			for b.Loop() {
				text, err := k.Seal(mode, c)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := k.Open(text, mode, call(), noon()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
