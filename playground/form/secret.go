package form

import (
	"slices"
	"strings"
	"unicode"
)

// AsksSecret reports whether a field's name or title looks like a request for a
// secret. Servers MUST NOT ask for one in form mode (client/elicitation,
// "Security Considerations"). It compares words and is sometimes wrong, so the
// result is a reason to warn, not to refuse.
func AsksSecret(name string) bool {
	words := split(name)
	for i := range words {
		if secretAt(words, i) {
			return true
		}
	}
	return false
}

// RequestsSecret reports whether a text seems to tell the user to enter a secret:
// "Please enter your password". Like AsksSecret it compares words.
func RequestsSecret(text string) bool {
	words := split(text)
	for i := range words {
		before := words[max(0, i-maxBetween):i]
		asks := slices.ContainsFunc(before, func(w string) bool { return slices.Contains(askingWords, w) })
		denies := slices.ContainsFunc(before, func(w string) bool { return slices.Contains(denyingWords, w) })
		if asks && !denies && !slices.Contains(afterNoSecret, nextWord(words, i)) && secretAt(words, i) {
			return true
		}
	}
	return false
}

// maxBetween is how many words may stand before a secret back to the verb that asks
// for it.
const maxBetween = 5

// Words before a secret that ask for it or say that it is not asked for, and words
// after one that make it none.
var (
	askingWords = []string{
		"enter", "provide", "type", "input", "give", "supply", "submit", "paste", "share", "tell", "send",
		"what", "need", "fill",
	}
	denyingWords  = []string{"not", "never", "no", "without", "don", "t"}
	afterNoSecret = []string{"policy", "manager", "reset", "hint", "length", "protected"}
)

func nextWord(words []string, i int) string {
	_, next := neighbours(words, i)
	return next
}

// secretAt reports whether the words from i on name a secret.
func secretAt(words []string, i int) bool {
	before, next := neighbours(words, i)
	switch words[i] {
	case "secret":
		return next != "name" && next != "santa"
	case "token":
		return !slices.Contains(beforeHarmlessToken, before) && !slices.Contains(afterHarmlessToken, next)
	case "pin":
		return len(words) == 1 || next == "code" || next == "number" ||
			slices.Contains(beforeSecretPIN, before)
	case "pass":
		return next == "word" || next == "phrase" || next == "code"
	}
	return slices.Contains(secretWords, words[i]) || slices.Contains(secretPairs, words[i]+" "+next)
}

// Words and pairs of words that name a secret.
var (
	secretWords = []string{
		"password", "passwd", "passphrase", "passcode", "pwd", "apikey", "cvv", "cvc", "cvv2", "ssn",
		"otp", "totp", "credential", "credentials", "mnemonic", "bearer",
	}
	secretPairs = []string{
		"api key", "access key", "private key", "secret key", "signing key", "encryption key", "ssh key",
		"card number", "credit card", "debit card", "security code", "verification code", "auth code",
		"one time", "seed phrase", "recovery phrase", "recovery code", "backup code", "mfa code", "2fa code",
		"social security", "bank account", "account number", "connection string",
	}
	beforeHarmlessToken = []string{"max", "min", "page", "next", "continuation", "sync", "num", "per"}
	afterHarmlessToken  = []string{"count", "limit", "budget", "usage", "type", "name"}
	beforeSecretPIN     = []string{"your", "card", "security", "bank", "account", "sim", "user"}
)

func neighbours(words []string, i int) (before, next string) {
	if i > 0 {
		before = words[i-1]
	}
	if i+1 < len(words) {
		next = words[i+1]
	}
	return before, next
}

// split returns the words of the first 200 characters of a name in lower case:
// "X-API_key", "xApiKey" and "X API key" have the same three words.
func split(name string) []string {
	var b strings.Builder
	runes := []rune(name)
	runes = runes[:min(len(runes), 200)]
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		}
		if startsWord(runes, i) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(b.String())
}

// startsWord reports whether a word of camelCase starts at i: "apiKey" and
// "APIKey" have one at K.
func startsWord(runes []rune, i int) bool {
	if i == 0 || !unicode.IsUpper(runes[i]) {
		return false
	}
	return !unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])
}
