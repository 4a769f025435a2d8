package share

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/state"
)

// What is said of a finding that has no known shape.
const (
	secretNameReason = "has the name of a secret"
	randomReason     = "looks drawn by lot, as keys are"
)

// scanner finds secrets in pieces.
type scanner struct {
	shapes   []shape
	random   *regexp.Regexp
	assigned *regexp.Regexp
	sealed   *regexp.Regexp
	byValue  map[string]*finding
	order    []*finding
	piece    *piece // being scanned
	states   map[*piece][]mark
}

func newScanner() *scanner {
	return &scanner{
		shapes: shapes(), random: candidates(), byValue: map[string]*finding{}, states: map[*piece][]mark{},
		assigned: regexp.MustCompile(`([A-Za-z][A-Za-z0-9_.-]{1,40})["']?\s?[=:]\s?["']?([^\s"'&;,<>(){}\[\]]{4,512})`),
		sealed:   regexp.MustCompile(`\bmrtr1\.(?:plain|signed|sealed)(?:\.[A-Za-z0-9_-]+)+`),
	}
}

// scan finds what has the name or the shape of a secret in every piece, and then
// every place in which one of these values stands, in any encoding.
func (s *scanner) scan(list []*piece, own []string) {
	for _, value := range own {
		if f := s.findingOf(value, "one of your credentials"); f != nil {
			f.Locked = true
		}
	}
	w := newWalker(s.inspect)
	for _, p := range list {
		s.piece, p.starts = p, map[markStart]int{}
		p.walk(w)
	}
	s.markOccurrences(list)
}

// findingOf is the finding of a value; nil for what is masked already.
func (s *scanner) findingOf(value, words string) *finding {
	if strings.Trim(value, "*") == "" {
		return nil
	}
	if f := s.byValue[value]; f != nil {
		if f.Reason == secretNameReason && words != randomReason {
			f.Reason = words // a shape says more than a name
		}
		return f
	}
	f := newFinding(value, words)
	s.byValue[value] = f
	s.order = append(s.order, f)
	return f
}

// mark marks bytes start to end of a view.
func (s *scanner) mark(v view, start, end int, words string) {
	f := s.findingOf(string(v.text[start:end]), words)
	if f != nil {
		s.add(v.marks(start, end, f), f)
	}
}

// add adds the marks of one place, unless they are there already.
func (s *scanner) add(marks []mark, f *finding) {
	fresh := false
	for _, m := range marks {
		if s.piece.starts[markStart{m.start, m.of}] < m.end {
			s.piece.starts[markStart{m.start, m.of}] = m.end
			s.piece.marks = append(s.piece.marks, m)
			fresh = true
		}
	}
	if !fresh {
		return
	}
	if f.Count++; f.Where == "" {
		f.Where = s.piece.label
	}
}

// marks are the stretches of the piece that a stretch of the view came from.
func (v view) marks(start, end int, f *finding) []mark {
	var list []mark
	for i := start; i < end; i++ {
		from, to := v.origin(i)
		if last := len(list) - 1; last >= 0 && from <= list[last].end {
			list[last].end = max(list[last].end, to)
			continue
		}
		list = append(list, mark{from, to, f, v.number})
	}
	return list
}

// inspect judges one text by its name and by its looks.
func (s *scanner) inspect(v view, name string) {
	if normalizeName(name) == "requeststate" && s.markState(v) {
		return
	}
	if isSecretName(name) {
		s.markNamed(v)
	}
	if v.number {
		return
	}
	lower := bytes.ToLower(v.text)
	for _, shape := range s.shapes {
		if bytes.Contains(lower, []byte(shape.hint)) {
			s.markShape(v, shape)
		}
	}
	s.markAssignments(v)
	seals := s.sealed.FindAllIndex(v.text, -1)
	for _, at := range seals {
		s.states[s.piece] = append(s.states[s.piece], v.marks(at[0], at[1], nil)...)
	}
	if !isRandomName(name) {
		s.markRandom(v, seals)
	}
}

// markNamed marks a value whose name says that it is a secret, without the word
// for its scheme.
func (s *scanner) markNamed(v view) {
	start, end := 0, len(v.text)
	if scheme, rest, ok := bytes.Cut(v.text, []byte(" ")); ok && isScheme(scheme) && len(bytes.TrimSpace(rest)) > 0 {
		start = len(scheme) + 1
	}
	if end-start >= 3 {
		s.mark(v, start, end, secretNameReason)
	}
}

func (s *scanner) markShape(v view, shape shape) {
	for _, at := range shape.pattern.FindAllSubmatchIndex(v.text, -1) {
		start, end := at[0], at[1]
		if len(at) > 2 && at[2] >= 0 {
			start, end = at[2], at[3]
		}
		s.mark(v, start, end, "looks like "+shape.words)
	}
}

// markAssignments marks values such as in "?api_key=..." and "password: ...", but
// not the next word of a sentence.
func (s *scanner) markAssignments(v view) {
	if !bytes.ContainsAny(v.text, "=:") {
		return
	}
	for from := 0; ; {
		at := s.assigned.FindSubmatchIndex(v.text[from:])
		if at == nil {
			return
		}
		rest := v.slice(from, len(v.text))
		value := rest.text[at[4]:at[5]]
		prose := bytes.IndexByte(rest.text[at[3]:at[4]], ':') >= 0 && len(bytes.Trim(value, "abcdefghijklmnopqrstuvwxyz.!?")) == 0
		if isSecretName(string(rest.text[at[2]:at[3]])) && !prose {
			s.mark(rest, at[4], at[5], secretNameReason)
		}
		from += at[3] // a value may hold further names, as an address does
	}
}

func (s *scanner) markRandom(v view, not [][]int) {
	for _, at := range s.random.FindAllIndex(v.text, -1) {
		if !inside(at, not) && isRandom(v.text[at[0]:at[1]]) {
			known := s.byValue[string(v.text[at[0]:at[1]])]
			s.mark(v, at[0], at[1], randomReason)
			if f := s.byValue[string(v.text[at[0]:at[1]])]; f != nil {
				f.Random = known == nil || known.Random
			}
		}
	}
}

func inside(at []int, list [][]int) bool {
	for _, other := range list {
		if at[0] < other[1] && other[0] < at[1] {
			return true
		}
	}
	return false
}

// markState judges a requestState; true when nothing is left to look for. A
// sample's own is sealed by us and gives nobody access. Anybody else's may
// stand for a session, or hide what was said, unless all of it can be read.
func (s *scanner) markState(v view) bool {
	switch f := state.Recognise(string(v.text)); {
	case f.ID == state.Playground || f.Readable && !f.Protected || len(v.text) < minValue:
		return false
	default:
		s.mark(v, 0, len(v.text), "is a server's state, closed to us")
		return true
	}
}

// markOccurrences marks every other place of the values found, in any encoding.
func (s *scanner) markOccurrences(list []*piece) {
	needles := newNeedles(s.order)
	if len(needles) == 0 {
		return
	}
	w := newWalker(func(v view, _ string) {
		needles.in(v.text, func(start, end int, f *finding) { s.add(v.marks(start, end, f), f) })
	})
	for _, p := range list {
		s.piece = p
		p.walk(w)
	}
}
