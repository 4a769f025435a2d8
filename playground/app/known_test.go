package app

import (
	"fmt"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestKnown_ForgetsTheOldest: one capture too many costs the credentials of the one that
// was used longest ago, and no others.
func TestKnown_ForgetsTheOldest(t *testing.T) {
	var k known
	add := func(id string) { k.add(id, []wire.Field{{Name: "Authorization", Value: "Bearer " + id}}) }
	for n := range mostKnown {
		add(fmt.Sprint(n))
	}
	add("0") // used again
	add("one more")
	for id, want := range map[string]int{"0": 1, "1": 0, "2": 1, "999": 1, "one more": 1} {
		if got := len(k.add(id, nil)); got != want {
			t.Errorf("capture %s: %d credentials, want %d", id, got, want)
		}
	}
	if len(k.fields) != mostKnown || len(k.used) != mostKnown {
		t.Errorf("%d captures, %d in order", len(k.fields), len(k.used))
	}
}
