package seal_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

func TestExplain_CoversEveryCharacter(t *testing.T) {
	k := generate(t)
	want := map[seal.Mode][]string{
		seal.Plain: {"prefix", "version", "separator", "mode", "separator", "claims"},
		seal.Signed: {"prefix", "version", "separator", "mode", "separator", "key id", "separator",
			"claims", "separator", "mac"},
		seal.Sealed: {"prefix", "version", "separator", "mode", "separator", "key id", "separator",
			"nonce", "separator", "ciphertext", "separator", "tag"},
	}
	for mode, names := range want {
		text := mint(t, k, mode, claims("1"))
		e := seal.Explain(text, k, noon())
		var got []string
		var whole strings.Builder
		for _, p := range e.Parts {
			if p.Offset != whole.Len() {
				t.Errorf("%s: %s stands at %d, says %d", mode, p.Name, whole.Len(), p.Offset)
			}
			whole.WriteString(p.Text)
			got = append(got, p.Name)
		}
		if diff := cmp.Diff(names, got); diff != "" {
			t.Errorf("%s: parts (-want +got):\n%s", mode, diff)
		}
		if whole.String() != text {
			t.Errorf("%s: parts join to %q", mode, whole.String())
		}
		if e.Claims == nil || e.Claims.ID != "1" || e.Refused != "" ||
			!e.Expires.Equal(noon().Add(time.Hour)) {
			t.Errorf("%s: explained as %+v", mode, e)
		}
	}
}

func TestExplain_SaysWhyAStateIsRefused(t *testing.T) {
	k, other := generate(t), generate(t)
	text := mint(t, k, seal.Sealed, claims("1"))
	changed := text[:len(text)-3] + "AAA"
	tests := []struct {
		text   string
		keys   *seal.Keys
		now    time.Time
		want   seal.Reason
		opened bool
	}{
		{text, k, noon(), "", true},
		{text, k, noon().Add(2 * time.Hour), seal.Expired, true},
		{text, k, noon().Add(-time.Hour), seal.FromTheFuture, true},
		{text, other, noon(), seal.UnknownKey, false},
		{changed, k, noon(), seal.NotOurs, false},
		{"v1.abc", k, noon(), seal.Malformed, false},
	}
	for _, tt := range tests {
		e := seal.Explain(tt.text, tt.keys, tt.now)
		if e.Refused != tt.want || (e.Claims != nil) != tt.opened || (e.Why == "") != (tt.want == "") {
			t.Errorf("refused %q (%s), opened %t; want %q, %t", e.Refused, e.Why, e.Claims != nil,
				tt.want, tt.opened)
		}
	}
}
