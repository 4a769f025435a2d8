package jsontree

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

func seeds(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,2.50,-0,1e400],"b":{"c":null,"c":true}}`, `"\ud83d\ude00\ud800"`, "\"\xff\"", "[[[[1]]]]",
		`{"a":1,}`,
		`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required"}}`, "\uFEFF1", "1e999999999",
		` {"" : "" } `,
	} {
		f.Add([]byte(s))
	}
}

// FuzzParse: within its limits, Parse accepts what encoding/json accepts, with
// the same value.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		n, err := Parse(src, Limits{})
		limited := errors.Is(err, ErrTooDeep) || errors.Is(err, ErrTooMany)
		if valid := json.Valid(src); !limited && valid != (err == nil) {
			t.Fatalf("valid %v, but %v", valid, err)
		}
		if err != nil {
			return
		}
		if !bytes.Equal(n.Raw(), bytes.Trim(src, " \t\r\n")) {
			t.Fatalf("Raw = %s", n.Raw())
		}
		again, err := Parse(Canonical(n), Limits{})
		if err != nil || !Equal(n, again) || Diff(n, again) != nil {
			t.Fatalf("canonical %s: %v", Canonical(n), err)
		}
		n.Duplicates()
		n.Lines()
		sameText(t, n)
	})
}

func sameText(t *testing.T, n *Node) {
	var want any
	d := json.NewDecoder(bytes.NewReader(n.Raw()))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	if got := plain(n); !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func plain(n *Node) any {
	switch n.Kind {
	case Object:
		m := map[string]any{}
		for _, member := range n.Members {
			m[member.Key] = plain(member.Value)
		}
		return m
	case Array:
		list := []any{}
		for _, item := range n.Items {
			list = append(list, plain(item))
		}
		return list
	case String:
		return n.Str()
	case Number:
		return json.Number(n.Raw())
	case Bool:
		return n.True()
	}
	return nil
}

// FuzzSet: the member has its new value, and all others keep their bytes.
func FuzzSet(f *testing.F) {
	f.Add([]byte(` { "a" : 1 , "b":[ ] , "a":2} `), "b", []byte("3"))
	f.Add([]byte(``), "", []byte(`" "`))
	f.Fuzz(func(t *testing.T, obj []byte, key string, value []byte) {
		set, err := Set(obj, Pair{key, value})
		if err != nil || value == nil {
			return
		}
		key = parse(t, string(Quote(key))).Str() // what JSON can carry of it
		after, err := Parse(set, Limits{Depth: maxDepth})
		if err != nil || string(after.Get(key).Raw()) != string(bytes.Trim(value, " \t\r\n")) {
			t.Fatalf("%s: %v", set, err)
		}
		gone, err := Set(set, Pair{key, nil})
		if err != nil {
			t.Fatal(err)
		}
		before, err := Parse(obj, Limits{Depth: maxDepth})
		if err != nil {
			return // the empty obj
		}
		rest, err := Parse(gone, Limits{Depth: maxDepth})
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for _, m := range before.Members {
			if m.Key == key {
				continue
			}
			if r := rest.Members[i]; !bytes.Equal(r.Value.Raw(), m.Value.Raw()) ||
				!bytes.Equal(gone[r.KeyStart:r.KeyEnd], obj[m.KeyStart:m.KeyEnd]) {
				t.Fatalf("member %q changed", m.Key)
			}
			i++
		}
		if i != rest.Len() {
			t.Fatalf("%d members left of %d", rest.Len(), i)
		}
	})
}
