package trial

// Names returns what the plans call: tools, prompts and URIs.
func Names() []string {
	var list []string
	for _, p := range plans() {
		if p.tool != "" {
			list = append(list, p.tool)
		}
	}
	return list
}
