// Package spec is the table of what the MCP specification 2026-07-28 and the
// tasks extension require of messages that this product sends, receives or
// judges. A row says which rules judge the requirement, which experiments probe
// it, whether this product's client and samples keep it, which lesson teaches
// it, or why recorded messages cannot show it.
//
// The texts are our own; the specification decides. The package is data, one
// file of the folder table for each page, and imports nothing of the project.
// Tests of package rules join it with the rules, experiments and lessons that
// it names: a rule without a row here, or a row that names a rule that does not
// exist, fails them.
package spec

import (
	"slices"
	"sync"
)

// Level is the keyword of a requirement (RFC 2119).
type Level string

// Levels. A requirement that a page or a schema states without a keyword, such
// as a required member, has the level Must.
const (
	Must      Level = "MUST"
	MustNot   Level = "MUST NOT"
	Should    Level = "SHOULD"
	ShouldNot Level = "SHOULD NOT"
)

// Party is the side that has to meet a requirement.
type Party string

// Parties.
const (
	Client Party = "client"
	Server Party = "server"
	Both   Party = "both"
)

// Words for how this product meets a requirement. Anything else in the fields
// Client and Samples of a Sentence is a sentence about the missing part.
const (
	Kept   = "yes"
	Unused = "unused" // it has nothing that the requirement is about
)

// Sentence is one requirement.
type Sentence struct {
	ID          string // unique: short name of the page, a dot, a short name
	Page        string // path of the page in the specification
	Anchor      string // of its section
	Level       Level
	Party       Party
	Text        string   // one sentence, true where the requirement is met
	Rules       []string // ids of the rules that judge it in recorded messages
	Experiments []string // ids of the experiments that probe it
	Client      string   // whether this product's client meets it: Kept, Unused or a sentence on the gap
	Samples     string   // the same for the samples
	Lesson      string   // slug of the lesson that teaches it; empty for none
	Reason      string   // why recorded messages cannot show it; empty if a rule judges it
	// Unseen is why the client test cannot show it; empty if a scenario observes it, or
	// if it does not bind clients.
	Unseen string
}

// Page is one page of the specification with its requirements.
type Page struct {
	Path      string // as in a Sentence
	Name      string // short name, the first part of the ids
	Title     string
	Sentences []Sentence
}

// pages are in the order in which a reader meets them.
var pages = sync.OnceValue(func() []Page {
	list, err := read(table, []string{
		"index", "versioning",
		"mrtr", "progress", "cancellation", "subscriptions",
		"discover", "transports", "stdio", "http", "authorization",
		"elicitation", "sampling", "roots",
		"tools", "prompts", "resources",
		"logging", "pagination", "caching",
		"tasks",
	})
	if err != nil { // a test reads the table, which is part of the program
		panic(err)
	}
	return list
})

// Pages returns the pages of the specification.
func Pages() []Page { return slices.Clone(pages()) }

// Sentences returns all requirements, in the order of the pages.
func Sentences() []Sentence {
	var list []Sentence
	for _, p := range pages() {
		list = append(list, p.Sentences...)
	}
	return list
}

// ByID returns the requirement with an id, and whether there is one.
func ByID(id string) (Sentence, bool) {
	s, ok := byID()[id]
	return s, ok
}

var byID = sync.OnceValue(func() map[string]Sentence {
	list := map[string]Sentence{}
	for _, s := range Sentences() {
		list[s.ID] = s
	}
	return list
})

// Addresses of the pages.
const (
	specification = "https://modelcontextprotocol.io/specification/2026-07-28/"
	extTasks      = "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md"
)

// Link returns the address of the page.
func (p Page) Link() string {
	if p.Path == tasksPath {
		return extTasks
	}
	return specification + p.Path
}

// Link returns the address of the section that has the requirement.
func (s Sentence) Link() string { return Page{Path: s.Page}.Link() + "#" + s.Anchor }

// Observable reports whether recorded messages can show the requirement.
func (s Sentence) Observable() bool { return s.Reason == "" }

// Met reports whether nothing is missing where this product has something that
// the requirement is about.
func (s Sentence) Met() bool {
	fine := func(how string) bool { return how == "" || how == Kept || how == Unused }
	return fine(s.Client) && fine(s.Samples)
}

// LessonOf returns the slug of the lesson that teaches most of the requirements
// that a rule judges, the first of several, or "" if no lesson teaches one.
func LessonOf(rule string) string { return lessonOf()[rule] }

var lessonOf = sync.OnceValue(func() map[string]string {
	taught := map[[2]string]int{} // by rule and lesson
	best := map[string]string{}
	count := func(each func(rule, lesson string)) {
		for _, s := range Sentences() {
			for _, rule := range s.Rules {
				if s.Lesson != "" {
					each(rule, s.Lesson)
				}
			}
		}
	}
	count(func(rule, lesson string) { taught[[2]string{rule, lesson}]++ })
	count(func(rule, lesson string) {
		if taught[[2]string{rule, lesson}] > taught[[2]string{rule, best[rule]}] {
			best[rule] = lesson
		}
	})
	return best
})

// tasksPath is the path of the page of the tasks extension, which is in a
// repository of its own.
const tasksPath = "ext-tasks"
