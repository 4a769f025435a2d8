package main

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
)

// TestServe_PostgresGoesAwayAndComesBack in the middle of a call: meanwhile pages
// and /readyz say so, and afterwards the same process leads the call to its end.
// Another process on the same database shows it.
func TestServe_PostgresGoesAwayAndComesBack(t *testing.T) {
	c := pgtest.Start(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	data := t.TempDir()
	p := startProgram(t, data, "-db", c.URL("postgres"))
	path, err := send(p.url, "/exchanges", url.Values{"sample": {"azure-devops"}})
	must(err)
	s, err := await(p.url, path)
	must(err)
	for n := 0; s.status != "complete"; n++ {
		if n > 5 {
			t.Fatalf("%s after %d answers", s.status, n)
		}
		must(c.Stop())
		for _, what := range []string{"/readyz", path, "/history"} {
			res, err := http.Get(p.url + what)
			must(err)
			text, err := io.ReadAll(res.Body)
			_ = res.Body.Close()
			must(err)
			if res.StatusCode != http.StatusServiceUnavailable || strings.Contains(string(text), "postgres") {
				t.Errorf("%s without a database: %s\n%s", what, res.Status, text)
			}
		}
		if _, err := advance(p.url, s); err == nil {
			t.Error("an answer is taken without a database")
		}
		must(c.Start())
		s, err = advance(p.url, s)
		must(err)
	}
	if s.rounds < 2 {
		t.Errorf("complete after %d rounds", s.rounds)
	}
	other := startProgram(t, data, "-db", c.URL("postgres"))
	again, err := look(other.url, path)
	must(err)
	if again.status != "complete" || again.rounds != s.rounds {
		t.Errorf("another process shows %s, %d rounds", again.status, again.rounds)
	}
}

// TestServe_SaysWhyPostgresCannotBeUsed without the password.
func TestServe_SaysWhyPostgresCannotBeUsed(t *testing.T) {
	const secret = "hunter2-QzW"
	for _, where := range []string{
		"postgres://u:" + secret + "@127.0.0.1:1/d", "postgres://u:" + secret + "%@h/d",
		"mysql://u:" + secret + "@h/d",
	} {
		var errs strings.Builder
		env := func(name string) string { return map[string]string{"MRTR_DB": where}[name] }
		args := []string{"-addr", "127.0.0.1:0", "-data", t.TempDir()}
		code := exitCode(run(t.Context(), args, env, io.Discard, &errs), &errs)
		if code == 0 || errs.Len() == 0 || strings.Contains(errs.String(), secret[:4]) {
			t.Errorf("exit code %d: %s", code, errs.String())
		}
		t.Log(errs.String())
	}
}
