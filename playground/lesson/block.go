package lesson

import (
	"fmt"
	"slices"
	"strings"
)

// block is a fenced block that is more than code: its info string and text.
type block struct {
	kind, info, text string
}

// blockCutter takes blocks out of a body, line by line.
type blockCutter struct {
	kinds []string
	rest  strings.Builder
	found []block
	open  *block
	keep  bool // the open block remains on the page
	code  bool // in a block that is just code
}

// cutBlocks cuts the fenced blocks of the given kinds out of a body and
// returns what is left, and them in order. Code with more than a language on
// its fence, as "json sent", is returned too, and stays.
func cutBlocks(body string, kinds ...string) (string, []block, error) {
	c := blockCutter{kinds: kinds}
	for line := range strings.Lines(body) {
		c.line(line)
	}
	if c.open != nil {
		return "", nil, fmt.Errorf("block %q does not end", c.open.kind)
	}
	return c.rest.String(), c.found, nil
}

func (c *blockCutter) line(line string) {
	fence, isFence := strings.CutPrefix(strings.TrimRight(line, "\n"), "```")
	if c.open == nil && isFence && fence != "" {
		c.begin(fence)
	}
	if c.open == nil || c.keep {
		c.rest.WriteString(line)
	}
	switch {
	case isFence && fence == "":
		if c.open != nil {
			c.found = append(c.found, *c.open)
		}
		c.open, c.code = nil, false
	case c.open != nil && !isFence:
		c.open.text += line
	}
}

func (c *blockCutter) begin(fence string) {
	kind, info, _ := strings.Cut(fence, " ")
	ours := slices.Contains(c.kinds, kind)
	if c.code || !ours && info == "" {
		c.code = true
		return
	}
	c.open, c.keep = &block{kind: kind, info: info}, !ours
}
