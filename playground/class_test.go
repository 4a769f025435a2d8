package playground

import "testing"

// TestRPCError_IsModern: only three codes show a server of this revision.
func TestRPCError_IsModern(t *testing.T) {
	for code, want := range map[int64]bool{
		-32019: false, -32020: true, -32021: true, -32022: true, -32023: false, -32601: false, 0: false,
	} {
		if got := (&RPCError{Code: code}).IsModern(); got != want {
			t.Errorf("%d: %v", code, got)
		}
	}
	if (*RPCError)(nil).IsModern() {
		t.Error("no error is one")
	}
}
