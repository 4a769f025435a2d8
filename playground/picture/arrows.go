package picture

// row draws one Step.
func (d *drawing) row(l plan, r row) {
	switch r.Kind {
	case Now, Pause, Change:
	default:
		d.arrow(l, r)
	}
	for _, t := range r.texts {
		d.text(t)
	}
}

// arrow draws the line, its head, and the shapes that say what is with it.
func (d *drawing) arrow(l plan, r row) {
	class := r.class()
	d.f(`<path class="%s" d="M%s %sH%s"/>`, class, n(r.x1), n(r.y), n(r.x2-r.tip()))
	if r.Mark == Broken {
		d.cross(r.x2, r.y, 5)
	} else {
		d.f(`<path class="%s-head" d="M%s %sl%[4]s -4v8z"/>`, class, n(r.x2), n(r.y), n(-9*r.side()))
	}
	if r.Via != 0 {
		d.f(`<circle class="%s-head" cx="%s" cy="%s" r="3.5"/>`, class, n(l.lanes[r.Via]), n(r.y))
	}
	if r.State != "" {
		d.f(`<path class="pic-diamond" d="M%s %sl6 6l-6 6l-6 -6z"/>`, n(r.diamond), n(r.y-6))
	}
	switch r.Mark {
	case Done:
		d.f(`<path class="pic-pass" d="M%s %sl4 4l7 -9"/>`, n(r.mark.x), n(r.mark.y+6))
	case Wrong:
		d.cross(r.mark.x+5, r.mark.y+5.5, 4)
	}
}

// cross is the shape of what went wrong.
func (d *drawing) cross(x, y, half float64) {
	d.f(`<path class="pic-fail" d="M%s %sl%s %[3]sm0 -%[3]sl-%[3]s %[3]s"/>`, n(x-half), n(y-half), n(2*half))
}

// side is 1 for an arrow to the right and -1 for one to the left.
func (r row) side() float64 {
	if r.x2 < r.x1 {
		return -1
	}
	return 1
}

// tip is how far before its end the line stops, under the arrow's head.
func (r row) tip() float64 {
	if r.Mark == Broken {
		return 0
	}
	return 4 * r.side()
}

// class names the colour and the line of a Kind; the head has its own, so that
// it is not dashed.
func (r row) class() string {
	switch r.Kind {
	case Call:
		return "pic-req"
	case Notice:
		return "pic-tell"
	}
	return "pic-res"
}
