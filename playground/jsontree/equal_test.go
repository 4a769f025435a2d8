package jsontree

import (
	"bytes"
	"strings"
	"testing"
)

func TestEqualIsMeaningNotSpelling(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[true,null]}`, ` { "b" : [ true , null ] , "a" : 1.0 } `, true},
		{`{"a":1}`, `{"a":1,"b":null}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`"\u0041\/"`, `"A/"`, true},
		{`{"a":1,"a":2}`, `{"a":2}`, true},
		{`"\ud800"`, `"\ud801"`, false},
		{"1", `"1"`, false},
		{"[]", "{}", false},
		{"100", "1e2", true},
		{"0.1", "1E-1", true},
		{`{"a":1,"b":2}`, `{"a":1,"c":2}`, false},
		{`{"a":1,"a":2}`, `{"a":2,"b":2}`, false},
		{`{"a":{"b":[1]},"c":null}`, `{"c":null,"a":{"b":[1.0]}}`, true},
		{`[[],{}]`, `[{},[]]`, false},
		{"-0", "0.00e5", true},
		{"1", "-1", false},
		{"9007199254740993", "9007199254740992", false},
		{"1e400", "10e399", true},
		{"1e400", "1e401", false},
		{"1e999999999", "10e999999998", true},
		{"1e-999999999", "1e999999999", false},
		{"1e999999999999999999999", "1e999999999999999999999", true},
		{"1e999999999999999999999", "2e999999999999999999999", false},
		{"0e999999999999999999999", "0", true},
		{"1e000000000000000000000001", "10", true},
		{strings.Repeat("1", 40), strings.Repeat("1", 40) + ".000", true},
	} {
		a, b := parse(t, tt.a), parse(t, tt.b)
		if Equal(a, b) != tt.want || Equal(b, a) != tt.want ||
			bytes.Equal(Canonical(a), Canonical(b)) != tt.want {
			t.Errorf("Equal(%s, %s) = %v: %s %s", tt.a, tt.b, !tt.want, Canonical(a), Canonical(b))
		}
	}
}

func TestCanonicalIsJSONOfTheSameValue(t *testing.T) {
	for src, want := range map[string]string{
		`{"b":1.0,"a":[ "\u00e9" , 1e2]}`: `{"a":["é",100],"b":1}`,
		"1e20":                            "100000000000000000000",
		"1e21":                            "0.1e22",
		"-12.50":                          "-0.125e2",
		"0.5":                             "0.5",
		`{"":[],"x":{}}`:                  `{"":[],"x":{}}`,
	} {
		n := parse(t, src)
		got := Canonical(n)
		if string(got) != want || !Equal(n, parse(t, string(got))) {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}

func TestDiffNamesTheDeepestChange(t *testing.T) {
	a := parse(
		t, `{"name":"t","arguments":{"n":4522,"f":{"S":"R"}},"_meta":{"t":1},"list":[1,2,3],"gone":0}`,
	)
	b := parse(
		t,
		`{"requestState":"x","name":"t","list":[1,9],"arguments":{"f":{"S":"R"},"n":4522.0},`+
			`"_meta":{"t":"1"}}`,
	)
	var got []string
	for _, c := range Diff(a, b) {
		got = append(
			got, string(c.Kind)+" "+Pointer(c.Path...)+" "+string(c.Before.Raw())+">"+string(c.After.Raw()),
		)
	}
	want := `added /requestState >"x"; changed /list/1 2>9; removed /list/2 3>; changed /_meta/t 1>"1"; ` +
		`removed ` +
		`/gone 0>`
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	if c := Diff(parse(t, "[]"), parse(t, "{}")); len(c) != 1 || c[0].Kind != Changed ||
		len(c[0].Path) != 0 {
		t.Errorf("other kind: %v", c)
	}
	if c := Diff(a, a); c != nil {
		t.Errorf("same: %v", c)
	}
}

func TestDiffPathsDoNotShareMemory(t *testing.T) {
	c := Diff(parse(t, `{"a":{"b":{"c":1,"d":1}}}`), parse(t, `{"a":{"b":{"c":2,"d":2}}}`))
	if len(c) != 2 || Pointer(c[0].Path...) != "/a/b/c" || Pointer(c[1].Path...) != "/a/b/d" {
		t.Errorf("%v", c)
	}
}

func TestDiffIsBounded(t *testing.T) {
	a, b := parse(t, "["+strings.Repeat("1,", 5000)+"1]"), parse(t, "["+strings.Repeat("2,", 5000)+"2]")
	if got := len(Diff(a, b)); got != maxChanges {
		t.Errorf("%d changes", got)
	}
}
