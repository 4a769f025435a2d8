package code

import "cmp"

func byPath(a, b File) int { return cmp.Compare(a.Path, b.Path) }
