package learn_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

func TestLesson_IsAnsweredOnItsPage(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	c.Has("/learn/rounds", `[data-lesson="rounds"]`, `[data-start="azure-devops"]`)
	if c.Cookies != "" {
		t.Errorf("reading set the cookie %s", c.Cookies)
	}
	c.Post("/learn/rounds", url.Values{"do": {"start"}})
	body := c.Has(
		"/learn/rounds", `"waiting for you"`, `[data-input-key="resolution"]`,
		`[name="back"][value="/learn/rounds#live"]`,
	)
	x := sitetest.LiveExchange(t, body)
	c.Has(x, `"Continue lesson 4"`)
	cookie := c.Cookies
	c.Send(
		x+"/rounds", "round=1&do=send&a0.action=accept&a0.f0=Duplicate&back=%2Flearn%2Frounds%23live",
		"/learn/rounds#live",
	)
	c.Cookies = cookie
	c.Has("/learn/rounds", `[data-input-key="duplicate_of"]`, `"509 B, unchanged"`)
	c.Send(x+"/rounds", "round=2&do=send&a0.action=accept&a0.f0=4301&back=%2F%2Fevil.example", x)
	c.Cookies = cookie
	body = c.Has("/learn/rounds", `"State set to Resolved and duplicate link created."`, ".outcome-pass")
	if strings.Contains(body, "Edit and call again") {
		t.Error("a finished call leads out of its lesson")
	}
	c.Do("POST", x+"/rerun", "state=plain", nil)
	c.Has(c.Last, `"Continue lesson 4"`) // of the lesson that the branch came from
}

func TestLesson_ExplainsEveryAnswer(t *testing.T) {
	t.Parallel()
	lessons := sitetest.Lessons().Lessons
	if testing.Short() {
		lessons = lessons[:2]
	}
	c := sitetest.NewCrawler(t, app.Local)
	for _, l := range lessons {
		for i, a := range l.Question.Answers {
			c.Post(l.Path(), url.Values{"do": {"answer"}, "answer": {fmt.Sprint(i + 1)}})
			body := c.Has(l.Path(), `"`+htmltest.Parse(a.Why).Texts("body")[0]+`"`,
				fmt.Sprintf(`[data-right="%v"]`, a.Right))
			if n := len(htmltest.Parse(body).Find("[data-right]")); a.Right && n != len(l.Question.Answers) ||
				!a.Right && n != 1 {
				t.Errorf("%s, answer %d: %d explanations", l.Slug, i+1, n)
			}
		}
	}
	if status, _, _ := c.Fetch("/learn/nothing-here"); status != http.StatusNotFound {
		t.Errorf("an unknown lesson answers %d", status)
	}
}

func TestLesson_KeepsProgress(t *testing.T) {
	t.Parallel()
	book := sitetest.Lessons()
	c := sitetest.NewCrawler(t, app.Public)
	c.Post("/learn/why", url.Values{"do": {"answer"}, "answer": {"1"}})
	if !strings.HasPrefix(c.Cookies, "learn=") {
		t.Errorf("cookie %s", c.Cookies)
	}
	c.Has("/learn", fmt.Sprintf(`"1 of %d questions answered"`, len(book.Lessons)),
		`"Continue with lesson 2"`,
		`[class="disc done"]`)
}

// TestLesson_LosesTheAnswerOfALegacyCallEveryTime: what the lesson says to try
// goes the same way however often it is started, and stays in the lesson.
func TestLesson_LosesTheAnswerOfALegacyCallEveryTime(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local, func(cfg *site.Config) { cfg.App.Settle = time.Millisecond })
	until := func(check string) (body string) {
		sitetest.Await(t, func() string {
			if body = c.Page("/learn/legacy"); !htmltest.Parse(body).Has(check) {
				return "the lesson never has " + check
			}
			return ""
		})
		return body
	}
	for n, how := range []string{"do=send&instance=b", "do=send+to+b"} {
		c.Post("/learn/legacy", url.Values{"do": {"start"}})
		body := until(`"waiting for you"`)
		x := sitetest.Find(t, body, `action="(/x/\w+)/rounds"`)
		back := "&back=" + url.QueryEscape(sitetest.Find(t, body, `name="back" value="([^"]*#live)"`))
		c.Send(x+"/rounds", "round=1&a0.action=accept&a0.f0=Fixed&"+how+back,
			"/learn/legacy#live")
		_, body, _ = strings.Cut(until(`"instance b/v1, which returned HTTP status 404"`), `id="live"`)
		c.Send(sitetest.Find(t, body, `action="(/x/\w+/cancel)"`), back, "/learn/legacy#live")
		until(`"cancelled"`)
		c.Has("/learn/legacy", `button "Start again"`)
		if t.Failed() {
			t.Fatalf("start %d: %s", n+1, sitetest.Plain(body))
		}
	}
}

// TestLesson_EveryOneStarts: the exchange of each lesson goes as its text says.
func TestLesson_EveryOneStarts(t *testing.T) {
	t.Parallel()
	book := sitetest.Lessons()
	for _, l := range book.Lessons {
		c := sitetest.NewCrawler(t, app.Local)
		c.Post(l.Path(), url.Values{"do": {"start"}})
		want := `"waiting for you"`
		switch l.Slug {
		case "nothing-to-ask":
			want = `"ready to retry"`
		case "signing-in", "who-are-you":
			want = `[data-do="sign-in"]`
		}
		c.Has(l.Path(), want)
	}
}

func TestQuiz_IsJudged(t *testing.T) {
	t.Parallel()
	book := sitetest.Lessons()
	c := sitetest.NewCrawler(t, app.Local)
	right, wrong := url.Values{}, url.Values{}
	for _, s := range book.Quiz {
		for i, o := range s.Options {
			if o.Right {
				right.Set(s.ID, fmt.Sprint(i+1))
			} else {
				wrong.Set(s.ID, fmt.Sprint(i+1))
			}
		}
	}
	n := len(book.Quiz)
	c.Has(
		"/quiz/result?"+right.Encode(), fmt.Sprintf(`[data-score="%d"]`, n),
		`"`+fmt.Sprint(n, " of ", n, " right")+`"`,
	)
	body := c.Has("/quiz/result?"+wrong.Encode(), `[data-score="0"]`, `"Rule"`, `[data-do="retry"]`)
	if got := len(htmltest.Parse(body).Find(`[data-right="false"]`)); got != n {
		t.Errorf("the result explains %d of %d wrong answers", got, n)
	}
	c.Has("/quiz", `"Start the quiz"`, fmt.Sprintf(`"%d situations"`, n))
	c.Has("/quiz/1?q1=99&q2=x", `"What does the client send?"`)
	body = c.Has("/quiz/3?q3=2", `"1 right of 1 answered"`, `[formaction="/quiz/3#q3-judged"]`)
	if n := len(htmltest.Parse(body).Find("[data-right]")); n != len(book.Quiz[2].Options) {
		t.Errorf("a right answer shows %d explanations", n)
	}
	body = c.Has("/quiz/3?q3=1&q1=1", `"1 right of 2 answered"`, `#q3-judged[tabindex="-1"]`,
		`[type="hidden"][name="q1"][value="1"]`)
	if n := len(htmltest.Parse(body).Find("[data-right]")); n != 1 {
		t.Errorf("a wrong answer shows %d explanations", n)
	}
	if n := len(htmltest.Parse(body).Find("fieldset")); n != 1 {
		t.Errorf("%d questions are on one screen", n)
	}
	for _, path := range []string{"/quiz/0", "/quiz/01", fmt.Sprint("/quiz/", n+1), "/quiz/x"} {
		if status, _, _ := c.Fetch(path); status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, status)
		}
	}
}

// TestQuiz_RetriesWhatWasWrong: the result leads through the wrong answers only,
// without them, and keeps the right ones.
func TestQuiz_RetriesWhatWasWrong(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	body := c.Has("/quiz/result?q1=1&q2=1&q4=2", `"Try the "`, `" wrong ones again"`,
		`"Go on with question 3"`)
	path := sitetest.Value(t, body, "[data-do=retry]", "href")
	if path != "/quiz/2?only=2.4&q1=1" {
		t.Fatalf("the wrong ones are tried again at %s", path)
	}
	c.Has(path, `"Again: 1 of 2 questions"`, `[name="only"][value="2.4"]`,
		`[formaction="/quiz/4"][data-do="next"]`)
	body = c.Has("/quiz/4?only=2.4&q1=1&q2=2", `[formaction="/quiz/result"]`, `[formaction="/quiz/2"]`)
	if htmltest.Parse(body).Has(`[name="q4"][value="2"][checked]`) {
		t.Error("the wrong answer is chosen again")
	}
	c.Has("/quiz/2?only=99.-1.x", `"Question 2 of "`) // no question of these exists
}

// TestQuiz_ReportsMissingAnswers: only after the button was pressed.
func TestQuiz_ReportsMissingAnswers(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	const nothing = "Choose one of the options above."
	c.Has("/quiz/2?q1=1&check=q2", `#q2-judged[tabindex="-1"] "`+nothing+`"`)
	c.Has("/quiz/result", `"You have not chosen any answers yet."`, `"Go on with question 1"`)
	for _, path := range []string{"/quiz", "/quiz/1", "/quiz/2?q1=1", "/quiz/1?q1=1&check=q1"} {
		if strings.Contains(c.Page(path), nothing) {
			t.Errorf("%s complains", path)
		}
	}
}

// TestLesson_EditsItsRequest: in the lesson, a claim is forged. With a plain
// state the bug is resolved as the forger says, with the others it is refused;
// each time the lesson shows it.
func TestLesson_EditsItsRequest(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]string{
		"plain": "resolved as By Design", "signed": "-32602", "sealed": "-32602",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			s := sitetest.New(t, app.Local)
			cookie := ""
			do := func(method, path, form string) sitetest.Answer {
				got := s.Do(method, path, form, http.Header{"Cookie": {cookie}})
				if set := got.Header.Get("Set-Cookie"); strings.HasPrefix(set, "learn=") {
					cookie, _, _ = strings.Cut(set, ";")
				}
				return got
			}
			lesson := func() string { return do("GET", "/learn/sealed-state", "").Body }
			do("POST", "/learn/sealed-state", "do=start&choice="+mode)
			page := lesson()
			if n := len(htmltest.Parse(page).Find(`[name="choice"][value]`)); n != 3 ||
				!htmltest.Parse(page).Has(`[name="choice"][value="`+mode+`"][checked]`) {
				t.Errorf("%d choices, or %s is not the chosen one", n, mode)
			}
			x := sitetest.LiveExchange(t, page)
			do("POST", x+"/rounds", "round=1&do=send&a0.action=accept&a0.f0=Duplicate"+
				"&back=%2Flearn%2Fsealed-state%23live")
			form := sitetest.EditForm(t, do("GET", sitetest.Value(t, lesson(), "[data-do=edit]", "href"),
				"").Body)
			sitetest.Replace(t, form, "claims", "Duplicate", "By Design")
			if got := do("POST", x+"/edit", form.Encode()); got.Status != http.StatusSeeOther {
				t.Fatalf("editing answers %d", got.Status)
			}
			if s.Last != "/learn/sealed-state#live" {
				t.Errorf("the edited request leads to %s", s.Last)
			}
			page = lesson()
			if !strings.Contains(page, want) || !strings.Contains(page, "Edited by hand") {
				t.Errorf("the lesson does not show %q, or what was edited", want)
			}
			form.Set("back", "/learn/why#live") // not the lesson of this call
			if do("POST", x+"/edit", form.Encode()); !strings.HasPrefix(s.Last, "/x/") {
				t.Errorf("a request that is edited elsewhere leads to %s", s.Last)
			}
		})
	}
}

// TestEdit_SaysWhichAnswerIsMadeUp: an answer that the user did not give is not
// shown as theirs, neither before it is sent nor after.
func TestEdit_SaysWhichAnswerIsMadeUp(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Follow("/exchanges", url.Values{"sample": {"azure-devops"}})
	x := s.Last
	made := s.Page(x + "/edit?round=1")
	made.Has(t, `[data-made-up] "You have not answered resolution yet"`)
	form := sitetest.EditForm(t, made.Body)
	sitetest.Replace(t, form, "headers", "Mcp-Name: update_work_item", "X-Other: 1")
	page := s.Follow(x+"/edit", form)
	page.Has(t, `"-32020"`, `"changed: Fixed"`)
	s.Post(x+"/rounds", "round=1&do=send&a0.action=accept&a0.f0=Fixed")
	if answered := s.Page(x + "/edit?round=1"); strings.Contains(answered.Body, "data-made-up") {
		t.Error("an answer of the user is called made up")
	}
}

// TestLesson_RememberedLanguage: the listings open in the language of the
// cookie, and all of them are on the page.
func TestLesson_RememberedLanguage(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	body := c.Has("/learn/build", `[value="go"][data-language-choice][checked]`)
	for _, language := range []string{"go", "typescript", "python", "csharp"} {
		if !htmltest.Parse(body).Has(`[data-language="` + language + `"]`) {
			t.Errorf("no listing in %s", language)
		}
	}
	for cookie, want := range map[string]string{"python": "python", "<b>": "go"} {
		c.Cookies = "language=" + cookie
		c.Has("/learn/build", `[value="`+want+`"][data-language-choice][checked]`)
	}
}

// TestRuleLinks lead to a sentence, or to the table for what no lesson treats.
func TestRuleLinks_LeadToSentences(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for rule, want := range map[string]string{
		"C2": "/learn/rounds#rule-C2", "state-protected": "/learn/sealed-state#rule-state-protected",
	} {
		if s.Get("/learn/rules/" + rule); s.Last != want {
			t.Errorf("rule %s leads to %s, want %s", rule, s.Last, want)
		}
	}
	if s.Get("/learn/rules/x-mcp-header"); !strings.HasPrefix(s.Last, "/learn/specification#") {
		t.Errorf("a rule that no lesson treats leads to %s", s.Last)
	}
	if got := s.Get("/learn/rules/none"); got.Status != http.StatusNotFound {
		t.Errorf("an unknown rule answers %d", got.Status)
	}
}

// TestLesson_RollingUpgradeAgreesWithItsExchange: whatever the learner leaves
// to the balancer goes to version 2, as the text says.
func TestLesson_RollingUpgradeAgreesWithItsExchange(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	for range 3 { // the balancer has its turns
		c.Post("/learn/rolling-upgrade", url.Values{"do": {"start"}})
		body := c.Has("/learn/rolling-upgrade", `"instance a/v1 asks"`, `"a (v1, drained)"`,
			`option[value=""][selected] "any"`)
		x := sitetest.LiveExchange(t, body)
		cookie := c.Cookies
		c.Send(x+"/rounds", "round=1&do=send&a0.action=accept&a0.f0=octocat&a1.action=accept&a1.f0=ada"+
			"&back=%2Flearn%2Frolling-upgrade%23live", "/learn/rolling-upgrade#live")
		c.Cookies = cookie
		c.Has("/learn/rolling-upgrade", `"Instance b (v2)"`, `[data-input-key="microsoft_login"]`)
		c.Send(
			x+"/rounds",
			"round=2&do=send&a0.action=accept&a0.f0=grace&back=%2Flearn%2Frolling-upgrade%23live",
			"/learn/rolling-upgrade#live",
		)
		c.Cookies = cookie
		body = c.Has(
			"/learn/rolling-upgrade", `"Linked GitHub as octocat and Microsoft as grace (by version 2)."`,
		)
		if strings.Contains(body, "v1:drain") {
			t.Error("the picture shows an address")
		}
	}
}

func TestSearch_FindsLessonsTermsAndRules(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	c.Has("/search?q=load+shedding", `[href="/learn/nothing-to-ask"]`, `[href="/glossary#load-shedding"]`)
	c.Has("/search?q=C2", `[href="/learn/rounds#rule-C2"]`)
	c.Has("/search?q=stateless", `[href="/glossary#stateless"]`, `" results."`)
	c.Has("/search?q=how+do+I+ask+the+user", `[href="/glossary#elicitation"]`)
	c.Has("/search?q=explain+replay+xyzzy", `"No entry contains all of these words"`,
		`[href="/glossary#replay"]`)
	c.Has("/search?q="+url.QueryEscape("<script>"), `"No entry contains any of these words"`,
		`[name="q"][value="<script>"]`)
}

// TestSpecification_HasEverySentence: the page needs no script, has a row for
// each sentence of the table, and the search leads to it.
func TestSpecification_HasEverySentence(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	body := c.Has("/learn/specification", `"What the specification demands"`, `#not-kept`)
	page := htmltest.Parse(body)
	ids, links := page.Values("tr[id]", "id"), page.Values("[href]", "href")
	for _, s := range spec.Sentences() {
		if !slices.Contains(ids, s.ID) || !slices.Contains(links, s.Link()) {
			t.Errorf("no row for %s, or no link to its clause", s.ID)
		}
	}
	c.Has("/learn", `[href="/learn/specification"]`)
	c.Has("/search?q=the+specification+demands+multi+round-trip", `[href="/learn/specification#mrtr"]`)
	c.Has("/search?q=X-Accel-Buffering", `[href="/learn/specification#http.buffering"]`)
}
