package playground

// LegacyVersions are the revisions with a handshake that are spoken here, the
// newest first.
func LegacyVersions() []string { return []string{"2025-11-25", "2025-06-18", "2025-03-26"} }

// EraOf tells by which rules the server of a log was spoken to; empty when
// nothing was sent yet.
func EraOf(log []Event) Era {
	for _, e := range log {
		if e.Kind == Sent {
			var p part
			if p.send(e); p.Method == Initialize {
				return Legacy
			}
			return Modern
		}
	}
	return ""
}
