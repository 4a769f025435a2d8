package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChange_ApplyAndChangesAreInverse(t *testing.T) {
	for _, c := range []struct {
		change           Change
		instances, after string
	}{
		{Change{Do: Kill, Instance: "a"}, "a:v1,b:v1", "a:dead,b:v1"},
		{Change{Do: Stop, Instance: "b"}, "a:v1,b:v1", "a:v1,b:v1:drain"},
		{Change{Do: Upgrade, Instance: "b", Version: "v2"}, "a:v1,b:v1", "a:v1,b:v2"},
		{Change{Do: Revive, Instance: "a"}, "a:dead,b:v1", "a:v1,b:v1"},
		{Change{Do: Revive, Instance: "b"}, "a:v1,b:v1:drain", "a:v1,b:v1"},
	} {
		before := ParseTopology(c.instances, c.change.Instance, "v1")
		after, ok := c.change.Apply(before)
		if !ok || after.String() != c.after {
			t.Errorf("%v of %s gives %s", c.change, c.instances, after)
		}
		if diff := cmp.Diff([]Change{c.change}, Changes(before, after)); diff != "" {
			t.Errorf("%s to %s: %s", c.instances, c.after, diff)
		}
		if c.change.Do == Kill && after.Next != "" {
			t.Error("a dead instance still gets the next request")
		}
		if before.String() != c.instances {
			t.Error("the topology before was changed")
		}
	}
}

func TestChange_RejectsUnknownInstanceOrOperation(t *testing.T) {
	top := ParseTopology("a:v1,b:v1", "", "v1")
	for _, c := range []Change{{Do: Kill, Instance: "z"}, {Do: "explode", Instance: "a"}, {Do: Kill}, {}} {
		if _, ok := c.Apply(top); ok {
			t.Errorf("%v is applied", c)
		}
	}
	if got, ok := (Change{Do: Choose}).Apply(top); !ok || got.Next != "" {
		t.Error("choosing no instance does not return the choice to the balancer")
	}
}
