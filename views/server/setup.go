package server

import "github.com/mrtr-playground/mrtr-playground/views/kit/prose"

// SetupPath is the page that imports the settings of a client, and SetupTitle its title.
const (
	SetupPath  = "/test/import"
	SetupTitle = "Import the servers of a client"
)

// Setup is the page that imports the settings of a client.
type Setup struct {
	Problem *prose.Sentence
	Servers []SetupServer
	More    int    // servers that are not listed
	Sealed  string // the settings, for the browser that sends them back
	Local   bool
	Results []SetupResult
}

// SetupServer is a server of the settings: a URL, or a command.
type SetupServer struct {
	Control string // name of its tick
	Name    string
	URL     string // without secrets; empty for a command
	To      string // the address that its values go to
	Problem string // why the URL cannot be used; else empty
	Off     bool   // the settings say that it is not used
	Values  []SetupValue
	Line    string   // of a command: how the program is started with it
	Env     []string // of a command: the variables that the settings set
}

// SetupValue is a value that is sent only if it is ticked or entered.
type SetupValue struct {
	Control string
	Text    string // as it is written, or the name of the header field
	In      string // where it goes
	Tick    string // what the tick does; empty if there is nothing to tick
	Typed   bool   // it can be entered
	Secret  bool   // what is entered is not shown
}

// SetupResult is what was made of a server that was ticked.
type SetupResult struct {
	Name, Path string
	Left       []string // header fields that are not sent
	Problem    string
}

// count returns how many of the servers have a URL and how many are commands.
func (s Setup) count() (urls, commands int) {
	for _, of := range s.Servers {
		if of.URL == "" {
			commands++
		} else {
			urls++
		}
	}
	return urls, commands
}

func wereWas(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
