package export

// Suffixes lists the files that a session can be written as, as their addresses end, in
// the order of the pages. A diagram shows one exchange: sessions of several have none.
func Suffixes(diagram bool) []string {
	list := []string{PageSuffix, ".json", ".har", ".md", ".txt"}
	if diagram {
		list = append(list, ".svg", ".mmd")
	}
	return list
}
