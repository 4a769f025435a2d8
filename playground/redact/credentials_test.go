package redact_test

import (
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func TestMaskCredentials(t *testing.T) {
	const message = "HTTP/1.1 200 OK\r\nSet-Cookie: s=abc; Path=/\r\nX-Api-Key: k1\r\nX-Other: " +
		"v\r\n\r\nabc k1"
	fields, masked := redact.MaskCredentials([]byte(message))
	want := "HTTP/1.1 200 OK\r\nSet-Cookie: *************\r\nX-Api-Key: **\r\nX-Other: v\r\n\r\nabc k1"
	if string(masked) != want {
		t.Errorf("%q", masked)
	}
	if !slices.Equal(fields, []wire.Field{{Name: "Set-Cookie", Value: "abc"}, {Name: "X-Api-Key",
		Value: "k1"}}) {
		t.Error(fields)
	}
	plain := []byte("HTTP/1.1 200 OK\r\nX-Other: v\r\n\r\n")
	if fields, same := redact.MaskCredentials(plain); fields != nil || string(same) != string(plain) {
		t.Error(fields, string(same))
	}
}
