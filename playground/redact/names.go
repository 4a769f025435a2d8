package redact

import (
	"slices"
	"strings"
	"unicode"
)

// Place is the kind of text in which a name stands. Each place knows the
// secrets of those before it, and more.
type Place int

// The places of names.
const (
	Label     Place = iota // the name or title of a form's field: words for people
	Member                 // the name of a JSON member or of a header field
	Parameter              // the name of a parameter in a query or in a posted form
)

// secretNames are the words that name a secret, by place. This is the only list
// of names of secrets.
var secretNames = map[Place][]string{
	Label: {
		"password", "passwd", "passphrase", "passcode", "pwd", "pass word", "pass phrase", "pass code",
		"secret", "token", "credential", "credentials", "bearer", "mnemonic", "otp", "totp", "api key",
		"access key", "private key", "secret key", "signing key", "encryption key", "ssh key", "card number",
		"credit card", "debit card", "cvv", "cvv2", "cvc", "ssn", "social security", "bank account",
		"account number", "pin code", "pin number", "your pin", "card pin", "security pin", "bank pin",
		"account pin", "sim pin", "user pin", "security code", "verification code", "auth code", "one time",
		"seed phrase", "recovery phrase", "recovery code", "backup code", "mfa code", "2fa code",
		"connection string",
	},
	Member: {
		"access tokens", "refresh tokens", "id tokens", "auth tokens", "api tokens", "bearer tokens",
		"authorization", "authorization code", "device code", "code verifier", "cookie", "session id",
		"account key", "auth key", "subscription key", "functions key", "webhook url",
	},
	Parameter: {"key", "keys", "code", "auth", "sig", "signature", "assertion", "jwt"},
}

// wholeNames name a secret if nothing else is in the name, by place.
var wholeNames = map[Place][]string{
	Label:  {"pin"},
	Member: {"auth", "pass", "sig", "jwt", "pat", "sid", "kennwort"},
}

// Words around one that names a secret, with which it names none.
var (
	harmlessNext = []string{
		"count", "limit", "budget", "usage", "type", "name", "endpoint", "url", "uri", "server", "servers",
		"method", "methods", "supported", "expires", "expiry", "expiration", "challenge", "response", "santa",
		"ary", "izer", "izers", "ized", "ization", "less",
	}
	harmlessBefore = map[string][]string{
		"token": {"max", "min", "page", "next", "continuation", "sync", "num", "per", "progress",
			"cancellation"},
		"credentials": {"allow"},
		"code": {"error", "status", "response", "country", "language", "currency", "zip", "post", "postal",
			"qr", "bar"},
	}
)

// longNames are the words that are also found inside longer ones, as in
// "clientsecret". The longer of two comes first.
var longNames = []string{
	"password", "passwd", "passphrase", "passcode", "secret", "tokens", "token", "credentials", "credential",
	"bearer", "authorization", "cookie", "sessionid", "apikey", "accesskey", "privatekey", "signingkey",
	"encryptionkey", "accountkey", "subscriptionkey", "functionskey", "connectionstring", "webhookurl",
}

// stems are the beginnings that longer words are cut at, by place.
var stems = map[Place][]string{
	Member:    longNames,
	Parameter: slices.Concat(longNames, []string{"key", "code", "auth", "sig"}),
}

// phrase is an entry of secretNames.
type phrase struct {
	place Place
	whole string
	rest  string // its second word
}

// phrases are the entries of secretNames by their first word, and those of two
// words also by both written as one, as in "apikey".
var phrases = func() map[string][]phrase {
	list := map[string][]phrase{}
	for place, names := range secretNames {
		for _, name := range names {
			first, rest, _ := strings.Cut(name, " ")
			list[first] = append(list[first], phrase{place, name, rest})
			if rest != "" {
				list[first+rest] = append(list[first+rest], phrase{place, name, ""})
			}
		}
	}
	return list
}()

// NamesSecret reports whether a value with this name is likely a secret. It
// compares words and is sometimes wrong.
func NamesSecret(name string, in Place) bool {
	words := wordsOf(name, in)
	for place := Label; place <= in; place++ {
		if len(words) == 1 && slices.Contains(wholeNames[place], words[0]) {
			return true
		}
	}
	for i, word := range words {
		for _, p := range phrases[word] {
			if p.place <= in && p.isAt(words, i) {
				return true
			}
		}
	}
	return false
}

// isAt reports whether the phrase is at word i, which begins it, and the words
// around it do not make it harmless.
func (p phrase) isAt(words []string, i int) bool {
	end := i + 1
	if p.rest != "" {
		if end == len(words) || words[end] != p.rest {
			return false
		}
		end++
	}
	return (i == 0 || !slices.Contains(harmlessBefore[p.whole], words[i-1])) &&
		(end == len(words) || !slices.Contains(harmlessNext, words[end]))
}

// maxName is how much of a name is read, in characters.
const maxName = 200

// wordsOf returns the words of a name in lower case: "X-API_key", "xApiKey" and
// "X API key" have the same three words.
func wordsOf(name string, in Place) []string {
	var b strings.Builder
	runes := []rune(name)
	runes = runes[:min(len(runes), maxName)]
	b.Grow(2 * len(runes))
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		}
		if startsWord(runes, i) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	words := strings.Fields(b.String())
	return cut(words, stems[in])
}

// startsWord reports whether a word of camelCase starts at i: "apiKey" and
// "APIKey" have one at K.
func startsWord(runes []rune, i int) bool {
	if i == 0 || !unicode.IsUpper(runes[i]) {
		return false
	}
	return !unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])
}

// cut returns the words with the first stem in each as a word of its own.
func cut(words, stems []string) []string {
	for i := 0; i < len(words); i++ {
		for _, stem := range stems {
			if before, after, found := strings.Cut(words[i], stem); found {
				parts := []string{before, stem, after}
				parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
				words = slices.Replace(words, i, i+1, parts...)
				break
			}
		}
	}
	return words
}
