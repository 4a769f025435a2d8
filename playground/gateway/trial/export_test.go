package trial

// Tools returns the names of the tools of the upstream that are called.
func Tools() []string {
	var list []string
	for _, p := range plans() {
		list = append(list, p.tool)
	}
	return list
}
