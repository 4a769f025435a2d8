package flow

import (
	"fmt"
	"testing"
)

// A name is shown in a way that can be read again, and the words of the language are
// exactly those that need brackets.
func TestName_IsShownAsItIsWritten(t *testing.T) {
	for _, word := range append([]string{"assert", "true", "len", "print", "a b", "None", `"`}, keywords...) {
		args := objectOf([]Field{{Name: word, Kind: TextField}})
		s := scope{names: map[string]*Type{"args": args}}
		shown := (&Expr{Op: Name, Path: []string{"args", word}}).String()
		if e, err := compile(shown, s); err != nil || e.String() != shown {
			t.Errorf("%s: %v", shown, err)
		}
		_, err := compile("args."+word, s)
		if bare := "args."+word == shown; (err == nil) != bare {
			t.Errorf("args.%s without brackets, shown as %s: %v", word, shown, err)
		}
	}
}

func TestVersion_On(t *testing.T) {
	for instances, want := range map[string]string{
		"": "[a b] [a b]", "a:v1": "[a] [a b]", "a:v1,b:v2,c:v1": "[a c] [b]",
		"a,b:v1:drain,c:dead": "[a] [a b]",
	} {
		f := &Flow{Instances: instances}
		if got := fmt.Sprint(f.on("v1"), f.on("v2")); got != want {
			t.Errorf("%q: %s, want %s", instances, got, want)
		}
	}
}
