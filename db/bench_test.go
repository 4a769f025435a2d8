package db_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/dbtest"
	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// engines open an empty database of each engine. SQLite waits for the disk, the
// server of pgtest does not.
var engines = map[string]func(b *testing.B) *db.Store{
	"SQLite":     func(b *testing.B) *db.Store { s, _ := open(b); return s },
	"PostgreSQL": func(b *testing.B) *db.Store { return openPostgres(b, pgtest.Database(b, makeSchema)) },
}

// onBoth runs a benchmark on each engine.
func onBoth(b *testing.B, f func(b *testing.B, s *db.Store)) {
	for _, name := range []string{"SQLite", "PostgreSQL"} {
		b.Run(name, func(b *testing.B) { f(b, engines[name](b)) })
	}
}

// answers stores answers of 4 KiB, in a log that is begun again every 100 answers.
type answers struct {
	s             *db.Store
	workspace, id string
	n             int
}

func (a *answers) store(ctx context.Context) error {
	if a.n%100 == 0 {
		a.id = fmt.Sprint(a.workspace, "-", a.n)
		if err := a.s.AddExchange(ctx, a.workspace, "title", dbtest.Exchange(a.id)); err != nil {
			return err
		}
	}
	a.n++
	return a.s.Append(ctx, a.id, playground.Summary{Status: "running", Rounds: 1, Changed: dbtest.Now},
		playground.Event{
			At: dbtest.Now, Conn: 1, Kind: playground.Received, Data: bytes.Repeat([]byte("x"), 4<<10),
		})
}

// BenchmarkAppend stores one answer after the other.
func BenchmarkAppend(b *testing.B) {
	onBoth(b, func(b *testing.B, s *db.Store) {
		a := &answers{s: s, workspace: "w"}
		for b.Loop() {
			if err := a.store(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkAppendOfMany stores the answers of 16 visitors at once.
func BenchmarkAppendOfMany(b *testing.B) {
	onBoth(b, func(b *testing.B, s *db.Store) {
		var visitors atomic.Int64
		b.SetParallelism(8)
		b.RunParallel(func(pb *testing.PB) {
			a := &answers{s: s, workspace: fmt.Sprint("w", visitors.Add(1))}
			for pb.Next() {
				if err := a.store(context.Background()); err != nil {
					b.Error(err)
					return
				}
			}
		})
	})
}

// BenchmarkExchange reads an exchange with its log.
func BenchmarkExchange(b *testing.B) {
	onBoth(b, func(b *testing.B, s *db.Store) {
		dbtest.AddSessions(b, s, "w", 100)
		for b.Loop() {
			if _, err := s.Exchange(b.Context(), "w", "x00050-w"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSessions lists pages of a history of 10,000 sessions with texts of 2 KiB, and
// searches in it.
func BenchmarkSessions(b *testing.B) {
	const many = 10_000
	onBoth(b, func(b *testing.B, s *db.Store) {
		words := strings.Fields("azure devops work item state confirm duplicate finding übung assigned")
		for i := range many {
			x := dbtest.Exchange(fmt.Sprint("x", i))
			var text strings.Builder
			for text.Len() < 2000 {
				fmt.Fprint(&text, words[(i+text.Len())%len(words)], i*text.Len()%997, " ")
			}
			x.Call.Params = []byte(`{"name":"update","arguments":{"text":"` + text.String() + `"}}`)
			n := session.Session{
				ID: fmt.Sprint("s", i), Title: fmt.Sprint("call ", i), Created: dbtest.Now,
				Changed: dbtest.Now.Add(time.Duration(i) * time.Second), Exchanges: []playground.Exchange{x},
			}
			if err := s.AddSession(b.Context(), "w", n); err != nil {
				b.Fatal(err)
			}
		}
		for _, search := range []struct {
			name string
			q    session.Search
		}{
			{"first page", session.Search{}},
			{"last page", session.Search{
				After: session.Cursor{ID: "s50", Changed: dbtest.Now.Add(50 * time.Second)},
			}},
			{"search of a common word", session.Search{Words: []string{"azure"}}},
			{"search with one hit", session.Search{Words: []string{"call", "9998"}}},
			{"search without a hit", session.Search{Words: []string{"nowhere"}}},
			{"search for two words without a hit", session.Search{Words: []string{"azure", "nowhere"}}},
			{"search for a letter without a hit", session.Search{Words: []string{"ø"}}},
			{"status", session.Search{Status: "failed"}},
		} {
			b.Run(search.name, func(b *testing.B) {
				search.q.Limit = 51
				for b.Loop() {
					if _, err := s.Sessions(b.Context(), "w", search.q); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	})
}
