package gateway

// Measurement is how a text travels, and how full that makes its segments.
type Measurement struct {
	Encoding Encoding
	Units    int // septets of GSM-7, UTF-16 units of UCS-2; of the text, without the headers of segments
	Segments int // 1 or more
	// Left is how many units the last segment still takes; a character of two units does not fit into one.
	Left int
	// Foreign is what forced the text into UCS-2; the zero Foreign in GSM-7.
	Foreign Foreign
}

// Foreign is the first character of a text that the default alphabet lacks.
type Foreign struct {
	Char rune // what is not UTF-8 is U+FFFD
	// Index counts characters from 0, Offset bytes.
	Index, Offset int
	// Line and Column count from 1, the column in characters.
	Line, Column int
	// Count is how many characters the alphabet lacks, this one included.
	Count int
}

// Measure tells why a text takes as many segments as [Segments] says.
func Measure(text string) Measurement {
	f, encoding := fill(text)
	m := Measurement{Encoding: encoding, Units: f.units, Segments: f.parts, Left: f.left}
	if encoding == UCS2 {
		m.Foreign = firstForeign(text)
	}
	return m
}

func firstForeign(text string) Foreign {
	f := Foreign{}
	index, line, column := 0, 1, 1
	for offset, r := range text {
		if gsm7Units(r) == 0 {
			if f.Count == 0 {
				f = Foreign{Char: r, Index: index, Offset: offset, Line: line, Column: column}
			}
			f.Count++
		}
		index, column = index+1, column+1
		if r == '\n' {
			line, column = line+1, 1
		}
	}
	return f
}

// IsZero reports whether there is none.
func (f Foreign) IsZero() bool { return f.Count == 0 }

// String names the character, as "U+2019 '’' right single quotation mark"; "" if there is none.
func (f Foreign) String() string {
	if f.IsZero() {
		return ""
	}
	return named(f.Char)
}

// Advice says what to write in its place, as "write ' instead"; "" where nothing reads the same.
func (f Foreign) Advice() string {
	switch s, known := substitutes[f.Char]; {
	case f.IsZero() || !known:
		return ""
	case s.write == "":
		return "leave it out"
	case s.write == " ":
		return "write a space instead"
	default:
		return "write " + s.write + " instead"
	}
}
