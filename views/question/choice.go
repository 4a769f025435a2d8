package question

import "github.com/mrtr-playground/mrtr-playground/playground/question"

// Declinable reports whether a question can be declined or cancelled.
func Declinable(f question.Form) bool {
	return f.Kind == question.KindForm || f.Kind == question.KindURL
}

// Choice is an action that a form of a question offers.
type Choice struct{ Value, Words, Help string }

// Choices returns the three actions of an answer, the one that answers first.
func Choices() []Choice {
	return []Choice{
		{"accept", "Accept", "Answers the question."}, {"decline", "Decline", "Says no to the question."},
		{"cancel", "Cancel", "Gives no answer: neither yes nor no."},
	}
}

// HasFields reports whether the answer can be entered in fields.
func HasFields(q question.Form) bool { return q.Kind != question.KindRaw && q.FormErr == nil }

// acts reports whether the action of the answer is chosen beside its fields.
func acts(q question.Form) bool { return Declinable(q) && HasFields(q) }

// choicesOf returns the choices of one of several questions.
func choicesOf(q question.Form) []Choice {
	var list []Choice
	if acts(q) {
		list = Choices()
	} else if q.CanWait {
		list = append(list, Choice{"accept", "Answer now", "Sends what is entered."})
	}
	if q.CanWait {
		list = append(list, Choice{question.Later, "Later", "Leaves the question open for now."})
	}
	return list
}

// isChosen reports whether a choice of a question is the one that counts.
func isChosen(q question.Form, action string) bool {
	if !acts(q) && q.Action != question.Later {
		return action == "accept"
	}
	return q.Action == action
}
