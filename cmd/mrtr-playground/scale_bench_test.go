package main

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
)

// roundsOfCall is how many rounds the call has that the benchmark copies.
const roundsOfCall = 3

// BenchmarkScale measures pages of a visitor with 100 rounds stored and with 10000,
// turn by turn, and prints how much longer they take with more, on both engines: all
// rounds in the workspace of the visitor, or those of others beside it.
// MRTR_SCALE=1000000 adds a database of a million rounds, which takes minutes and,
// on either engine, about 20 GB where TMPDIR is.
func BenchmarkScale(b *testing.B) {
	sizes := []int{100, 10_000}
	for _, text := range strings.Fields(os.Getenv("MRTR_SCALE")) {
		n, err := strconv.Atoi(text)
		if err != nil {
			b.Fatal(err)
		}
		sizes = append(sizes, n)
	}
	for _, engine := range []string{"SQLite", "PostgreSQL"} {
		for _, spread := range []string{"one workspace", "many workspaces"} {
			b.Run(engine+"/"+spread, func(b *testing.B) {
				var filled []*filledProgram
				for _, rounds := range sizes {
					filled = append(filled, fillProgram(b, engine == "SQLite", rounds/roundsOfCall,
						spread == "one workspace"))
				}
				measureScale(b, sizes, filled)
			})
		}
	}
}

// filledProgram is a program with many calls, and pages of it.
type filledProgram struct {
	*program
	pages []scalePage
}

type scalePage struct{ name, path, want string }

// measureScale reads every page of every program in turn.
func measureScale(b *testing.B, sizes []int, filled []*filledProgram) {
	took := map[string][][]time.Duration{}
	for b.Loop() {
		for i, page := range filled[0].pages {
			for n, f := range filled {
				if took[page.name] == nil {
					took[page.name] = make([][]time.Duration, len(filled))
				}
				took[page.name][n] = append(took[page.name][n], f.read(b, f.pages[i]))
			}
		}
	}
	var table strings.Builder
	fmt.Fprintf(&table, "\n%s\n%-28s", b.Name(), "ms, median; rounds:")
	for _, rounds := range sizes {
		fmt.Fprintf(&table, "%10d", rounds)
	}
	fmt.Fprintf(&table, "%10s\n", "ratio")
	for _, page := range filled[0].pages {
		fmt.Fprintf(&table, "%-28s", page.name)
		least, most := time.Hour, time.Duration(0)
		for _, times := range took[page.name] {
			slices.Sort(times)
			median := times[len(times)/2]
			fmt.Fprintf(&table, "%10.2f", float64(median.Microseconds())/1000)
			least, most = min(least, median), max(most, median)
		}
		fmt.Fprintf(&table, "%10.2f\n", float64(most)/float64(least))
		b.ReportMetric(float64(most)/float64(least), strings.ReplaceAll(page.name, " ", "-")+"-ratio")
	}
	b.ReportMetric(0, "ns/op")
	fmt.Println(table.String()) // Log would cut it
}

// read reads a page and returns how long that took.
func (f *filledProgram) read(b *testing.B, page scalePage) time.Duration {
	b.Helper()
	start := time.Now()
	res, err := http.Get(f.url + page.path)
	if err != nil {
		b.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	took := time.Since(start)
	_ = res.Body.Close()
	if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(body), page.want) {
		b.Fatalf("%s: %s: %s, %v, without %q", page.name, page.path, res.Status, err, page.want)
	}
	return took
}

// fillProgram starts a program whose database has many copies of one call. Each has
// words of its own.
func fillProgram(b *testing.B, sqlite bool, calls int, one bool) *filledProgram {
	b.Helper()
	data, engine, dsn := b.TempDir(), "sqlite3", ""
	var flags []string
	if sqlite {
		dsn = "file:" + data + "/playground.db?_busy_timeout=60000&_foreign_keys=off"
	} else {
		engine, dsn = "pgx", pgtest.Empty(b)
		flags = []string{"-db", dsn}
	}
	p := startProgram(b, data, flags...)
	path, other, token := completeCall(b, p), completeCall(b, p), ""
	session := sessionOf(b, p, path)
	preview := body(b, p.url+"/sessions/"+session+"/share")
	if seen := regexp.MustCompile(`name="seen" value="([^"]*)"`).FindStringSubmatch(preview); seen != nil {
		p.post("/sessions/"+session+"/share", url.Values{"do": {"create"}, "seen": {seen[1]}})
	}
	shares := body(b, p.url+"/shares")
	if found := regexp.MustCompile(`/s/([A-Za-z0-9_-]{20,})`).FindStringSubmatch(shares); found != nil {
		token = found[1]
	}
	p.end()
	raw, err := sql.Open(engine, dsn)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = raw.Close() })
	raw.SetMaxOpenConns(1) // the settings below are those of one connection
	copyCalls(b, raw, sqlite, strings.TrimPrefix(path, "/x/"), session, calls, one)
	f := &filledProgram{program: startProgram(b, data, flags...)}
	deep := f.nthPage(b, 5)
	f.pages = []scalePage{
		{"history", "/history", "data-session="},
		{"history page n", deep, ""},
		{"exchange", path, `data-status="complete"`},
		{"share", "/s/" + token, "data-round"},
		{"compare", "/compare?a=" + path[len("/x/"):] + "&b=" + other[len("/x/"):], "update_work_item"},
		{"search with one hit", "/history?q=ticket7z", "data-session="},
		{"search with all hits", "/history?q=azure", "data-session="},
		{"search inside a word", "/history?q=zur", "data-session="},
		{"search of two words", "/history?q=ticket7z+duplic", "data-session="},
		{"search without a hit", "/history?q=nowhere", "No matches"},
		{"search without, two common", "/history?q=azure+devopz", "No matches"},
		{"search of one letter", "/history?q=z", "data-session="},
		{"search of a missing letter", "/history?q=%C3%B8", "No matches"},
		{"search of a status", "/history?status=failed", "No matches"},
	}
	return f
}

// nthPage returns the address of a page of the history, or of the last one.
func (f *filledProgram) nthPage(b *testing.B, n int) string {
	path := "/history"
	for range n - 1 {
		next := regexp.MustCompile(`href="([^"]*after=[^"]*)"`).FindStringSubmatch(body(b, f.url+path))
		if next == nil {
			break
		}
		path = strings.ReplaceAll(next[1], "&amp;", "&")
	}
	return path
}

// completeCall makes the call of the landing page, answers its questions and returns
// its path.
func completeCall(b *testing.B, p *program) string {
	b.Helper()
	path, err := send(p.url, "/exchanges", url.Values{"sample": {"azure-devops"}})
	if err != nil {
		b.Fatal(err)
	}
	s, err := look(p.url, path)
	for n := 0; err == nil && s.status != "complete" && n < 5; n++ {
		s, err = advance(p.url, s)
	}
	if err != nil || s.rounds != roundsOfCall {
		b.Fatalf("%s after %d rounds, %v", s.status, s.rounds, err)
	}
	return path
}

// sessionOf returns the session of an exchange.
func sessionOf(b *testing.B, p *program, path string) string {
	b.Helper()
	found := regexp.MustCompile(`/sessions/([A-Z0-9]+)`).FindStringSubmatch(body(b, p.url+path))
	if found == nil {
		b.Fatal("the page names no session")
	}
	return found[1]
}

func body(b *testing.B, address string) string {
	b.Helper()
	res, err := http.Get(address)
	if err != nil {
		b.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		b.Fatalf("%s: %s, %v", address, res.Status, err)
	}
	return string(text)
}

// copyCalls copies an exchange with its session and log into the workspace local, or
// 33 times into each of many. The sums of bytes are those of the copies.
func copyCalls(b *testing.B, raw *sql.DB, sqlite bool, exchange, session string, calls int, one bool) {
	b.Helper()
	random, series := `upper(substr(md5(i || ''), 1, 26))`, `generate_series(1, %d) i`
	if sqlite {
		random = `hex(randomblob(13))`
		series = `(WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %d)
			SELECT i FROM s)`
	}
	workspace := `'local'`
	if !one {
		workspace = `CASE WHEN i <= 33 THEN 'local' ELSE 'w' || (i / 33) END`
	}
	before, after := withoutTriggers(b, raw, sqlite)
	for _, statement := range slices.Concat(before, []string{
		`CREATE TEMP TABLE made AS SELECT i, 'X' || ` + random + ` AS x, 'S' || ` + random + ` AS s,
		   ` + workspace + ` AS w FROM ` + fmt.Sprintf(series, calls),
		`INSERT INTO workspace (id, created, seen) SELECT DISTINCT w, 1, 1 FROM made WHERE w <> 'local'`,
		`INSERT INTO log (id, workspace, bytes)
		 SELECT x, w, bytes FROM made, log WHERE id = '` + exchange + `'`,
		`INSERT INTO session (id, workspace, kind, title, search, created, changed, called)
		 SELECT s, w, kind, title || ' ' || i, search || ' ' || i, created - 1000000 * CAST(i AS BIGINT),
		   changed - 1000000 * CAST(i AS BIGINT), called FROM made, session WHERE id = '` + session + `'`,
		`INSERT INTO exchange (id, session, created, status, rounds, summary, search, target, sample, name,
		   url, header, capabilities, method, params, tool, answers, result)
		 SELECT made.x, s, created, status, rounds, summary,
		   e.search || ' ticket' || i || 'z ' || lower(substr(made.x, 2, 8)),
		   target, sample, name, url, header, capabilities, method, params, tool, answers, result
		 FROM made, exchange e WHERE id = '` + exchange + `'`,
		`INSERT INTO event (log, seq, at, conn, kind, round, data, timing)
		 SELECT x, seq, at, conn, kind, round, data, timing FROM made, event WHERE log = '` + exchange + `'`,
		`DROP TABLE made`,
		`ANALYZE`,
	}, after) {
		if _, err := raw.Exec(statement); err != nil {
			b.Fatal(statement, err)
		}
	}
}

// withoutTriggers returns statements that switch the triggers off and on again.
func withoutTriggers(b *testing.B, raw *sql.DB, sqlite bool) (before, after []string) {
	b.Helper()
	if !sqlite {
		const set = `SET session_replication_role = `
		return []string{set + `replica`}, []string{set + `origin`}
	}
	rows, err := raw.Query(`SELECT 'DROP TRIGGER ' || name, sql FROM sqlite_schema WHERE type = 'trigger'`)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var drop, create string
		if err := rows.Scan(&drop, &create); err != nil {
			b.Fatal(err)
		}
		before, after = append(before, drop), append(after, create)
	}
	return before, after
}
