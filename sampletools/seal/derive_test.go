package seal

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestDerive(t *testing.T) {
	derive := func(k *Keys, label string) []DerivedKey {
		t.Helper()
		list := k.Derive(label)
		return list
	}
	k := Generate()
	one := derive(k, "a")
	if len(one) != 1 || len(one[0].Secret) != 32 || len(one[0].ID) != 8 {
		t.Fatalf("derived: %v", one)
	}
	if bytes.Equal(one[0].Secret, derive(k, "b")[0].Secret) {
		t.Error("two labels, one secret")
	}
	text, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	sets, err := parseKeys(text, "test")
	if err != nil {
		t.Fatal(err)
	}
	if again := derive(&Keys{sets: sets}, "a"); !bytes.Equal(again[0].Secret, one[0].Secret) {
		t.Error("another process derives another secret")
	}
	rotated := k.Rotate()
	two := derive(rotated, "a")
	if len(two) != 2 || two[0].ID == one[0].ID || !bytes.Equal(two[1].Secret, one[0].Secret) {
		t.Errorf("after a rotation: %v, want a new key before %v", two, one)
	}
	retired := rotated.Retire()
	if left := derive(retired, "a"); len(left) != 1 || left[0].ID != two[0].ID {
		t.Errorf("after the old key is gone: %v", left)
	}
}
