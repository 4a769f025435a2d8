package jsontree

import "strconv"

// ChangeKind is the kind of a Change.
type ChangeKind string

// The kinds of a Change.
const (
	Added   ChangeKind = "added"
	Removed ChangeKind = "removed"
	Changed ChangeKind = "changed"
)

// Change is one difference between two documents. Before is nil for Added,
// After is nil for Removed.
type Change struct {
	Path          []string // member names and array indexes from the root, for Pointer
	Kind          ChangeKind
	Before, After *Node
}

// maxChanges bounds the memory of a Diff, because every Change has a path.
const maxChanges = 1000

// Diff returns the changes from a to b, the deepest differing values only:
// members by name in b's order, then removed members, and items by index. White
// space, the order of members and the notation of numbers do not count. Diff
// stops after 1000 changes.
func Diff(a, b *Node) []Change {
	var d diff
	d.compare(nil, a, b)
	return d.changes
}

type diff struct{ changes []Change }

func (d *diff) compare(path []string, a, b *Node) {
	switch {
	case len(d.changes) >= maxChanges || a == nil && b == nil:
	case a == nil:
		d.add(path, Added, a, b)
	case b == nil:
		d.add(path, Removed, a, b)
	case a.Kind == Object && b.Kind == Object:
		d.objects(path, a, b)
	case a.Kind == Array && b.Kind == Array:
		d.arrays(path, a, b)
	case a.Kind != b.Kind || a.Kind == Array || a.Kind == Object || !Equal(a, b):
		d.add(path, Changed, a, b)
	}
}

func (d *diff) add(path []string, kind ChangeKind, a, b *Node) {
	d.changes = append(d.changes, Change{append([]string(nil), path...), kind, a, b})
}

func (d *diff) objects(path []string, a, b *Node) {
	before, after := a.values(), b.values()
	for _, m := range b.Members {
		if !m.Duplicate {
			d.compare(append(path, m.Key), before[m.Key], after[m.Key])
		}
	}
	for _, m := range a.Members {
		if _, still := after[m.Key]; !still && !m.Duplicate {
			d.compare(append(path, m.Key), before[m.Key], nil)
		}
	}
}

func (d *diff) arrays(path []string, a, b *Node) {
	for i := range max(len(a.Items), len(b.Items)) {
		d.compare(append(path, strconv.Itoa(i)), item(a, i), item(b, i))
	}
}

func item(n *Node, i int) *Node {
	if i < len(n.Items) {
		return n.Items[i]
	}
	return nil
}
