package jsontree

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func parse(t *testing.T, src string) *Node {
	t.Helper()
	n, err := Parse([]byte(src), Limits{})
	if err != nil {
		t.Fatalf("Parse(%q): %v", src, err)
	}
	return n
}

func TestParseKeepsWhatEncodingJSONForgets(t *testing.T) {
	const src = ` {"b": 1.50, "a" :[ 1e2,{"x":null}],"b":"last", "\u0061":false} `
	n := parse(t, src)
	if got := string(n.Raw()); got != strings.TrimSpace(src) {
		t.Errorf("Raw = %s", got)
	}
	var names []string
	for _, m := range n.Members {
		names = append(names, src[m.KeyStart:m.KeyEnd])
		if want := m.Key == "b" && m.Value.Kind == String ||
			string(m.Value.Raw()) == "false"; m.Duplicate != want {
			t.Errorf("%s: Duplicate = %v", src[m.KeyStart:m.KeyEnd], m.Duplicate)
		}
	}
	if got := strings.Join(names, " "); got != `"b" "a" "b" "\u0061"` {
		t.Errorf("names = %s", got)
	}
	if got := n.Get("b").Str(); got != "last" {
		t.Errorf("Get of a duplicate = %q, want the last", got)
	}
	if got := string(n.Members[0].Value.Raw()); got != "1.50" {
		t.Errorf("number text = %s", got)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct {
		src    string
		offset int
	}{
		{"", 0}, {"  ", 2}, {"\uFEFF{}", 0}, {"{} x", 3}, {"{}{}", 2}, {"[1,]", 3}, {"[1 2]", 3}, {"[", 1},
		{"[1", 2},
		{"{", 1}, {`{"a"}`, 4}, {`{"a":}`, 5}, {`{"a":1,}`, 7}, {`{a:1}`, 1}, {`{"a":1`, 6}, {"]", 0},
		{"[}", 1},
		{"01", 1}, {"-", 1}, {"+1", 0}, {".5", 0}, {"1.", 2}, {"1e", 2}, {"1e+", 3}, {"0x10", 1}, {"NaN", 0},
		{"tru", 0}, {"truex", 4}, {"nul", 0}, {"'a'", 0}, {`"a`, 2}, {"\"a\nb\"", 2}, {"\"a\x00b\"", 2},
		{`"\x"`, 1},
		{`"\u12G4"`, 1}, {`"\u123"`, 1}, {`"\`, 1}, {"[1]\x00", 3}, {"\v1", 0}, {"\u00a01", 0},
		{"// c\n1", 0},
	} {
		_, err := Parse([]byte(tt.src), Limits{})
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != tt.offset {
			t.Errorf("Parse(%q) = %v, want a syntax error at %d", tt.src, err, tt.offset)
		}
		if json.Valid([]byte(tt.src)) {
			t.Errorf("%q is valid JSON: the table is wrong", tt.src)
		}
	}
}

func TestParseFlagsBrokenText(t *testing.T) {
	for _, tt := range []struct {
		src, text string
		broken    bool
	}{
		{`"plain é"`, "plain é", false},
		{`"\ud83d\ude00"`, "😀", false},
		{`"\uFFFD"`, "\uFFFD", false},
		{"\"\uFFFD\"", "\uFFFD", false},
		{`"\u0000"`, "\x00", false},
		{`"\ud83d"`, "\uFFFD", true},
		{`"\ude00\ud83d"`, "\uFFFD\uFFFD", true},
		{`"\ud83dx"`, "\uFFFDx", true},
		{`"\ud83d\ud83d\ude00"`, "\uFFFD😀", true},
		{"\"a\xffb\"", "a\uFFFDb", true},
		{"\"\xed\xa0\x80\"", "\uFFFD\uFFFD\uFFFD", true},
	} {
		n := parse(t, tt.src)
		if n.Str() != tt.text || n.Broken != tt.broken || string(n.Raw()) != tt.src {
			t.Errorf("%q: text %q, broken %v", tt.src, n.Str(), n.Broken)
		}
		if m := parse(t, "{"+tt.src+":1}").Members[0]; m.Key != tt.text || m.Broken != tt.broken {
			t.Errorf("name %q: %q, broken %v", tt.src, m.Key, m.Broken)
		}
	}
}

func nested(depth int) []byte {
	return []byte(strings.Repeat("[", depth) + strings.Repeat("]", depth))
}

func TestParseLimits(t *testing.T) {
	if _, err := Parse(nested(64), Limits{}); err != nil {
		t.Errorf("64 levels: %v", err)
	}
	if _, err := Parse([]byte(strings.Repeat(`{"a":`, 63)+"[1]"+strings.Repeat("}", 63)),
		Limits{}); err != nil {
		t.Errorf("64 mixed levels: %v", err)
	}
	for _, depth := range []int{65, 100000} {
		if _, err := Parse(nested(depth), Limits{}); !errors.Is(err, ErrTooDeep) {
			t.Errorf("%d levels: %v", depth, err)
		}
	}
	if _, err := Parse(nested(maxDepth+1), Limits{Depth: 1 << 30}); !errors.Is(err, ErrTooDeep) {
		t.Errorf("the depth must stay bounded: %v", err)
	}
	many := []byte("[" + strings.Repeat("0,", defaultValues-2) + "0]")
	if _, err := Parse(many, Limits{}); err != nil {
		t.Errorf("%d values: %v", defaultValues, err)
	}
	if _, err := Parse(append([]byte("[0,"), many[1:]...), Limits{}); !errors.Is(err, ErrTooMany) {
		t.Errorf("one value more: %v", err)
	}
}

func TestManyNamesTakeLinearTime(t *testing.T) {
	var b strings.Builder
	b.WriteString("{")
	for range 100_000 {
		b.WriteString(`"k":0,`)
	}
	b.WriteString(`"k":1}`)
	if n := parse(t, b.String()); len(n.Duplicates()) != 1 || !n.Members[100_000].Duplicate {
		t.Error("duplicates of one name are one finding")
	}
}

func TestParseOwnsAllMembersAtTheMapBoundary(t *testing.T) {
	for _, count := range []int{fewMembers - 1, fewMembers, fewMembers + 1} {
		var b strings.Builder
		for i := range count {
			b.WriteString(`"` + strings.Repeat("k", i) + `":0,`)
		}
		n := parse(t, "{"+b.String()+`"":1}`)
		for i, m := range n.Members {
			if m.Duplicate != (i == count) {
				t.Errorf("%d names: member %d: Duplicate = %v", count, i, m.Duplicate)
			}
		}
	}
}
