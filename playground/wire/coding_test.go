package wire

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// packed returns a text with a content coding, as small as a server makes it.
func packed(coding string, text []byte) []byte {
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "br":
		w = brotli.NewWriterLevel(&b, brotli.BestSpeed)
	case "zstd":
		w, _ = zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	default:
		return encode(coding, text, true)
	}
	_, _ = w.Write(text)
	_ = w.Close()
	return b.Bytes()
}

// noTee is a Tee that takes everything.
type noTee struct{}

func (noTee) Head(Head) error   { return nil }
func (noTee) Body([]byte) error { return nil }

// TestTee_BombIsRecordedInPart: a client gets the whole response, and the
// recorded part decompresses to no more than the limit.
func TestTee_BombIsRecordedInPart(t *testing.T) {
	const limit = 1 << 20
	for coding, least := range map[string]int{
		"gzip": limit - 64<<10, "deflate": limit - 64<<10, "zstd": limit - 256<<10,
		"br": 0, // one copy of it can be longer than the limit
	} {
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
			if n := DecodedSize(parts[0].Bytes, limit); n > limit || n < least {
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

// TestChangeDecoded_InPart: the part of a cut, damaged or too large body that can
// be decompressed is changed, and the part that cannot be searched is dropped.
func TestChangeDecoded_InPart(t *testing.T) {
	for _, coding := range []string{"gzip", "br", "zstd"} {
		t.Run(coding, func(t *testing.T) { changesInPart(t, coding) })
	}
}

func changesInPart(t *testing.T, coding string) {
	head := "HTTP/1.1 200 OK\r\nContent-Encoding: " + coding + "\r\n\r\n"
	random := make([]byte, 200<<10) // several blocks, however it is compressed
	_, _ = rand.NewChaCha8([32]byte{}).Read(random)
	text := []byte("a secret, and more: " + hex.EncodeToString(random))
	whole := packed(coding, text)
	damaged := bytes.Clone(whole)
	damaged[len(damaged)-1] ^= 1
	large := packed(coding, append(bytes.Clone(text), make([]byte, MaxDecoded)...))
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
		_, err := Decode(coding, Split(changed).Body, 2*MaxDecoded)
		noticed := name != "damaged" || coding != "br" // which has no checksum
		if noticed && (err == nil) != (name == "whole") {
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

// TestEncode_IsDecoded: the encoding of a changed body is read again, and one
// that is not whole up to its end.
func TestEncode_IsDecoded(t *testing.T) {
	for _, coding := range []string{"gzip", "deflate", "br", "zstd"} {
		for _, size := range []int{0, 1, 1<<16 - 1, 1 << 16, 1<<16 + 1, 1 << 17, 300 << 10} {
			text := bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
			for _, whole := range []bool{true, false} {
				var got bytes.Buffer
				_, err := decode(&got, coding, encode(coding, text, whole), size)
				if !bytes.Equal(got.Bytes(), text) || (err == nil) != whole {
					t.Errorf("%s of %d bytes, whole %v: %d bytes, %v", coding, size, whole, got.Len(), err)
				}
			}
		}
	}
}

// FuzzDecode: whatever a server compresses, the recorded part decompresses to
// no more than the limit.
func FuzzDecode(f *testing.F) {
	codings := []string{"gzip", "deflate", "br", "zstd"}
	text := []byte(strings.Repeat("abcd", 1<<12) + strings.Repeat("0", 1<<16))
	for i, coding := range codings {
		f.Add(i, packed(coding, text), 1<<10)
	}
	f.Fuzz(func(t *testing.T, i int, body []byte, limit int) {
		coding := codings[uint(i)%uint(len(codings))]
		limit = int(uint(limit) % (1 << 17))
		fit, err := decode(io.Discard, coding, body, limit)
		if !errors.Is(err, ErrExpanded) {
			return
		}
		var got bytes.Buffer
		if _, err = decode(&got, coding, body[:fit], limit); errors.Is(err, ErrExpanded) {
			t.Errorf("%s: %d of %d bytes decompress to more than %d", coding, fit, len(body), limit)
		}
	})
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
		"br":              {ok + "Content-Encoding: br\r\n\r\n", packed("br", text), 4000},
		"zstd":            {ok + "Content-Encoding: zstd\r\n\r\n", packed("zstd", text), 4000},
		"br, damaged":     {ok + "Content-Encoding: br\r\n\r\n", text, 0},
		"zstd, damaged":   {ok + "Content-Encoding: zstd\r\n\r\n", text, 0},
		"unknown":         {ok + "Content-Encoding: exi\r\n\r\n", text, 0},
	} {
		if n := DecodedSize(append([]byte(tt.head), tt.body...), 5000); n != tt.want {
			t.Errorf("%s: %d bytes, want %d", name, n, tt.want)
		}
	}
}
