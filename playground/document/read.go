package document

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Reader reads the values of a document and collects their problems. Its
// methods return the zero value for an absent or wrong one, so that one reading
// finds all problems.
type Reader struct {
	problems []Problem
	count    int
}

// maxKept is how many problems a Reader keeps; a hostile document has very many.
const maxKept = 5 * maxProblems

// Count returns how many problems were found so far.
func (r *Reader) Count() int { return r.count }

// Problems returns the problems, in the order of the document: at most the
// first twenty, each once.
func (r *Reader) Problems() []Problem {
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	})
	r.problems = slices.Compact(r.problems)
	return r.problems[:min(len(r.problems), maxProblems)]
}

// Wrong adds a problem at a node. The format gives one sentence.
func (r *Reader) Wrong(n *Node, path, format string, a ...any) {
	p := Problem{Line: 1, Column: 1, Path: path, Text: fmt.Sprintf(format, a...)}
	if n != nil {
		p.Line, p.Column = n.Line, n.Column
	}
	if r.count++; len(r.problems) < maxKept {
		r.problems = append(r.problems, p)
	}
}

// Mark adds words to the problems from the number from on, and drops those among
// them that were found before.
func (r *Reader) Mark(from int, words string) {
	if from >= len(r.problems) {
		return
	}
	before, fresh := r.problems[:from:from], r.problems[from:]
	for _, p := range fresh {
		if slices.Contains(before, p) {
			r.count--
			continue
		}
		p.Text = strings.TrimSuffix(p.Text, ".") + words + "."
		before = append(before, p)
	}
	r.problems = before
}

// Fields reports every field of a Map that is not among names. A node that is
// there and no Map is wrong, too. It reports whether the node is a Map.
func (r *Reader) Fields(n *Node, path string, names ...string) bool {
	if !r.Is(n, path, Map) {
		return false
	}
	for _, m := range n.Members {
		if slices.Contains(names, m.Name) {
			continue
		}
		at := &Node{Line: m.Line, Column: m.Column}
		r.Wrong(at, Join(path, m.Name), "The field %s is not known.%s", Quote(m.Name),
			Suggest(m.Name, names))
	}
	return true
}

// Is reports whether the node has this kind. A node of another kind is a
// problem, unless it is absent or null.
func (r *Reader) Is(n *Node, path string, k Kind) bool {
	switch n.KindOf() {
	case k:
		return true
	case Absent, Null:
		return false
	}
	r.Wrong(n, path, "This must be %s, not %s.", k, n.Kind)
	return false
}

// Text returns the text at a node of at most limit characters.
func (r *Reader) Text(n *Node, path string, limit int) string {
	if !r.Is(n, path, Text) {
		return ""
	}
	if len([]rune(n.Text)) > limit {
		r.Wrong(n, path, "This text is too long: at most %d characters are allowed.", limit)
		return ""
	}
	return n.Text
}

// Needed is Text, and an absent or empty text is a problem of the node around it.
func (r *Reader) Needed(around *Node, path, name string, limit int) string {
	n := around.Get(name)
	s := r.Text(n, Join(path, name), limit)
	if n.KindOf() == Absent || n.KindOf() == Null || n.Kind == Text && strings.TrimSpace(n.Text) == "" {
		r.Wrong(around, path, "The field %s is missing.", Quote(name))
	}
	return s
}

// Bool returns the value at a node that is true or false.
func (r *Reader) Bool(n *Node, path string) bool { return r.Is(n, path, Bool) && n.True() }

// Number returns the number at a node. The flag is false if there is none.
func (r *Reader) Number(n *Node, path string) (float64, bool) {
	if !r.Is(n, path, Number) {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.Text, 64)
	if err != nil {
		r.Wrong(n, path, "This number is too large.")
		return 0, false
	}
	return f, true
}

// Choice returns the text at a node, which must be one of values.
func (r *Reader) Choice(n *Node, path string, values ...string) string {
	if !r.Is(n, path, Text) {
		return ""
	}
	if !slices.Contains(values, n.Text) {
		r.Wrong(n, path, "%s is not known here. Use one of: %s.%s", Quote(n.Text),
			strings.Join(values, ", "), Suggest(n.Text, values))
		return ""
	}
	return n.Text
}

// Items returns the items of a list of at most limit.
func (r *Reader) Items(n *Node, path string, limit int) []*Node {
	if !r.Is(n, path, List) {
		return nil
	}
	if len(n.Items) > limit {
		r.Wrong(n, path, "This list is too long: at most %d entries are allowed.", limit)
		return nil
	}
	return n.Items
}

// Join returns the path of a field: steps[2] and when give steps[2].when.
func Join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// Index returns the path of an item of a list, which counts from 1.
func Index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i+1) }

// Suggest returns a sentence with the known name that is most like a wrong one,
// with a space before it, or "".
func Suggest(wrong string, known []string) string {
	best, least := "", 3
	if len(wrong) > 64 {
		return ""
	}
	for _, k := range known {
		if d := distance(strings.ToLower(wrong), strings.ToLower(k)); d < least && d < len(k) {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return " Did you mean " + Quote(best) + "?"
}

// distance returns how many letters must change, go or come to make a into b
// (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, cost)
		}
	}
	return row[len(b)]
}
