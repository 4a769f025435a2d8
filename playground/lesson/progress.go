package lesson

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Progress has the marks of a learner, by slug of the lesson. It is stored in a
// cookie of the browser. It is neither secret nor trusted.
type Progress map[string]Mark

// Mark has the reader's progress in one lesson.
type Mark struct {
	Exchange string // id of the newest exchange, or ""
	Answer   int    // number of the answer, from 1; 0 if there is none
}

// Limits on input: anyone can write a cookie.
const (
	maxProgress   = 3000
	maxExchangeID = 64
)

// ParseProgress parses the output of String. It skips invalid entries.
func ParseProgress(text string) Progress {
	p := Progress{}
	if len(text) > maxProgress {
		return p
	}
	for entry := range strings.SplitSeq(text, "~") {
		fields := strings.Split(entry, ".")
		if len(fields) != 3 || !isPlain(fields[0]) || !isPlain(fields[1]) || len(fields[1]) > maxExchangeID {
			continue
		}
		answer, err := strconv.Atoi(fields[2])
		if err != nil || answer < 0 || answer > 9 {
			continue
		}
		p[fields[0]] = Mark{fields[1], answer}
	}
	return p
}

// String returns the progress as the value of a cookie.
func (p Progress) String() string {
	var entries []string
	for _, slug := range slices.Sorted(maps.Keys(p)) {
		entries = append(entries, slug+"."+p[slug].Exchange+"."+strconv.Itoa(p[slug].Answer))
	}
	return strings.Join(entries, "~")
}

// isPlain reports whether a text has only letters, digits, "-" and "_".
func isPlain(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			r == '-' || r == '_')
	})
}

// LessonOf returns the slug of the lesson that an exchange belongs to.
func (p Progress) LessonOf(exchange string) (slug string, ok bool) {
	for slug, mark := range p {
		if exchange != "" && mark.Exchange == exchange {
			return slug, true
		}
	}
	return "", false
}

// Done reports whether the question of the lesson was answered correctly.
func (p Progress) Done(l Lesson) bool {
	n := p[l.Slug].Answer
	return n > 0 && n <= len(l.Question.Answers) && l.Question.Answers[n-1].Right
}

// Current returns the first lesson that is not done, or the first of all if
// every one is.
func (p Progress) Current(b *Book) Lesson {
	i := slices.IndexFunc(b.Lessons, func(l Lesson) bool { return !p.Done(l) })
	return b.Lessons[max(i, 0)]
}
