package wire

import (
	"crypto/tls"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// serveTLS serves HTTP with a certificate on a free loopback port, and returns
// its URL.
func serveTLS(t *testing.T, c tls.Certificate) string {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "{}")
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{c}}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL + "/mcp"
}

func TestTrust(t *testing.T) {
	now := time.Now()
	local := func(until time.Time, names ...string) tls.Certificate {
		return newAuthority(t, now).issue(t, until, names...)
	}
	soon := now.AddDate(0, 1, 0)
	mine, other := local(soon, "localhost"), local(soon, "localhost")
	at := func(c tls.Certificate) string { // by name, which the certificates are for
		return strings.Replace(serveTLS(t, c), "127.0.0.1", "localhost", 1)
	}
	trust := func(url string, c tls.Certificate) Trust {
		made, err := NewTrust(url, Fingerprint(c.Certificate[0]))
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	expired, named := local(now.Add(-time.Hour), "localhost"), local(soon, "other.example")
	here := at(mine)
	for _, tt := range []struct {
		name, url string
		trust     Trust
		public    bool
		want      Class // empty if the request succeeds
	}{
		{"not trusted", here, Trust{}, false, TLSUntrusted},
		{"trusted", here, trust(here, mine), false, ""},
		{"trusted by another spelling of the host",
			strings.Replace(here, "localhost", "LocalHost", 1), trust(here, mine), false, ""},
		{"changed", here, trust(here, other), false, TLSChanged},
		{"another port with the same certificate", at(mine), trust(here, mine), false, TLSUntrusted},
		{"trusted but expired", at(expired), trustAnywhere(t, expired), false, TLSExpired},
		{"trusted but for another name", at(named), trustAnywhere(t, named), false, TLSName},
		{"in public mode", here, trust(here, mine), true, TLSUntrusted},
		{"for known authorities only", here, trust(here, mine), false, TLSUntrusted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			config := Config{Reach: Reach{Limited: tt.public},
				KnownOnly: tt.name == "for known authorities only"}
			if tt.public {
				config.Reach = reach("127.0.0.1/32 ::1/128")
			}
			if strings.HasPrefix(tt.name, "trusted but") {
				tt.trust.Origin = Origin(tt.url)
			}
			parts, _ := askAt(WithTrust(t.Context(), tt.trust), New(config), tt.url)
			last := parts[len(parts)-1]
			var got Class
			if last.Failure != nil {
				got = last.Failure.Class
			}
			if got != tt.want {
				t.Fatalf("class %q, want %q: %v", got, tt.want, last.Failure)
			}
			if kept := last.Failure != nil && last.Failure.Certificate != nil; kept !=
				(got == TLSUntrusted || got == TLSChanged) {
				t.Errorf("the certificate is kept: %v", kept)
			}
		})
	}
}

// trustAnywhere returns a Trust whose origin is still to be set.
func trustAnywhere(t *testing.T, c tls.Certificate) Trust {
	t.Helper()
	made, err := NewTrust("https://localhost/", Fingerprint(c.Certificate[0]))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// A server that signs certificates with the trusted one is not trusted with
// those.
func TestTrust_IsNoAuthority(t *testing.T) {
	a := newAuthority(t, time.Now())
	url := strings.Replace(serveTLS(t, a.issue(t, time.Now().AddDate(0, 1, 0), "localhost")),
		"127.0.0.1", "localhost", 1)
	trust, err := NewTrust(url, Fingerprint(a.cert.Raw))
	if err != nil {
		t.Fatal(err)
	}
	parts, _ := askAt(WithTrust(t.Context(), trust), New(Config{}), url)
	if f := parts[len(parts)-1].Failure; f == nil || f.Class != TLSChanged {
		t.Errorf("the failure is %v, want %s", f, TLSChanged)
	}
}

func TestNewTrust_RefusesOtherTexts(t *testing.T) {
	good := Fingerprint([]byte("x"))
	for name, tt := range map[string]struct{ url, fingerprint string }{
		"plain HTTP": {"http://localhost/", good}, "no prefix": {"https://localhost/", good[7:]},
		"too short":       {"https://localhost/", good[:70]},
		"not hexadecimal": {"https://localhost/", good[:70] + "z"},
		"empty":           {"https://localhost/", ""}, "SHA-1": {"https://localhost/", "sha1:" + good[7:47]},
	} {
		if _, err := NewTrust(tt.url, tt.fingerprint); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	colons := "SHA256:" + strings.ToUpper(good[7:9]) + ":" + good[9:]
	if trust, err := NewTrust("https://LocalHost/", colons); err != nil || trust.Fingerprint() != good ||
		trust.Origin != "https://localhost:443" {
		t.Errorf("%s is read as %s of %s, %v", colons, trust.Fingerprint(), trust.Origin, err)
	}
}
