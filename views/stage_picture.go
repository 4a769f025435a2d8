package views

import (
	"fmt"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// shape is the size of a picture on a stage. width is in user units and bounds
// the size of the letters. On a projector, where the height is limited too,
// ratio is width to height, and maxWidth and maxHeight bound both, so that
// letters of 12 units have at least 12 pixels at 1024 x 768 and at 1280 x 720.
type shape struct {
	width     int
	ratio     float64
	maxWidth  int
	maxHeight float64
}

func alone(present bool) shape {
	if present {
		return shape{680, 2.75, 880, 370}
	}
	return shape{width: 720}
}

func beside(present bool) shape {
	if present {
		return shape{420, 1.3, 420, 370}
	}
	return shape{width: 400}
}

// own draws the lane with MRTR as it is at f.
func (in StageInput) own(is shape, f playground.Transcript) Pictures {
	o := picture.StageOptions{
		Instances: instancesOf(in.Story.Opening()), Events: stageEvents(in.Stage.History(in.Story, in.N)),
		Width: is.width, Ratio: is.ratio, MaxWidth: is.maxWidth, MaxHeight: is.maxHeight, ID: "own",
	}
	if last := f.Last(); last != nil {
		o.Current = last.N
		o.Link = func(r int) string {
			return in.path(in.Stage.StepOf(r))
		}
	}
	return drawStage(in.Own, f, o)
}

func drawStage(x playground.Exchange, f playground.Transcript, o picture.StageOptions) Pictures {
	wide := picture.Stage(x, f, o)
	o.Ratio, o.Width, o.ID = 0, picture.NarrowWidth, o.ID+"-narrow"
	return Pictures{
		Wide: string(wide.SVG()), Narrow: string(picture.Stage(x, f, o).SVG()), Text: wide.Text(),
	}
}

func instancesOf(t server.Topology) []picture.Instance {
	list := make([]picture.Instance, len(t.Instances))
	for i, c := range t.Instances {
		list[i] = picture.Instance{Name: c.Name, Version: c.Version}
	}
	return list
}

// stageEvents labels what happened to the instances.
func stageEvents(history []demo.HistoryEntry) []picture.StageEvent {
	list := make([]picture.StageEvent, len(history))
	for i, h := range history {
		label := map[demo.Operation]string{
			demo.Kill: "killed", demo.Stop: "drained", demo.Revive: "back", demo.Upgrade: "now " + h.Version,
		}[h.Do]
		list[i] = picture.StageEvent{
			After: h.After, Instance: h.Instance, Label: label, Gone: h.Do == demo.Kill,
			Sentence: fmt.Sprintf("Instance %s is %s.", h.Instance, label),
		}
	}
	return list
}

// legacyLane returns the lane before MRTR as it was at this step.
func (in StageInput) legacyLane() *LegacyLane {
	f := playground.Fold(in.Story.LegacyLogAt(in.N, in.Legacy.Log))
	is := beside(in.Present)
	history, _ := in.Story.LegacyAt(in.N, playground.Fold(in.Legacy.Log))
	o := picture.StageOptions{
		Instances: picture.ParseInstances(in.Story.Before.Instances), Events: stageEvents(history),
		Width: is.width, Ratio: is.ratio, MaxWidth: is.maxWidth, MaxHeight: is.maxHeight, ID: "legacy",
	}
	if last := f.Last(); last != nil {
		o.Current = last.N
	}
	return &LegacyLane{
		Exchange: in.Legacy.ID, Words: in.Story.LegacyCaption(in.N, f), Lost: demo.Lost(f),
		Pictures: drawStage(*in.Legacy, f, o), Bars: instanceBars(in.Story.Before.Instances, f),
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
