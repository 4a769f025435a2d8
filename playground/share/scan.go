package share

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/state"
)

// Reasons of findings without a known shape.
const (
	secretNameReason = "has the name of a secret"
	randomReason     = "looks random, as keys do"
	pathReason       = "is a part of the server's path that looks like a key"
)

// scanner finds secrets in pieces.
type scanner struct {
	byValue    map[string]*finding
	order      []*finding
	piece      *piece              // being scanned
	states     map[*piece][]mark   // states of samples
	searchable map[*piece][][2]int // ranges of states whose content can be searched
	fixed      [][2]int            // in the view being inspected: stretches that are never masked
}

func newScanner() *scanner {
	return &scanner{
		byValue: map[string]*finding{}, states: map[*piece][]mark{}, searchable: map[*piece][][2]int{},
	}
}

// samplePattern matches the requestState of a sample.
var samplePattern = regexp.MustCompile(`\bmrtr1\.(?:plain|signed|sealed)(?:\.[A-Za-z0-9_-]+)+`)

// Sets of characters that runs are made of.
var (
	keyChars  = redact.NewCharSet(redact.Digits + redact.Letters + "+/_-=") // that isRandom considers
	nameChars = redact.NewCharSet(redact.Digits + redact.Letters + "_.-")
)

// Scan returns the likely secrets in one text, such as an address in a link.
func Scan(text string) []Finding {
	s := newScanner()
	s.scan([]*piece{{label: "text", data: []byte(text)}}, nil)
	var list []Finding
	for _, f := range s.order {
		list = append(list, f.Finding)
	}
	return list
}

// scan finds every value with the name or the shape of a secret, and then every
// occurrence of these values in any encoding. own holds the user's credentials.
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

// maskedSet has the asterisks of masks and the separators that may stand between
// two of them: masking can make JSON of a text that was none, whose string is
// then one value with several masks.
const maskedSet = "*&;,="

// findingOf returns the finding of a value, or nil if the value is masked
// already.
func (s *scanner) findingOf(value, words string) *finding {
	if strings.Trim(value, maskedSet) == "" {
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

// mark adds a finding for the bytes start to end of a view.
func (s *scanner) mark(v redact.View, start, end int, words string) {
	if overlaps([2]int{start, end}, s.fixed) {
		return
	}
	f := s.findingOf(string(v.Text[start:end]), words)
	if f != nil {
		s.add(marksOf(v, start, end, f), f)
	}
}

// add adds the marks of one occurrence, unless they exist already.
func (s *scanner) add(marks []mark, f *finding) {
	fresh := false
	for _, m := range marks {
		if s.piece.starts[markStart{m.start, m.of}] < m.end {
			s.piece.starts[markStart{m.start, m.of}] = m.end
			s.piece.marks = append(s.piece.marks, m)
			fresh = true
		}
	}
	if !fresh || s.piece.hidden {
		return
	}
	if f.Count++; f.Where == "" {
		f.Where = s.piece.label
	}
}

// originOf returns where bytes start to end of a view, one at least, begin and end in the
// piece.
func originOf(v redact.View, start, end int) [2]int {
	from, _ := v.Origin(start)
	_, to := v.Origin(end - 1)
	return [2]int{from, to}
}

// marksOf returns the stretches of the piece that bytes start to end of the view
// came from.
func marksOf(v redact.View, start, end int, f *finding) []mark {
	var list []mark
	for i := start; i < end; i++ {
		from, to := v.Origin(i)
		if last := len(list) - 1; last >= 0 && from <= list[last].end {
			list[last].end = max(list[last].end, to)
			continue
		}
		list = append(list, mark{from, to, f, v.Number})
	}
	return list
}

// inspect marks the secrets in one text, by its name and by its shape.
func (s *scanner) inspect(v redact.View, name string) {
	s.fixed = authorities(v.Text)
	if normalizeName(name) == "requeststate" && s.markState(v) {
		return
	}
	if redact.NamesSecret(name, redact.Member) {
		s.markNamed(v)
	}
	if name == pathName && isKey(v.Text) {
		s.mark(v, 0, len(v.Text), pathReason)
	}
	if v.Number {
		return
	}
	lower := bytes.ToLower(v.Text)
	for _, shape := range shapes {
		if shape.possible(lower) {
			s.markShape(v, shape)
		}
	}
	s.markAssignments(v)
	states := s.sampleStates(v)
	if !isRandomName(name) {
		s.markRandom(v, states)
	}
}

// sampleStates returns where states of samples are in a text, and remembers
// them.
func (s *scanner) sampleStates(v redact.View) [][2]int {
	if !bytes.Contains(v.Text, []byte("mrtr1.")) {
		return nil
	}
	var list [][2]int
	for _, at := range samplePattern.FindAllIndex(v.Text, -1) {
		list = append(list, [2]int(at))
		s.states[s.piece] = append(s.states[s.piece], marksOf(v, at[0], at[1], nil)...)
	}
	return list
}

// markNamed marks a value with the name of a secret, without its authentication
// scheme and the space around it.
func (s *scanner) markNamed(v redact.View) {
	start := len(v.Text) - len(bytes.TrimLeft(v.Text, " "))
	end := len(bytes.TrimRight(v.Text, " "))
	if scheme, rest, ok := bytes.Cut(v.Text, []byte(" ")); ok && isScheme(scheme) &&
		len(bytes.TrimSpace(rest)) > 0 {
		start = len(scheme) + 1
	}
	if end-start >= 3 {
		s.mark(v, start, end, secretNameReason)
	}
}

func (s *scanner) markShape(v redact.View, shape shape) {
	for _, at := range shape.find(v.Text) {
		s.mark(v, at[0], at[1], "looks like "+shape.name)
	}
}

// markAssignments marks values such as those of "?api_key=..." and "password:
// ...". A lower-case word after a colon is taken for prose.
func (s *scanner) markAssignments(v redact.View) {
	if !bytes.ContainsAny(v.Text, "=:") {
		return
	}
	for i, c := range v.Text {
		if c != '=' && c != ':' {
			continue
		}
		name := nameBefore(v.Text[:i])
		if name == nil || !redact.NamesSecret(string(name), redact.Member) {
			continue
		}
		start, end := valueAfter(v.Text, i+1)
		value := v.Text[start:end]
		prose := c == ':' && len(bytes.Trim(value, "abcdefghijklmnopqrstuvwxyz.!?")) == 0
		port := c == ':' && bytes.IndexByte(name, '.') > 0 && portPattern.Match(value)
		if len(value) >= 4 && !prose && !port {
			s.mark(v, start, end, secretNameReason)
		}
	}
}

// nameBefore returns the name at the end of a text, which a quote and a space
// may follow, or nil. A name begins with a letter and has at most maxName bytes.
func nameBefore(text []byte) []byte {
	end := len(text)
	if end > 0 && isSpace(text[end-1]) {
		end--
	}
	if end > 0 && isQuote(text[end-1]) {
		end--
	}
	start := end
	for start > 0 && end-start < maxName && nameChars[text[start-1]] {
		start--
	}
	for start < end && characterClass(text[start])|0x20 != 'a' {
		start++
	}
	if end-start < 2 {
		return nil
	}
	return text[start:end]
}

// maxName is the longest name of a value that is considered, in bytes.
const maxName = 41

// valueAfter returns where the value that begins at i is, after a space. A value
// in quotes reaches to the second quote, as in a JSON text that cannot be read,
// or to the end of the line.
func valueAfter(text []byte, i int) (start, end int) {
	if i < len(text) && isSpace(text[i]) {
		i++
	}
	if i < len(text) && isQuote(text[i]) {
		start, end = i+1, i+1
		for end < len(text) && text[end] != text[i] && text[end] != '\n' && text[end] != '\r' {
			end++
		}
		return start, end
	}
	for end = i; end < len(text) && end-i < maxRandom && !isDelimiter(text[end]); end++ {
	}
	return i, end
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func isQuote(c byte) bool { return c == '"' || c == '\'' }

func isDelimiter(c byte) bool {
	return isSpace(c) || isQuote(c) || bytes.IndexByte([]byte("&;,<>(){}[]"), c) >= 0
}

// portPattern matches what follows the colon after a host.
var portPattern = regexp.MustCompile(`^\d{1,5}(?:/|$)`)

// markRandom marks what looks random, but for states of samples and URLs, whose
// parts are visited one by one.
func (s *scanner) markRandom(v redact.View, states [][2]int) {
	urls := urlsIn(v.Text)
	for start, end := range keyChars.Runs(v.Text, minRandom) {
		at := [2]int{start, end}
		if !overlaps(at, states) && !overlaps(at, urls) && isRandom(v.Text[start:end]) {
			known := s.byValue[string(v.Text[start:end])]
			s.mark(v, start, end, randomReason)
			if f := s.byValue[string(v.Text[start:end])]; f != nil {
				f.Random = known == nil || known.Random
			}
		}
	}
}

// overlaps reports whether at overlaps one of the ranges, which are in order and
// apart from each other.
func overlaps(at [2]int, list [][2]int) bool {
	i, _ := slices.BinarySearchFunc(list, at[0], func(other [2]int, from int) int {
		return cmp.Compare(other[1], from+1)
	})
	return i < len(list) && list[i][0] < at[1]
}

// markState marks a requestState and returns true, unless its content can be
// searched: a sample's state, which gives no access, or one that is readable as
// a whole. Any other may stand for a session or contain the user's answers. What
// is decoded from a part of a state is no state of its own.
func (s *scanner) markState(v redact.View) bool {
	if len(v.Text) < redact.MinSecret {
		return false
	}
	from, _ := v.Origin(0)
	_, to := v.Origin(len(v.Text) - 1)
	for _, known := range s.searchable[s.piece] {
		if known[0] <= from && to <= known[1] {
			return false
		}
	}
	switch f := state.Recognise(string(v.Text)); {
	case f.ID == state.Playground || f.ID == state.Masked || f.Readable && !f.Protected:
		s.searchable[s.piece] = append(s.searchable[s.piece], [2]int{from, to})
		return false
	default:
		s.mark(v, 0, len(v.Text), "is a server's requestState whose content is unknown")
		return true
	}
}

// maxSearched is the largest number of values that are searched for everywhere.
// Further values are masked only where they were found.
const maxSearched = 200

// markOccurrences marks every other occurrence of the values found, in any
// encoding.
func (s *scanner) markOccurrences(list []*piece) {
	var searched []*finding
	search := redact.NewSearch()
	for _, f := range s.order {
		if f.searched && len(searched) < maxSearched {
			search.Add(len(searched), redact.Spellings(f.value)...)
			searched = append(searched, f)
		}
	}
	if len(searched) == 0 {
		return
	}
	w := newWalker(func(v redact.View, _ string) {
		var fixed [][2]int
		for _, at := range authorities(v.Text) {
			if at[0] < at[1] {
				fixed = append(fixed, originOf(v, at[0], at[1]))
			}
		}
		search.In(v, func(at redact.View, start, end, value int) {
			if f := searched[value]; f.Locked || !overlaps(originOf(at, start, end), fixed) {
				s.add(marksOf(at, start, end, f), f)
			}
		})
	})
	for _, p := range list {
		s.piece = p
		p.walk(w)
	}
}
