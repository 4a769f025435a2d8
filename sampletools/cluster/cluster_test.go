package cluster_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

func parse(t *testing.T, instances, next string) cluster.Topology {
	t.Helper()
	top, err := cluster.Parse(instances, next, []string{"v1", "v2"})
	if err != nil {
		t.Fatal(err)
	}
	return top
}

func picks(b *cluster.Balancer, t cluster.Topology, n int) string {
	var names []string
	for range n {
		c, err := b.Pick(t)
		if err != nil {
			names = append(names, "down")
			continue
		}
		names = append(names, c.Label())
	}
	return strings.Join(names, " ")
}

func TestBalancer_Pick(t *testing.T) {
	tests := []struct{ name, instances, next, want string }{
		{"rotates", "a,b", "", "a/v1 b/v1 a/v1 b/v1"},
		{"versions", "a:v1,b:v2", "", "a/v1 b/v2 a/v1 b/v2"},
		{"skips the dead", "a:dead,b:v2", "", "b/v2 b/v2 b/v2 b/v2"},
		{"skips the drained", "a:v1:drain,b:v2", "", "b/v2 b/v2 b/v2 b/v2"},
		{"next is named", "a:v1,b:v2", "b", "b/v2 b/v2 b/v2 b/v2"},
		{"next is drained", "a:v1:drain,b", "a", "a/v1 a/v1 a/v1 a/v1"},
		{"next is dead", "a:dead,b", "a", "down down down down"},
		{"no live instance", "a:dead,b:drain", "", "down down down down"},
	}
	for _, tt := range tests {
		if got := picks(&cluster.Balancer{}, parse(t, tt.instances, tt.next), 4); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestBalancer_RotatesEachTopologyAlone(t *testing.T) {
	var b cluster.Balancer
	picks(&b, parse(t, "a,b,c", ""), 1)
	if got := picks(&b, parse(t, "a,b", ""), 2); got != "a/v1 b/v1" {
		t.Errorf("another topology starts with %s", got)
	}
}

func TestBalancer_NamesTheDeadInstance(t *testing.T) {
	var b cluster.Balancer
	c, err := b.Pick(parse(t, "a:dead,b", "a"))
	if !errors.Is(err, cluster.ErrDown) || c.Name != "a" {
		t.Errorf("Pick: %v, %v", c, err)
	}
}

func TestTopology_StringIsWhatWasParsed(t *testing.T) {
	const text = "a:v1,b:v2:drain,c:dead"
	if got := parse(t, text, "").String(); got != text {
		t.Errorf("String: %s", got)
	}
}

func TestParse_RejectsInvalidTopologies(t *testing.T) {
	for _, instances := range []string{"", "a,", "a,a", "i", "ab", "A", "a:v3", "a:v1:v2:dead", "a:",
		strings.Repeat("a,", 100)} {
		if top, err := cluster.Parse(instances, "", []string{"v1", "v2"}); err == nil {
			t.Errorf("%q is taken as %v", instances, top)
		}
	}
	if _, err := cluster.Parse("a,b", "c", []string{"v1"}); err == nil {
		t.Error("next names an instance that is not there")
	}
}
