package lesson

// What the first page says of the lessons, so that it need not render them. A test
// compares them with the Book.
const (
	Count        = 19 // lessons
	FirstMinutes = 3  // that the first lesson takes
)
