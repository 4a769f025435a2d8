package web

import (
	"github.com/mrtr-playground/mrtr-playground/playground/export"
)

// MaxImport is a file and what a form puts around it.
const MaxImport = export.MaxBytes + 64<<10
