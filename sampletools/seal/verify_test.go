package seal_test

import (
	"slices"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// TestVerify_AgreesWithOpen: for every reason, the same state is refused by
// both; every step before is passed or absent, and none after it is reached.
func TestVerify_AgreesWithOpen(t *testing.T) {
	k, other := generate(t), generate(t)
	sealed := mint(t, k, seal.Sealed, claims("1"))
	signed := mint(t, k, seal.Signed, claims("1"))
	unreadable, err := k.SealJSON(seal.Sealed, []byte(`{"exp":1}`))
	if err != nil {
		t.Fatal(err)
	}
	change := func(f func(*seal.Request)) seal.Request {
		r := call()
		f(&r)
		return r
	}
	tests := []struct {
		name, text string
		mode       seal.Mode
		call       seal.Request
		now        time.Time
		step       seal.Step
		reason     seal.Reason
	}{
		{"sealed", sealed, seal.Sealed, call(), noon(), "", ""},
		{"signed", signed, seal.Signed, call(), noon(), "", ""},
		{"plain", mint(t, k, seal.Plain, claims("1")), seal.Plain, call(), noon(), "", ""},
		{"another format", "v1.abc", seal.Sealed, call(), noon(), seal.StepFormat, seal.Malformed},
		{"another mode", signed, seal.Sealed, call(), noon(), seal.StepMode, seal.OtherMode},
		{
			"another key", mint(t, other, seal.Sealed, claims("1")), seal.Sealed, call(), noon(),
			seal.StepKey, seal.UnknownKey,
		},
		{
			"changed tag", sealed[:len(sealed)-3] + "AAA", seal.Sealed, call(), noon(), seal.StepTag,
			seal.NotOurs,
		},
		{"other claims", unreadable, seal.Sealed, call(), noon(), seal.StepClaims, seal.Malformed},
		{
			"early", sealed, seal.Sealed, call(), noon().Add(-time.Hour), seal.StepIssued, seal.FromTheFuture,
		},
		{"late", sealed, seal.Sealed, call(), noon().Add(time.Hour), seal.StepExpires, seal.Expired},
		{
			"another user", sealed, seal.Sealed, change(func(r *seal.Request) { r.Principal = "bob" }),
			noon(), seal.StepPrincipal, seal.OtherPrincipal,
		},
		{
			"another server", sealed, seal.Sealed, change(func(r *seal.Request) { r.Sample = "x" }), noon(),
			seal.StepCall, seal.OtherSample,
		},
		{
			"another method", sealed, seal.Sealed, change(func(r *seal.Request) { r.Method = "x" }), noon(),
			seal.StepCall, seal.OtherMethod,
		},
		{
			"another tool", sealed, seal.Sealed, change(func(r *seal.Request) { r.Name = "x" }), noon(),
			seal.StepCall, seal.OtherName,
		},
		{
			"other arguments", sealed, seal.Sealed, change(func(r *seal.Request) { r.Arguments = "x" }),
			noon(), seal.StepCall, seal.OtherArguments,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := reason(t, k, tt.text, tt.mode, tt.call, tt.now); got != tt.reason {
				t.Fatalf("Open says %q, want %q", got, tt.reason)
			}
			list := seal.Verify(tt.text, k, tt.mode, tt.call, tt.now)
			if len(list) != len(seal.Steps()) || seal.Accepted(list) != (tt.reason == "") {
				t.Fatalf("checks %v", list)
			}
			at := slices.Index(seal.Steps(), tt.step)
			for i, c := range list {
				want := seal.Passed
				switch {
				case at >= 0 && i > at:
					want = seal.NotReached
				case i == at:
					want = seal.Failed
				case tt.mode == seal.Plain && (c.Step == seal.StepKey || c.Step == seal.StepTag):
					want = seal.Absent
				}
				if c.Step != seal.Steps()[i] || c.Result != want ||
					(c.Reason != "") != (want == seal.Failed) {
					t.Errorf("%s is %s (%s), want %s", c.Step, c.Result, c.Reason, want)
				}
			}
			if at >= 0 && list[at].Reason != tt.reason {
				t.Errorf("reason %q, want %q", list[at].Reason, tt.reason)
			}
		})
	}
}

// TestFromSecret_SameSecretSameKeys: another process opens what the keys made;
// another secret or label opens nothing.
func TestFromSecret_SameSecretSameKeys(t *testing.T) {
	secret, second := []byte("0123456789abcdef"), []byte("0123456789abcdeg")
	from := func(secret []byte, label string) *seal.Keys {
		t.Helper()
		k, err := seal.FromSecret(label, secret)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	for _, mode := range []seal.Mode{seal.Signed, seal.Sealed} {
		text := mint(t, from(secret, "a"), mode, claims("1"))
		for name, test := range map[string]struct {
			keys *seal.Keys
			want seal.Reason
		}{
			"same":    {from(secret, "a"), ""},
			"label":   {from(secret, "b"), seal.UnknownKey},
			"secret":  {from(second, "a"), seal.UnknownKey},
			"foreign": {generate(t), seal.UnknownKey},
		} {
			if got := reason(t, test.keys, text, mode, call(), noon()); got != test.want {
				t.Errorf("%s, %s: %q, want %q", mode, name, got, test.want)
			}
		}
	}
	both, err := seal.FromSecret("a", secret, second)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []seal.Mode{seal.Signed, seal.Sealed} {
		for name, k := range map[string]*seal.Keys{"first": from(secret, "a"), "second": from(second, "a")} {
			if got := reason(t, both, mint(t, k, mode, claims("1")), mode, call(), noon()); got != "" {
				t.Errorf("%s, %s of two secrets: %q", mode, name, got)
			}
		}
		made := mint(t, both, mode, claims("1"))
		if got := reason(t, from(secret, "a"), made, mode, call(), noon()); got != "" {
			t.Errorf("%s: the first of two secrets does not protect new states: %q", mode, got)
		}
	}
	if _, err := seal.FromSecret("a", []byte("short")); err == nil {
		t.Error("a short secret has keys")
	}
}
