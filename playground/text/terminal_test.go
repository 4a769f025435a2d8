package text

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// hostile holds what moves a cursor, hides a line or turns text round.
const hostile = "a\x1b[31mb\x1b]0;title\x07c\u009b2Jd\u202ee\u200bf\U000e0041g\rh\x00i\x7fj\u2028k"

func TestTerminal_PassesNothingHidden(t *testing.T) {
	var out bytes.Buffer
	n, err := NewTerminal(&out).Write([]byte("\tline one\nline " + hostile + "\n"))
	if err != nil || n == 0 {
		t.Fatal(n, err)
	}
	got := out.String()
	if len(Hidden(got)) > 0 || !strings.HasPrefix(got, "\tline one\nline a⟨U+001B⟩[31mb") {
		t.Errorf("%q", got)
	}
}

func TestEscapeJSON_KeepsTheValue(t *testing.T) {
	in := map[string]string{"key " + hostile: hostile + " é 日本 👍🏽"}
	var plain bytes.Buffer
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	if err := encoder.Encode(in); err != nil {
		t.Fatal(err)
	}
	escaped := EscapeJSON(plain.Bytes())
	var back map[string]string
	if err := json.Unmarshal(escaped, &back); err != nil || len(back) != 1 ||
		back["key "+hostile] != in["key "+hostile] {
		t.Errorf("%v\n%s", err, escaped)
	}
	if hidden := Hidden(string(escaped)); len(hidden) > 0 {
		t.Errorf("%U is still there in %q", hidden, escaped)
	}
	if !strings.Contains(string(escaped), "é 日本 👍🏽") {
		t.Error("ordinary characters are escaped too")
	}
}
