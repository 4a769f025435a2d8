package cluster_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
)

func TestParseTopology(t *testing.T) {
	tests := []struct {
		name, instances string
		want            []cluster.Instance
	}{
		{"versions", "a:v1,b:v2", []cluster.Instance{{Name: "a", Version: "v1"}, {Name: "b", Version: "v2"}}},
		{"names alone", "a,b", []cluster.Instance{{Name: "a", Version: "v0"}, {Name: "b", Version: "v0"}}},
		{"dead", "c:dead", []cluster.Instance{{Name: "c", Version: "v0", Health: cluster.Dead}}},
		{"drained", "a:v1:drain,b:drain", []cluster.Instance{
			{Name: "a", Version: "v1", Health: cluster.Drain},
			{Name: "b", Version: "v0", Health: cluster.Drain},
		}},
		{"spaces", "a:v1, b:v2", []cluster.Instance{{Name: "a", Version: "v1"}, {Name: "b", Version: "v2"}}},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, cluster.ParseTopology(tt.instances, "",
				"v0").Instances); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTopology_StringIsWhatWasParsed(t *testing.T) {
	for _, instances := range []string{"a:v1,b:v1", "a:v1,b:v2,c:dead", "a:v1:drain,b:v2"} {
		if got := cluster.ParseTopology(instances, "", "v1").String(); got != instances {
			t.Errorf("%s comes back as %s", instances, got)
		}
	}
}

func TestTopology_URL(t *testing.T) {
	top := cluster.ParseTopology("a:v1,b:dead", "a", "v1")
	const sample = "http://127.0.0.1:2322/mcp/azure-devops?next=b&ttl=24h"
	const want = "http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:dead&next=a&ttl=24h"
	if got := top.URL(sample); got != want {
		t.Errorf("URL: %s", got)
	}
	top.Next = ""
	if got := top.URL(sample); got != "http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:dead&ttl=24h" {
		t.Errorf("URL that leaves the choice to the balancer: %s", got)
	}
}

func TestInstancesOf(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"http://h.example/mcp/wizard?instances=a:v1,b:dead&next=a", "a:v1,b:dead"},
		{"http://h.example/mcp/wizard?next=a", "own"},
		{"http://h.example/%zz", "own"},
	} {
		if got := cluster.InstancesOf(tt.url, "own"); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.url, got, tt.want)
		}
	}
}
