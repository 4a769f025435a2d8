package seal_test

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// TestForge_OnlyPlainIsAccepted: other claims are accepted where nothing
// protects them, and refused where a key is needed.
func TestForge_OnlyPlainIsAccepted(t *testing.T) {
	k := generate(t)
	for mode, want := range map[seal.Mode]seal.Reason{
		seal.Plain: "", seal.Signed: seal.NotOurs, seal.Sealed: seal.NotOurs,
	} {
		text := mint(t, k, mode, claims("1"))
		own := seal.Explain(text, k, noon()).JSON
		other := strings.Replace(string(own), `"id":"1"`, `"id":"2"`, 1)
		if other == string(own) {
			t.Fatalf("%s: nothing to change in %s", mode, own)
		}
		forged, ok := seal.Forge(text, []byte(other))
		if !ok || forged == text || seal.ModeOf(forged) != mode {
			t.Fatalf("%s: forged %q, %t", mode, forged, ok)
		}
		if got := reason(t, k, forged, mode, call(), noon()); got != want {
			t.Errorf("%s: reason %q, want %q", mode, got, want)
		}
		same, _ := seal.Forge(text, own)
		if accepted := reason(t, k, same, mode, call(), noon()) == ""; accepted != (mode != seal.Sealed) {
			t.Errorf("%s: with its own claims accepted: %t", mode, accepted)
		}
	}
	for _, text := range []string{"", "v1.abc", "mrtr1.plain."} {
		if forged, ok := seal.Forge(text, []byte("{}")); ok {
			t.Errorf("%q became %q", text, forged)
		}
	}
}
