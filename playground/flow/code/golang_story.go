package code

import (
	"fmt"
	"strconv"
	"strings"
)

// test returns the tests of the output.
func (g *golang) test() string {
	var b strings.Builder
	for i := range g.flow.Versions {
		for _, s := range g.stories(&g.flow.Versions[i]) {
			fmt.Fprintf(&b, "func Test%s_%s(t *testing.T) {\n", pascal(g.function(s.version)), pascal(s.name))
			fmt.Fprintf(&b, "c := start(t, %q)\nc.call(%s)\n", s.version, goRaw(s.arguments))
			for _, round := range s.scenes {
				fmt.Fprintf(&b, "c.asks(%s)\n", quotedList(round.keys, strconv.Quote))
				for _, key := range round.pages {
					fmt.Fprintf(&b, "c.press(%q)\n", key)
				}
				fmt.Fprintf(&b, "c.answer(%s)\n", goRaw(round.answers))
			}
			fmt.Fprintf(&b, "c.ends(%s, %t)\n}\n\n", strconv.Quote(s.end), s.isError)
		}
	}
	return b.String()
}

// goRaw returns JSON as a raw string in one line.
func goRaw(json string) string { return "`" + jsonStyle.flat(parsed([]byte(json))) + "`" }
