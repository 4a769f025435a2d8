package playground

// LegacyVersions returns the supported revisions with a handshake, newest
// first.
func LegacyVersions() []string {
	return []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}

// ChosenEra returns the era that the user chose when the log of connecting
// began last, or "" if it is to be detected.
func ChosenEra(log []Event) Era {
	for i := len(log) - 1; i >= 0; i-- {
		if log[i].Kind == Decided {
			return readDecision(log[i]).Era
		}
	}
	return ""
}

// EraOf returns the era of the requests in the log of an exchange, or "" if that is
// not known yet. The decision to call a legacy server says so before anything is sent.
func EraOf(log []Event) Era {
	for _, e := range log {
		if readDecision(e).Era == Legacy {
			return Legacy
		}
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
