package wire

import (
	"bytes"
	"compress/zlib"
	"errors"
	"net"
	"strings"
	"testing"
)

// packed returns a text with a content coding.
func packed(coding string, text []byte) []byte { return encode(coding, text, true) }

// noTee is a Tee that takes everything.
type noTee struct{}

func (noTee) Head(Head) error   { return nil }
func (noTee) Body([]byte) error { return nil }

// TestTee_BombIsRecordedInPart: what a client gets stays whole, and what is recorded
// decompresses to no more than the limit.
func TestTee_BombIsRecordedInPart(t *testing.T) {
	const limit = 1 << 20
	for _, coding := range []string{"gzip", "deflate"} {
		for size, large := range map[int]bool{limit: false, limit + 1: true, 40 << 20: true} {
			answer := append([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: "+coding+"\r\n\r\n"),
				packed(coding, make([]byte, size))...)
			client := serve(t, Limits{Body: limit}, func(conn net.Conn) { _, _ = conn.Write(answer) })
			parts, _ := ask(WithTee(t.Context(), noTee{}), client)
			if !large {
				if len(parts) != 1 || !bytes.Equal(parts[0].Bytes, answer) || parts[0].Whole != nil {
					t.Errorf("%s of %d: %s", coding, size, show(parts))
				}
				continue
			}
			if len(parts) != 2 || parts[1].Failure == nil || parts[1].Failure.Class != TooLarge {
				t.Errorf("%s of %d: %d parts", coding, size, len(parts))
				continue
			}
			if detail := parts[1].Failure.Detail; !strings.Contains(detail, "larger than 1048576 bytes; "+
				"the rest was not recorded (-limit answer-body") {
				t.Error(detail)
			}
			if !bytes.Equal(parts[0].Whole, answer) {
				t.Errorf("%s of %d: %d of %d bytes are passed on", coding, size, len(parts[0].Whole),
					len(answer))
			}
			if n := DecodedSize(parts[0].Bytes, limit); n > limit || n < limit-64<<10 {
				t.Errorf("%s of %d: what is recorded decompresses to %d bytes", coding, size, n)
			}
		}
	}
}

// TestFitBody_NoMoreThanIsEverDecoded: a larger limit than that does not count, and the words
// say so.
func TestFitBody_NoMoreThanIsEverDecoded(t *testing.T) {
	bomb := packed("gzip", make([]byte, MaxDecoded+1))
	fit, err := fitBody("gzip", bomb, 2*MaxDecoded)
	if err == nil || strings.Contains(err.Error(), "-limit") ||
		!strings.Contains(err.Error(), "larger than 8388608 bytes") {
		t.Error(err)
	}
	if n := DecodedSize(append([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), bomb[:fit]...),
		MaxDecoded); n > MaxDecoded {
		t.Errorf("%d bytes", n)
	}
	if _, err := Decode("gzip", bomb, MaxDecoded); !errors.Is(err, ErrExpanded) {
		t.Error(err)
	}
}

// TestChangeDecoded_InPart: what can be decompressed of a body that is cut, damaged or too
// large is changed, and what cannot be searched is dropped.
func TestChangeDecoded_InPart(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
	text := []byte("a secret, " + strings.Repeat("and more ", 1<<10))
	whole := packed("gzip", text)
	damaged := bytes.Clone(whole)
	damaged[len(damaged)-1] ^= 1
	large := packed("gzip", append(bytes.Clone(text), make([]byte, MaxDecoded)...))
	hide := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("secret"), []byte("******")) }
	same := func(b []byte) []byte { return b }
	for name, body := range map[string][]byte{
		"whole": whole, "cut": whole[:len(whole)-12], "damaged": damaged, "too large": large,
	} {
		response := append([]byte(head), body...)
		changed := ChangeDecoded(response, hide)
		plain, compressed := DecodeResponse(changed)
		if !compressed || !bytes.HasPrefix(plain, []byte(head+"a ******, and")) {
			t.Errorf("%s: %.90q", name, plain)
		}
		_, err := Decode("gzip", Split(changed).Body, 2*MaxDecoded)
		if (err == nil) != (name == "whole") {
			t.Errorf("%s: what is changed ends with %v", name, err)
		}
		kept := ChangeDecoded(response, same)
		if bytes.Equal(kept, response) != (name != "too large") {
			t.Errorf("%s: changed without a change", name)
		}
		if n := DecodedSize(kept, MaxDecoded); n > MaxDecoded {
			t.Errorf("%s: %d bytes", name, n)
		}
	}
}

// TestDecodedSize counts what any reader of a record decompresses.
func TestDecodedSize(t *testing.T) {
	text := []byte(strings.Repeat("abcd", 1000))
	var bare bytes.Buffer
	z := zlib.NewWriter(&bare)
	_, _ = z.Write(text)
	_ = z.Close()
	two := append(packed("gzip", text), packed("gzip", text)...)
	const ok, gzipped = "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
	for name, tt := range map[string]struct {
		head string
		body []byte
		want int
	}{
		"plain":           {ok + "\r\n", text, 0},
		"gzip":            {gzipped + "\r\n", packed("gzip", text), 4000},
		"two members":     {ok + "Content-Encoding: x-gzip\r\n\r\n", two, 5001},
		"deflate":         {ok + "Content-Encoding: deflate\r\n\r\n", bare.Bytes(), 4000},
		"without header":  {ok + "Content-Encoding: deflate\r\n\r\n", bare.Bytes()[2:], 4000},
		"damaged head":    {gzipped + "x\r\n\r\n", packed("gzip", text), 4000},
		"without its end": {gzipped + "\r\n", encode("gzip", text, false), 4000},
		"unknown":         {ok + "Content-Encoding: br\r\n\r\n", text, 0},
	} {
		if n := DecodedSize(append([]byte(tt.head), tt.body...), 5000); n != tt.want {
			t.Errorf("%s: %d bytes, want %d", name, n, tt.want)
		}
	}
}
