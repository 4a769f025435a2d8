package code

import "cmp"

func byPath(a, b File) int { return cmp.Compare(a.Path, b.Path) }

func typeScriptFiles(*plan) ([]File, error) { return nil, nil }
func pythonFiles(*plan) ([]File, error)     { return nil, nil }
