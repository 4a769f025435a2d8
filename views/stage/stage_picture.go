package stage

import (
	"fmt"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
)

// Sizes of the pictures of a stage in user units. The smallest letters have 12
// units. A projector of 1280 x 720 gives a slide 1152 pixels, and each of two
// lanes 560, so that these letters have at least 18 pixels.
const (
	slideWidth   = 752
	slideHeight  = 308
	mediumWidth  = 660 // on a screen of 1024 x 768
	mediumHeight = 352
	laneWidth    = 366 // of one of two lanes
	laneHeight   = 272 // of two lanes below their names
	barsHeight   = 28  // taken from a slide by the bars of the work done
)

// options returns what all pictures of the story's own lane have in common.
func (in Input) options(f playground.Transcript) picture.StageOptions {
	o := picture.StageOptions{
		Instances: instancesOf(in.Story.Opening()), Events: picture.StageEvents(in.Stage.History(in.Story,
			in.N)),
		Request: in.Story.Steps[0].Button, ID: "own",
	}
	if last := f.Last(); last != nil {
		o.Current = last.N
		o.Link = func(r int) string {
			return in.path(in.Stage.StepOf(in.Story, in.N, r))
		}
	}
	return o
}

// alone draws the lane with MRTR as it is at f, for the whole width of a slide.
func (in Input) alone(f playground.Transcript) Pictures {
	o := in.options(f)
	wide := o
	wide.Width = slideWidth
	p := drawPictures(in.Own, f, o)
	if in.Present {
		bars := 0
		if len(demo.Bars(f)) > 0 {
			bars = barsHeight
		}
		medium := wide
		wide.Height, wide.MaxHeight = slideHeight-bars, float64(slideHeight-bars)
		medium.Width, medium.ID = mediumWidth, "own-medium"
		medium.Height, medium.MaxHeight = mediumHeight-bars, float64(mediumHeight-bars)
		p.Medium = string(picture.Stage(in.Own, f, medium).SVG())
	}
	p.Wide = string(picture.Stage(in.Own, f, wide).SVG())
	return p
}

// beside draws the lane with MRTR as it is at f, with room for the state beside
// it.
func (in Input) beside(f playground.Transcript) Pictures {
	o := in.options(f)
	o.Brief = true
	p := drawPictures(in.Own, f, o)
	o.Width, o.Height, o.MaxHeight = laneWidth, slideHeight, slideHeight
	p.Wide = string(picture.Stage(in.Own, f, o).SVG())
	return p
}

// compared draws the two lanes of a story so that what happens at the same time
// stands at the same height.
func (in Input) compared(own, legacy playground.Transcript) (withMRTR, before Pictures) {
	o := in.options(own)
	o.Brief = true
	history, _ := in.Story.LegacyAt(in.N, playground.Fold(in.Legacy.Log))
	old := picture.StageOptions{
		Instances: picture.ParseInstances(in.Story.Before.Instances), Events: picture.StageEvents(history),
		Request: o.Request, Brief: true, ID: "legacy",
	}
	if last := legacy.Last(); last != nil {
		old.Current = last.N
	}
	withMRTR, before = drawPictures(in.Own, own, o), drawPictures(*in.Legacy, legacy, old)
	o.Width, old.Width = laneWidth, laneWidth
	height := float64(laneHeight)
	if len(demo.Bars(own)) > 0 {
		height -= barsHeight
	}
	a, b := picture.Compare(picture.Stage(in.Own, own, o), picture.Stage(*in.Legacy, legacy, old), height)
	withMRTR.Wide, before.Wide = string(a.SVG()), string(b.SVG())
	return withMRTR, before
}

// drawPictures draws what a phone shows, and the words.
func drawPictures(x playground.Exchange, f playground.Transcript, o picture.StageOptions) Pictures {
	o.Width, o.ID, o.Brief = picture.NarrowWidth, o.ID+"-narrow", true
	p := picture.Stage(x, f, o)
	return Pictures{Narrow: string(p.SVG()), Text: p.Text()}
}

func instancesOf(t cluster.Topology) []picture.Instance {
	list := make([]picture.Instance, len(t.Instances))
	for i, c := range t.Instances {
		list[i] = picture.Instance{Name: c.Name, Version: c.Version}
	}
	return list
}

// lanes sets the pictures of the lane with MRTR, alone or beside the lane before
// MRTR or the newest state.
func (s *Stage) lanes(in Input, f playground.Transcript) {
	switch {
	case in.Story.Steps[in.N-1].Show == demo.State:
		s.State = newStageState(f, in.Explain)
		s.Own = in.beside(f)
	case in.Legacy != nil:
		legacy := playground.Fold(in.Story.LegacyLogAt(in.N, in.Legacy.Log))
		s.Legacy = &LegacyLane{
			Exchange: in.Legacy.ID, Words: in.Story.LegacyCaption(in.N, legacy), Lost: demo.Lost(legacy),
			Verdict: in.Story.LegacyVerdict(f, legacy), Bars: instanceBars(in.Story.Before.Instances, legacy),
		}
		s.Verdict = in.Story.OwnVerdict(f)
		s.Own, s.Legacy.Pictures = in.compared(f, legacy)
	}
	if !s.beside() {
		s.Own = in.alone(f)
	}
}

// InstanceBar is the share of the work that an instance did, in hundredths.
type InstanceBar struct {
	Name     string
	From, To int
}

// instanceBars returns the bars of all instances, or nil if the story reports
// no progress.
func instanceBars(instances string, f playground.Transcript) []InstanceBar {
	bars := demo.Bars(f)
	if len(bars) == 0 {
		return nil
	}
	var list []InstanceBar
	for _, c := range picture.ParseInstances(instances) {
		bar := InstanceBar{Name: c.Name}
		for _, b := range bars {
			if b.Instance == c.Name {
				bar.From, bar.To = 100*b.From/b.Total, 100*b.To/b.Total
			}
		}
		list = append(list, bar)
	}
	return list
}

func (b InstanceBar) words() string {
	switch {
	case b.To == b.From:
		return "nothing"
	case b.From == 0:
		return strconv.Itoa(b.To) + "\u00a0%"
	}
	return fmt.Sprintf("%d–%d%%", b.From, b.To)
}
