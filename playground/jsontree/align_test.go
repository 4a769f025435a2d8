package jsontree

import (
	"strings"
	"testing"
)

// written returns the differences: + and - before the added and removed values,
// in the order of the two documents, and the values that are the same by name.
func written(p Aligned) string {
	value := func(n *Node) string { return string(p.Key) + string(n.Raw()) }
	switch {
	case p.Same:
		return "=" + value(p.After)
	case p.Before == nil:
		return "+" + value(p.After)
	case p.After == nil:
		return "-" + value(p.Before)
	case p.Parts == nil:
		return "-" + value(p.Before) + " +" + value(p.After)
	}
	parts := make([]string, len(p.Parts))
	for i, part := range p.Parts {
		parts[i] = written(part)
	}
	return string(p.Key) + "(" + strings.Join(parts, " ") + ")"
}

func TestAlign(t *testing.T) {
	for name, tt := range map[string]struct{ a, b, want string }{
		"same in any order":         {`{"a":1,"b":[]}`, `{"b":[],"a":1.0}`, `={"b":[],"a":1.0}`},
		"added in the middle":       {`{"a":1,"c":3}`, `{"a":1,"b":2,"c":3}`, `(="a"1 +"b"2 ="c"3)`},
		"removed where it was":      {`{"a":1,"b":2,"c":3}`, `{"a":1,"c":3}`, `(="a"1 -"b"2 ="c"3)`},
		"removed first":             {`{"a":1,"b":2}`, `{"b":2,"c":3}`, `(-"a"1 ="b"2 +"c"3)`},
		"removed before the added":  {`{"q":{"x":1}}`, `{"q":{"y":1}}`, `("q"(-"x"1 +"y"1))`},
		"changed":                   {`{"id":1,"n":"x"}`, `{"id":2,"n":"x"}`, `(-"id"1 +"id"2 ="n""x")`},
		"changed kind":              {`{"a":[]}`, `{"a":{}}`, `(-"a"[] +"a"{})`},
		"one of two duplicates":     {`{"a":1,"a":2}`, `{"a":1}`, `(="a"1 -"a"2)`},
		"a duplicate more":          {`{"a":1}`, `{"a":1,"a":2}`, `(="a"1 +"a"2)`},
		"name in another spelling":  {`{"a":1}`, `{"\u0061":1}`, `={"\u0061":1}`},
		"item inserted at the top":  {`[1,2,3]`, `[0,1,2,3]`, `(+0 =1 =2 =3)`},
		"item removed in between":   {`["a","b","c"]`, `["a","c"]`, `(="a" -"b" ="c")`},
		"item changed":              {`[{"a":1,"b":2},5]`, `[{"a":1,"b":3},5]`, `((="a"1 -"b"2 +"b"3) =5)`},
		"everything else":           {`[1,2]`, `[3]`, `(-1 +3 -2)`},
		"not containers":            {`1`, `"1"`, `-1 +"1"`},
		"members that were removed": {`{"a":1,"b":2,"c":3,"d":4}`, `{"d":4}`, `(-"a"1 -"b"2 -"c"3 ="d"4)`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := written(Align(parse(t, tt.a), parse(t, tt.b))); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAlign_WithNothing(t *testing.T) {
	n := parse(t, `{"a":1}`)
	if p := Align(nil, n); p.Same || p.After != n || p.Parts != nil {
		t.Errorf("added: %+v", p)
	}
	if p := Align(n, nil); p.Same || p.Before != n || p.Parts != nil {
		t.Errorf("removed: %+v", p)
	}
	if p := Align(nil, nil); !p.Same {
		t.Errorf("absent: %+v", p)
	}
}

// TestAlign_LargeArraysByIndex: matching by value takes time in the square of
// the items.
func TestAlign_LargeArraysByIndex(t *testing.T) {
	list := strings.Repeat("1,", 300) + "2"
	p := Align(parse(t, "["+list+"]"), parse(t, "[0,"+list+"]"))
	if len(p.Parts) != 302 || p.Parts[0].Same || !p.Parts[1].Same || p.Parts[300].Same ||
		p.Parts[301].Before != nil {
		t.Errorf("%d parts", len(p.Parts))
	}
	p = Align(parse(t, "["+list[:100]+"2]"), parse(t, "[0,"+list[:100]+"2]"))
	if len(p.Parts) != 52 || !p.Parts[1].Same || !p.Parts[51].Same {
		t.Errorf("%d parts", len(p.Parts))
	}
}

// FuzzAlign: what Align calls the same is Equal, and the values of each document
// are all there, in their order for After.
func FuzzAlign(f *testing.F) {
	f.Add([]byte(`{"a":[1,2],"b":3,"b":4}`), []byte(`{"b":3,"c":[],"a":[2,1]}`))
	f.Add([]byte(`[[1],{"x":"y"}]`), []byte(`[[1,2],{"x":"z"},7]`))
	f.Fuzz(func(t *testing.T, x, y []byte) {
		a, err := Parse(x, Limits{})
		if err != nil {
			return
		}
		b, err := Parse(y, Limits{})
		if err != nil {
			return
		}
		p := Align(a, b)
		if p.Same && len(a.Duplicates())+len(b.Duplicates()) == 0 && !Equal(a, b) {
			t.Fatalf("%s and %s are not the same", x, y)
		}
		checkParts(t, p)
	})
}

func checkParts(t *testing.T, p Aligned) {
	if p.Parts == nil {
		return
	}
	before, at := 0, -1
	after := 0
	for _, part := range p.Parts {
		if part.Before != nil {
			before++
		}
		if part.After != nil {
			if part.After.Start <= at {
				t.Fatal("not in the order of After")
			}
			at = part.After.Start
			after++
		}
		checkParts(t, part)
	}
	if before != p.Before.Len() || after != p.After.Len() {
		t.Fatalf("%d of %d values before, %d of %d after", before, p.Before.Len(), after, p.After.Len())
	}
}
