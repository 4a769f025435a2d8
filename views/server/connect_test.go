package server

import (
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// The form of connecting offers each capability that a client can declare.
func TestDeclarable_HasWordsForEach(t *testing.T) {
	var names []string
	for _, line := range declarable() {
		if line.Words == "" || line.Help == "" {
			t.Errorf("%s has no words", line.Name)
		}
		names = append(names, line.Name)
	}
	if !slices.Equal(names, playground.Declarable()) {
		t.Errorf("the form offers %v, want %v", names, playground.Declarable())
	}
}
