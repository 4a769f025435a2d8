package lesson

import (
	"fmt"
	"slices"
	"strings"
)

// block is a fenced block with a meaning beyond code: its info string and text.
type block struct {
	kind, info, text string
}

// blockCutter cuts blocks out of a body, line by line.
type blockCutter struct {
	kinds []string
	rest  strings.Builder
	found []block
	open  *block
	keep  bool // the open block also stays on the page
	code  bool // inside an ordinary code block
}

// cutBlocks cuts the fenced blocks of the given kinds out of a body. It returns
// the rest and the blocks in order. Code with more than a language on its
// fence, such as "json sent", is returned too, but stays in the body.
func cutBlocks(body string, kinds ...string) (string, []block, error) {
	c := blockCutter{kinds: kinds}
	for line := range strings.Lines(body) {
		c.line(line)
	}
	if c.open != nil {
		return "", nil, fmt.Errorf("block %q is not closed", c.open.kind)
	}
	return c.rest.String(), c.found, nil
}

// line reads one line of the body.
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

// begin opens a block. Code with a language only is left in the body.
func (c *blockCutter) begin(fence string) {
	kind, info, _ := strings.Cut(fence, " ")
	ours := slices.Contains(c.kinds, kind)
	if c.code || !ours && info == "" {
		c.code = true
		return
	}
	c.open, c.keep = &block{kind: kind, info: info}, !ours
}
