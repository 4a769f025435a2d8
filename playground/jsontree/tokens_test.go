package jsontree

import (
	"strings"
	"testing"
)

func TestTokensColourWhatTheyCan(t *testing.T) {
	for src, want := range map[string]string{
		`{"a" : [1,true]}`: "punct:{ key:\"a\" space:  punct:: space:  punct:[ number:1 punct:, literal:true punct:] punct:}",
		`{"a":"b`:          `punct:{ key:"a" punct:: rest:"b`,
		"<html>":           "rest:<html>",
		"[1,NaN]":          "punct:[ number:1 punct:, rest:NaN]",
		`"a":"b":"c"`:      `key:"a" punct:: key:"b" punct:: string:"c"`,
		"]}:":              "punct:] punct:} punct::",
		"":                 "",
		"1 \uFEFF":         "number:1 space:  rest:\uFEFF",
	} {
		var got []string
		for _, tok := range Tokens([]byte(src)) {
			got = append(got, string(tok.Kind)+":"+src[tok.Offset:tok.End])
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q:\n got %s\nwant %s", src, s, want)
		}
	}
}

func TestTokensAreBounded(t *testing.T) {
	src := []byte(strings.Repeat(",", 1<<20))
	tokens := Tokens(src)
	if last := tokens[len(tokens)-1]; len(tokens) != maxTokens+1 || last.Kind != RestToken || last.End != len(src) {
		t.Errorf("%d tokens, the last %v", len(tokens), last)
	}
}

func TestLinesShowEverything(t *testing.T) {
	const src = `{"a":1 , "b" :[ "x",{}, {"c":null} ],"b":[]}`
	n := parse(t, src)
	var b strings.Builder
	lines := Lines(n)
	for _, l := range lines {
		b.WriteString(strings.Repeat("  ", l.Depth))
		for _, tok := range l.Tokens {
			b.WriteString(src[tok.Offset:tok.End])
		}
		b.WriteString("\n")
	}
	want := "{\n  \"a\":1,\n  \"b\":[\n    \"x\",\n    {},\n    {\n      \"c\":null\n    }\n  ],\n  \"b\":[]\n}\n"
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
	if lines[0].Close != len(lines)-1 || lines[0].Node != n || lines[2].Close != 8 || lines[8].Node != nil || lines[1].Close != 1 {
		t.Errorf("folds: %+v", lines)
	}
}
