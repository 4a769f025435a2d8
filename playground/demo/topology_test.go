package demo

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTopologyIsWhatStandsInTheURL(t *testing.T) {
	for _, instances := range []string{"a:v1,b:v1", "a:v1,b:v2,c:dead", "a:v1:drain,b:v2"} {
		if got := ParseTopology(instances, "", "v1").String(); got != instances {
			t.Errorf("%s comes back as %s", instances, got)
		}
	}
	top := ParseTopology("a:v1,b:dead", "a", "v1")
	const sample = "http://127.0.0.1:2322/mcp/azure-devops?next=b&ttl=24h"
	if got := top.Address(sample); got != "http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:dead&next=a&ttl=24h" {
		t.Errorf("address: %s", got)
	}
	top.Next = ""
	if got := top.Address(sample); got != "http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:dead&ttl=24h" {
		t.Errorf("address that leaves it to the balancer: %s", got)
	}
}

func TestWhatIsDoneToACopyIsSeenAsAChange(t *testing.T) {
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
		after, ok := before.With(c.change)
		if !ok || after.String() != c.after {
			t.Errorf("%v of %s gives %s", c.change, c.instances, after)
		}
		if diff := cmp.Diff([]Change{c.change}, before.Changes(after)); diff != "" {
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

func TestChangesThatMakeNoSenseAreRefused(t *testing.T) {
	top := ParseTopology("a:v1,b:v1", "", "v1")
	for _, c := range []Change{{Do: Kill, Instance: "z"}, {Do: "explode", Instance: "a"}, {Do: Kill}, {}} {
		if _, ok := top.With(c); ok {
			t.Errorf("%v is taken", c)
		}
	}
	if got, ok := top.With(Change{Do: Choose}); !ok || got.Next != "" {
		t.Error("the choice can be given back to the balancer")
	}
}
