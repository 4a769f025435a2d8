package flow

import (
	"embed"
	"path"
	"strings"
	"sync"
)

//go:embed examples/*.yaml
var exampleFiles embed.FS

// Example is a starting point for a flow of one's own: a complete example.
type Example struct {
	Slug    string // of its file, such as refund
	Title   string
	Summary string // one sentence
	Source  string // YAML
}

// exampleOrder is the order in which the starting points are shown.
var exampleOrder = []string{
	"approval", "refund", "delete", "second-factor", "wizard", "several", "model", "long-task",
	"rolling-upgrade", "load-shedding", "checkout", "capability", "azure-devops",
}

// Examples returns the starting points in the order in which they are shown.
var Examples = sync.OnceValue(func() []Example {
	list := make([]Example, len(exampleOrder))
	for i, slug := range exampleOrder {
		b, err := exampleFiles.ReadFile(path.Join("examples", slug+".yaml"))
		if err != nil {
			panic("flow: " + err.Error()) // the files are part of the program
		}
		lines := strings.SplitN(string(b), "\n", 3)
		list[i] = Example{slug, comment(lines[0]), comment(lines[1]), lines[2]}
	}
	return list
})

func comment(line string) string { return strings.TrimSpace(strings.TrimPrefix(line, "#")) }

// FindExample returns the starting point with that slug.
func FindExample(slug string) (Example, bool) {
	for _, e := range Examples() {
		if e.Slug == slug {
			return e, true
		}
	}
	return Example{}, false
}
