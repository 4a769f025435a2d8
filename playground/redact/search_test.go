package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// A search finds the same as a comparison of every text at every position, also
// texts within each other, and texts that were added between two searches.
func TestSearch_AgreesWithComparing(t *testing.T) {
	random := rand.New(rand.NewPCG(2322, 9))
	letters := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "aab"[random.IntN(3)]
		}
		return string(b)
	}
	for range 300 {
		s, added := NewSearch(), []searched{}
		for range 3 {
			for range random.IntN(6) {
				x := searched{letters(random.IntN(12)), random.IntN(3)}
				if len(x.text) >= minSearched {
					added = append(added, x)
				}
				s.Add(x.value, x.text)
			}
			text := letters(random.IntN(60))
			want, got := [3][]byte{}, [3][]byte{}
			for v := range want {
				want[v], got[v] = []byte(text), []byte(text)
			}
			for _, x := range added {
				for i := range text {
					if strings.HasPrefix(text[i:], x.text) {
						maskBytes(want[x.value][i : i+len(x.text)])
					}
				}
			}
			s.In(Whole([]byte(text), 0), func(_ View, start, end, value int) {
				maskBytes(got[value][start:end])
			})
			for v := range want {
				if !bytes.Equal(got[v], want[v]) {
					t.Fatalf("value %d of %v in %s: %s, want %s", v, added, text, got[v], want[v])
				}
			}
		}
	}
}

// A search takes no more steps for a long text, for many texts, or for texts that begin or end
// alike.
func TestSearch_StepsDependOnTheTextAlone(t *testing.T) {
	many := NewSearch()
	for n := minSearched; n < 400; n++ {
		many.Add(0, strings.Repeat("A", n))
	}
	for i := range 3000 {
		many.Add(0, fmt.Sprintf("AAAAAAAA%04d", i))
	}
	long := NewSearch()
	long.Add(0, strings.Repeat("A", 16<<10), strings.Repeat("A", 16<<10)+"B", "B"+strings.Repeat("A", 16<<10))
	for name, s := range map[string]*Search{"many": many, "long": long} {
		for _, body := range []string{"A", "AAAAAAAA001", strings.Repeat("A", 16<<10-1) + "C", "AB", "x"} {
			text := strings.Repeat(body, 1<<18/len(body))
			if steps := s.In(Whole([]byte(text), 0), func(View, int, int, int) {}); steps > 3*len(text) {
				t.Errorf("%s: %d steps for %d bytes of %.12s", name, steps, len(text), body)
			}
		}
	}
}

// TestMask_StepsDoNotDependOnTheSecret holds fault 132: a body of the beginnings of a long secret,
// in every spelling, takes at most four times the steps that it takes with a short secret: a byte
// is read, leads to a shorter beginning, ends an occurrence and is overwritten.
func TestMask_StepsDoNotDependOnTheSecret(t *testing.T) {
	const size = 1 << 17
	short := New([]wire.Field{{Name: "X-Key", Value: "planted-token-0123456789"}}, "", nil)
	for _, secret := range []string{
		strings.Repeat("A", 16<<10), strings.Repeat("AB", 8<<10), strings.Repeat(`a"b/c+d %41&`, 1400),
		strings.Repeat("V", 16<<10), strings.Repeat("41", 8<<10),
	} {
		long := New([]wire.Field{{Name: "X-Key", Value: secret}}, "", nil)
		head := secret[:len(secret)-1] + "!"
		b64 := base64.StdEncoding.EncodeToString([]byte(head))
		var escaped strings.Builder
		for _, c := range []byte(head) {
			fmt.Fprintf(&escaped, `\u%04x`, c)
		}
		for name, part := range map[string]string{
			"the secret": secret, "heads": head, "Base64": b64, "Base64 at another offset": "x" + b64,
			"Base64 twice": base64.StdEncoding.EncodeToString([]byte(b64)),
			"hex":          hex.EncodeToString([]byte(head)), "percent": url.QueryEscape(head),
			"escapes": escaped.String(), "escapes of Base64": strings.ReplaceAll(b64, "Q", `\u0051`),
			"one letter": secret[:1], "lines": strings.ReplaceAll(head, "A", "A\n"),
		} {
			body := []byte(strings.Repeat(part, size/len(part)+1))[:size]
			steps := func(s *Secrets) int {
				m := masker{search: s.search.Search, from: body}
				m.view(Whole(body, 0), maxNested)
				return m.steps
			}
			if with, without := steps(long), steps(short); with > 4*without || without > 12*size {
				t.Errorf("%.8s: %s: %d steps, %d with a short secret", secret, name, with, without)
			}
		}
	}
}

// A value of MinSecret bytes is masked everywhere, a shorter one is not.
func TestMask_MinSecret(t *testing.T) {
	const value = "a1-B2-c3"
	if len(value) != MinSecret {
		t.Fatal("the value is not of the least length")
	}
	with := func(value string) *Secrets { return New([]wire.Field{{Name: "X-Key", Value: value}}, "", nil) }
	for _, text := range []string{
		value, `"` + url.QueryEscape(value) + `"`, "a1-B2 -c3", hex.EncodeToString([]byte(value)),
		base64.RawStdEncoding.EncodeToString([]byte(value)),
		base64.StdEncoding.EncodeToString([]byte("ab" + value + "c")),
	} {
		if got := with(value).MaskText(text); strings.Count(got, "*") < MinSecret {
			t.Errorf("%s became %s", text, got)
		}
		if got := with(value[1:]).MaskText(text); got != text {
			t.Errorf("%s became %s with a shorter secret", text, got)
		}
	}
}
