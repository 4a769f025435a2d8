package prose

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Fact is one line about a server.
type Fact struct{ Name, Value string }

// Facts returns the report of a server about itself.
func Facts(c server.Connection) []Fact {
	var list []Fact
	add := func(name, value string) {
		if value != "" {
			list = append(list, Fact{Name: name, Value: text.Visible(value, 2000)})
		}
	}
	add("Identity", strings.TrimSpace(c.Name+" "+c.Version))
	versions := "Version in use"
	if c.Listed {
		versions = "Versions"
	}
	add(versions, strings.Join(c.Versions, ", "))
	if c.Capabilities != nil {
		var names []string
		for _, m := range c.Capabilities.Members {
			if m.Key == "extensions" || m.Key == "experimental" {
				continue
			}
			name := m.Key
			for _, inner := range m.Value.Members {
				if inner.Value.True() {
					name += " (" + inner.Key + ")"
				}
			}
			names = append(names, name)
		}
		add("Capabilities", strings.Join(names, ", "))
		add("Extensions", keys(c, "extensions"))
		add("Experimental", keys(c, "experimental"))
	}
	add("Instructions", c.Instructions)
	return list
}

func keys(c server.Connection, member string) string {
	n := c.Capabilities.Get(member)
	if n == nil {
		return ""
	}
	var names []string
	for _, m := range n.Members {
		names = append(names, m.Key)
	}
	return strings.Join(names, ", ")
}
