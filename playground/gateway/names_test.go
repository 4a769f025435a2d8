package gateway

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// TestMatchNames: a name that ends with another one is not taken for it, whatever comes first in the
// list, and what may be several is none.
func TestMatchNames(t *testing.T) {
	for name, c := range map[string]struct{ own, listed, want string }{
		"the same":                       {"a b", "b a", "1 0"},
		"a prefix":                       {"issue create_issue", "gh_create_issue gh_issue", "1 0"},
		"a name behind":                  {"read write", "write@up read@up", "1 0"},
		"only the longer one":            {"issue create_issue", "gh_create_issue", "-1 0"},
		"only the longer one, the same":  {"issue create_issue", "create_issue", "-1 0"},
		"one name is known":              {"issue", "gh_create_issue gh_issue", "1"},
		"the same beside a prefix":       {"read write", "x.read read write", "1 2"},
		"a prefix that is a name":        {"x srv_x", "srv_x srv_srv_x", "0 1"},
		"two servers":                    {"read write", "a.read b.read b.write", "1 2"},
		"two servers with the same":      {"read", "a.read b.read", "-1"},
		"two servers, one name is clear": {"read write", "a.read b.read write", "-1 2"},
		"each once":                      {"a b.a", "x.b.a", "-1 0"},
		"twice in the list":              {"a", "a a", "0"},
		"another name":                   {"read", "thread reader", "-1"},
		"nothing":                        {"a", "", "-1"},
	} {
		of := MatchNames(strings.Fields(c.own), strings.Fields(c.listed))
		if got := strings.Trim(fmt.Sprint(of), "[]"); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := MatchNames([]string{"", "a"}, []string{"", "x.", "a"}); !slices.Equal(got, []int{-1, 2}) {
		t.Errorf("an empty name: %v", got)
	}
}

// TestKeysOf: keys of the gateway's own are not matched by their order, which JSON does not have.
func TestKeysOf(t *testing.T) {
	const a, b = `{"method":"a"}`, `{"method":"b"}`
	for name, c := range map[string]struct{ upstream, client, want string }{
		"the same":                   {`"x":` + a + `,"y":` + b, `"y":` + b + `,"x":` + a, "x=x y=y"},
		"changed questions":          {`"x":` + a + `,"y":` + b, `"x":` + b + `,"y":` + a, "x=x y=y"},
		"a prefix":                   {`"x":` + a + `,"y":` + a, `"+y":` + b + `,"+x":` + a, "x=+x y=+y"},
		"keys of its own":            {`"x":` + a + `,"y":` + b, `"1":` + b + `,"2":` + a, "x=2 y=1"},
		"equal questions":            {`"x":` + a + `,"y":` + a, `"1":` + a + `,"2":` + a, ""},
		"one other question":         {`"x":` + a, `"1":` + b, "x=1"},
		"one is left":                {`"x":` + a + `,"y":` + a, `"x":` + a + `,"1":` + b, "x=x y=1"},
		"one was dropped":            {`"x":` + a + `,"y":` + b, `"1":` + b, "y=1"},
		"one was dropped, the other": {`"x":` + a + `,"y":` + b, `"x":` + b, "x=x"},
	} {
		result := func(members string) *jsontree.Node {
			n, err := jsontree.Parse([]byte(`{"inputRequests":{`+members+`}}`), jsontree.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		var got []string
		for _, k := range keysOf(result(c.client), result(c.upstream)) {
			got = append(got, k.upstream.Key+"="+k.client.Key)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

// TestRearranged: items in another order, or more of them, are one change; a change of one is not.
func TestRearranged(t *testing.T) {
	for texts, want := range map[[2]string]bool{
		{`[1,2,3]`, `[1,2,3]`}: false, {`[1,2]`, `[2,1]`}: true, {`[1,2]`, `[1]`}: true,
		{`[1,{"a":1,"b":2}]`, `[{"b":2,"a":1},1]`}: true, {`[1,2]`, `[1,3]`}: false, {`[1,1]`, `[1,2]`}: true,
		{`[1.0,2]`, `[1,2]`}: false,
	} {
		a, err := jsontree.Parse([]byte(texts[0]), jsontree.Limits{})
		b, failed := jsontree.Parse([]byte(texts[1]), jsontree.Limits{})
		if err != nil || failed != nil || rearranged(a, b) != want {
			t.Errorf("%v is not %v", texts, want)
		}
	}
}
