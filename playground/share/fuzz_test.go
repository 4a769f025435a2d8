package share

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// What a server sends is a stranger's: whatever it is, masking neither breaks
// nor moves anything, and doing it again changes nothing.
func FuzzNewSnapshot(f *testing.F) {
	for _, secret := range planted() {
		for _, place := range places(secret) {
			f.Add([]byte(place), true)
		}
	}
	for _, odd := range []string{"", "\xff\xfe",
		`{"a":"\ud800\u0041","token":"\u0041\ud83d\ude00abcdefgh"}`, "data: {\"token\":\ndata: " +
			"\"abcdefghij\"}\n\n", `{"password":123456,"pin":-1.5e3,"token":true}`, "%%%41%4",
		"password=%70%61ss%word%", strings.Repeat("a=", 300)} {
		f.Add([]byte(odd), false)
	}
	f.Fuzz(func(t *testing.T, body []byte, leave bool) {
		s := recorded(`{}`)
		e := &s.Exchanges[0].Log[2]
		e.Data = append([]byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"), body...)
		o := Options{OmitAnswers: leave}
		once := NewSnapshot(s, o)
		after := wire.Split(once.Session.Exchanges[0].Log[2].Data).Body
		if len(after) != len(body) {
			t.Fatalf("%d bytes became %d", len(body), len(after))
		}
		if json.Valid(body) && !json.Valid(after) {
			t.Fatalf("masking broke it:\n%s\n%s", body, after)
		}
		if bytes.Count(after, []byte("\n")) != bytes.Count(body, []byte("\n")) {
			t.Fatal("lines moved")
		}
		if diff := cmp.Diff(once.Session, NewSnapshot(once.Session, o).Session,
			cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("the second time changed it:\n%s", diff)
		}
	})
}

// BenchmarkNewSnapshot takes the largest session there can be, full of texts
// that look like secrets.
func BenchmarkNewSnapshot(b *testing.B) {
	random := rand.New(rand.NewPCG(2322, 1))
	var items []string
	for size := 0; size < 1<<20; {
		item := fmt.Sprintf(`{"text":"%s and more words that mean nothing","n":%d}`,
			planted()[random.IntN(25)][:10], size)
		if random.IntN(10) == 0 {
			item = fmt.Sprintf(`{"k":"A%xb%dC%x"}`, random.Uint64(), random.Uint32(), random.Uint64())
		}
		items = append(items, item)
		size += len(item)
	}
	s := recorded("[" + strings.Join(items, ",") + "]")
	s.Exchanges = append(s.Exchanges, playground.Exchange{Log: s.Exchanges[0].Log})
	b.SetBytes(2 << 20)
	for b.Loop() {
		NewSnapshot(s, Options{})
	}
}

// BenchmarkNewSnapshot_Keys takes a session that is nothing but what looks like
// keys, as a stranger would import it.
func BenchmarkNewSnapshot_Keys(b *testing.B) {
	random := rand.New(rand.NewPCG(2322, 2))
	var items []string
	for size := 0; size < 1700<<10; size += 43 {
		items = append(items, fmt.Sprintf(`"%016xA%016xZ%06x"`,
			random.Uint64(), random.Uint64(), random.Uint32()>>8))
	}
	s := recorded("[" + strings.Join(items, ",") + "]")
	b.SetBytes(1700 << 10)
	for b.Loop() {
		NewSnapshot(s, Options{})
	}
}
