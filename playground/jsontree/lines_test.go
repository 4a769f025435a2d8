package jsontree

import (
	"strings"
	"testing"
)

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
	want := "{\n  \"a\":1,\n  \"b\":[\n    \"x\",\n    {},\n    {\n      \"c\":null\n    }\n  ],\n  " +
		"\"b\":[]\n" +
		"}\n"
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
	if lines[0].Close != len(lines)-1 || lines[0].Node != n || lines[2].Close != 8 || lines[8].Node != nil ||
		lines[1].Close != 1 {
		t.Errorf("folds: %+v", lines)
	}
}
