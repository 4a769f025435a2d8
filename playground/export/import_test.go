package export

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// maxBytes is the largest file that these tests import.
const maxBytes = 2 << 20

func TestJSON_RoundTrip(t *testing.T) {
	for _, word := range hostile() {
		first, err := JSON(sessionWith(word))
		if err != nil {
			t.Fatal(err)
		}
		back, err := Import(first, maxBytes)
		if err != nil {
			t.Fatalf("%q: %v", word, err)
		}
		if diff := cmp.Diff(sessionWith(word), back); diff != "" {
			t.Errorf("%q came back changed:\n%s", word, diff)
		}
		second, err := JSON(back)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%q: the second export differs: %v", word, err)
		}
	}
}

func TestImport_Errors(t *testing.T) {
	good, _ := JSON(sessionWith("word"))
	change := func(from, to string) []byte { return bytes.Replace(good, []byte(from), []byte(to), 1) }
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"nothing", nil, ErrFormat},
		{"no JSON", []byte("{"), ErrFormat},
		{"other JSON", []byte(`{"log":{}}`), ErrFormat},
		{"a later version", change(`"version": 1`, `"version": 2`), ErrVersion},
		{"an unknown member", change(`"title"`, `"extra": 1, "title"`), ErrContent},
		{"something behind it", append(bytes.Clone(good), "{}"...), ErrFormat},
		{"a gap in the log", change(`"seq": 2`, `"seq": 3`), ErrContent},
		{"an unknown kind", change(`"kind": "sent"`, `"kind": "guessed"`), ErrContent},
		{"a wrong time", change(`"at": "2026`, `"at": "x2026`), ErrContent},
		{"a file as address", change(`"url": "http:`, `"url": "file:`), ErrContent},
		{"a script as address", change(`"url": "http://127.0.0.1:2322`, `"url": "javascript:alert(1)//`),
			ErrContent},
		{"a broken header field", change(`"name": "Authorization"`, `"name": "A\r\nB"`), ErrContent},
		{"a header value of two lines", change(`"value": "Bearer`, `"value": "a\r\nX: `), ErrContent},
		{"params that are no JSON", change(`"params": "{`, `"params": "{{`), ErrContent},
		{"too many bytes", append(bytes.Clone(good), bytes.Repeat([]byte(" "), maxBytes)...), ErrTooLarge},
		{"text and base64", change(`"text": `, `"base64": "", "text": `), ErrContent},
	} {
		if _, err := Import(c.data, maxBytes); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestImport_Limits(t *testing.T) {
	x := recorded("w")
	s := Session{}
	for range MaxExchanges {
		s.Exchanges = append(s.Exchanges, playground.Exchange{Target: x.Target, Created: x.Created})
	}
	if _, err := roundTrip(t, s); err != nil {
		t.Errorf("%d exchanges: %v", MaxExchanges, err)
	}
	s.Exchanges = append(s.Exchanges, s.Exchanges[0])
	if _, err := roundTrip(t, s); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d exchanges: %v", MaxExchanges+1, err)
	}
	x.Log = nil
	for i := range MaxEvents {
		x.Log = append(x.Log, playground.Event{Seq: i + 1, At: x.Created, Kind: playground.Message})
	}
	if _, err := roundTrip(t, Session{Exchanges: []playground.Exchange{x}}); err != nil {
		t.Errorf("%d events: %v", MaxEvents, err)
	}
	x.Log = append(x.Log, playground.Event{Seq: MaxEvents + 1, At: x.Created, Kind: playground.Message})
	if _, err := roundTrip(t, Session{Exchanges: []playground.Exchange{x}}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d events: %v", MaxEvents+1, err)
	}
}

// A head is held to the limit of a recorded one, in a request and in a response,
// and a body is not.
func TestImport_LimitOfHeads(t *testing.T) {
	if MaxHead != wire.DefaultLimits().Header {
		t.Errorf("MaxHead is %d", MaxHead)
	}
	for kind, line := range map[playground.EventKind]string{playground.Sent: "POST / HTTP/1.1\r\n",
		playground.Received: "HTTP/1.1 200 OK\r\n"} {
		for size, want := range map[int]error{MaxHead: nil, MaxHead + 1: ErrTooLarge} {
			head := line + "a: " + strings.Repeat("x", size-len(line)-len("a: \r\n\r\n")) + "\r\n\r\n"
			for _, data := range []string{head + strings.Repeat("y", 2*MaxHead), strings.TrimSpace(head) +
				"1234"} {
				x := recorded("w")
				x.Log = []playground.Event{{Seq: 1, At: x.Created, Kind: kind, Data: []byte(data)}}
				if _, err := roundTrip(t, Session{Exchanges: []playground.Exchange{x}}); !errors.Is(err,
					want) {
					t.Errorf("%s with a head of %d bytes: %v, want %v", kind, size, err, want)
				}
			}
		}
	}
}

// TestImport_LimitOfDecompressed: whatever is decompressed when the record is read counts, also
// with a head or an end that is damaged.
func TestImport_LimitOfDecompressed(t *testing.T) {
	gzipped := func(size int) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(make([]byte, size))
		_ = z.Close()
		return b.Bytes()
	}
	half := gzipped(maxBytes/2 - 1)
	const head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
	for name, tt := range map[string]struct {
		head string
		body []byte
		fit  int // how many times that fits
	}{
		"whole":          {head, half, 2},
		"without an end": {head, half[:len(half)-8], 2},
		"damaged head":   {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nx\r\n\r\n", half, 2},
		"too large":      {head, gzipped(maxBytes + 1), 0},
		"in a line":      {"\n" + head, half, 10},
	} {
		for n, want := range map[int]error{tt.fit: nil, tt.fit + 1: ErrTooLarge} {
			if tt.fit == 10 {
				want = nil
			}
			x := recorded("w")
			x.Log = nil
			for i := range n {
				x.Log = append(x.Log, playground.Event{Seq: i + 1, At: x.Created, Kind: playground.Received,
					Data: append([]byte(tt.head), tt.body...)})
			}
			if _, err := roundTrip(t, Session{Exchanges: []playground.Exchange{x}}); !errors.Is(err, want) {
				t.Errorf("%s, %d times: %v, want %v", name, n, err, want)
			}
		}
	}
	x := recorded("w")
	x.Log = []playground.Event{{Seq: 1, At: x.Created, Kind: playground.Received,
		Data: append([]byte(head), gzipped(wire.MaxDecoded+1)...)}}
	data, err := JSON(Session{Exchanges: []playground.Exchange{x}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = Import(data, 8*wire.MaxDecoded); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a body beyond what is decompressed of one: %v", err)
	}
}

func roundTrip(t *testing.T, s Session) (Session, error) {
	t.Helper()
	data, err := JSON(s)
	if err != nil {
		t.Fatal(err)
	}
	return Import(data, maxBytes)
}

func FuzzImport(f *testing.F) {
	for _, word := range hostile() {
		data, _ := JSON(sessionWith(word))
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Import(data, maxBytes)
		if err != nil {
			return
		}
		first, err := JSON(s)
		if err != nil {
			t.Fatalf("an imported session cannot be exported: %v", err)
		}
		again, err := Import(first, maxBytes)
		if err != nil {
			if errors.Is(err, ErrTooLarge) {
				return
			}
			t.Fatalf("our own export is refused: %v", err)
		}
		if second, _ := JSON(again); !bytes.Equal(first, second) {
			t.Fatal("the second export differs")
		}
		Text(s)
		Markdown(s)
	})
}

// TestImport_SaysWhatAFileIs: another file of this program is named, with what to do.
func TestImport_SaysWhatAFileIs(t *testing.T) {
	har, err := HAR(sessionWith("word"), playground.Client{Name: "MRTR Playground", Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"HAR":      {har, "it is a HAR file"},
		"report":   {[]byte(`{"probes": []}`), "it is the report of a check"},
		"Markdown": {[]byte("# A call\n"), "it is text in Markdown"},
		"flow":     {[]byte("flow: 1\nname: x\n"), "it is a flow; import it under Flows"},
		"demo":     {[]byte("story: 1\n"), "it is a demo; import it under Demos"},
		"picture":  {[]byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), "it is a picture"},
		"JUnit":    {[]byte("<?xml version='1.0'?>\n"), "it is XML"},
	} {
		if _, err := Import(tt.data, maxBytes); !errors.Is(err, ErrFormat) ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
