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
	want := "HTTP/1.1 200 OK\r\nSet-Cookie: ****** ******\r\nX-Api-Key: **\r\nX-Other: v\r\n\r\nabc k1"
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

// TestMaskCredentials_OnlyTheValue: a short value that stands elsewhere in the head too.
func TestMaskCredentials_OnlyTheValue(t *testing.T) {
	const message = "HTTP/1.1 200 OK\r\nX-Auth-Token: 2\r\nX-Api-Key: a\r\n b\r\nMcp-Session-Id: 2\r\n\r\n2"
	_, masked := redact.MaskCredentials([]byte(message))
	want := "HTTP/1.1 200 OK\r\nX-Auth-Token: *\r\nX-Api-Key: *\r\n *\r\nMcp-Session-Id: 2\r\n\r\n2"
	if string(masked) != want {
		t.Errorf("%q", masked)
	}
}
