package db_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db/dbtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
)

// BenchmarkAppend stores one answer of 4 KiB, durable, in a log that is begun
// again every 100 answers.
func BenchmarkAppend(b *testing.B) {
	s, _ := open(b)
	sum := playground.Summary{Status: "running", Rounds: 1, Changed: dbtest.Now}
	event := playground.Event{
		At: dbtest.Now, Conn: 1, Kind: playground.Received, Data: bytes.Repeat([]byte("x"), 4<<10),
	}
	id, n := "", 0
	for b.Loop() {
		if n%100 == 0 {
			id = fmt.Sprint("x", n)
			if err := s.AddExchange(b.Context(), "w", "title", dbtest.Exchange(id)); err != nil {
				b.Fatal(err)
			}
		}
		n++
		if err := s.Append(b.Context(), id, sum, event); err != nil {
			b.Fatal(err)
		}
	}
}
