package sitetest

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
)

// Number returns the number that a query selects.
func (s *Site) Number(t *testing.T, query string) (n int64) {
	t.Helper()
	if os.Getenv(Engine) == "postgres" {
		n, err := strconv.ParseInt(pgtest.Query(t, s.Data, query), 10, 64)
		Check(t, err)
		return n
	}
	raw, err := sql.Open("sqlite3", "file:"+s.Data+"?mode=ro")
	Check(t, err)
	defer raw.Close()
	Check(t, raw.QueryRow(query).Scan(&n))
	return n
}

// Credentials are secrets as users give them: how they stand in the form, and
// what of them must never be found anywhere.
func Credentials() (token, headers, query string, secrets []string) {
	const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJlLXBsYW50ZWQ"
	basic := base64.StdEncoding.EncodeToString([]byte("planted-user:planted-pass-0001"))
	lines := []string{
		"X-Api-Key: planted-api-key-0002", "X-Secret: sk_live_planted0003abcdef",
		"X-Odd: pl\"ant\\ed/0004+&=?<>",
		"Cookie: sid=planted-cookie-0005; theme=dark-planted-0006",
		"X-Github: ghp_planted0007ABCDEFGHIJKLMNOPQRSTUVWX",
		"X-Aws: AKIAPLANTED00080000", "X-Slack: xoxb-planted-0009-abcdef",
		"X-Pem: -----BEGIN PLANTED KEY----- MIIplanted0010 -----END PLANTED KEY-----",
		"X-Basic: Basic " + basic, "X-Short: pl-0011", "X-Uuid: 6f9619ff-planted-0012-0242ac130003",
		"X-Hex: deadbeefplanted0013cafe",
		"X-Google: AIzaplanted0014-_abcdefghijklmnopqrst", "X-Stripe: rk_test_planted0015",
		"X-Npm: npm_planted0016abcdefghijkl",
		"X-Azure: planted0017+abc/def==", "X-Signature: v0=planted0018abcdef",
		"X-Session: s%3Aplanted0019.abc",
		"X-Tab: planted 0020 with spaces", "X-Latin: planted-0021-\u00e9\u00e8",
	}
	secrets = []string{
		jwt, "planted-pass-0001", "planted-user:planted-pass-0001", basic, "planted-query-0022",
		"planted/query+0023",
	}
	for _, line := range lines {
		_, value, _ := strings.Cut(line, ": ")
		secrets = append(secrets, value)
	}
	secrets = append(secrets, "planted-cookie-0005", "dark-planted-0006")
	return jwt, strings.Join(lines,
		"\n"), "?api_key=planted-query-0022&access_token=planted%2Fquery%2B0023&page=7", secrets
}

// Stored returns the whole database, and the log.
func (s *Site) Stored() map[string][]byte {
	s.T.Helper()
	all := map[string][]byte{"logs": s.Logs.Bytes()}
	if os.Getenv(Engine) == "postgres" {
		all["database"] = pgtest.Dump(s.T, s.Data)
		return all
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if data, err := os.ReadFile(s.Data + suffix); err == nil {
			all["database"+suffix] = data
		}
	}
	if len(all["database"])+len(all["database-wal"]) == 0 {
		s.T.Fatal("nothing is stored")
	}
	return all
}

// Leaks returns the secrets that can be read somewhere, in any spelling.
func Leaks(where string, data []byte, secrets []string) []string {
	var found []string
	for _, secret := range secrets {
		quoted, _ := json.Marshal(secret)
		raw := []byte(secret)
		for _, spelling := range []string{secret, string(quoted[1 : len(quoted)-1]),
			url.QueryEscape(secret), url.PathEscape(secret),
			base64.StdEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw)} {
			if bytes.Contains(data, []byte(strings.TrimRight(spelling, "="))) {
				found = append(found, fmt.Sprintf("%s: %s", where, spelling))
			}
		}
	}
	return found
}
