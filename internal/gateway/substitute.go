package gateway

import "fmt"

// substitute is a character that people and their editors write without thinking of the alphabet, by its name in Unicode,
// and what of the alphabet reads the same.
type substitute struct{ name, write string }

// substitutes are the quotes, dashes, dots and blanks that editors and keyboards put in place of what was typed, and
// punctuation of the full width between letters that are in the alphabet. Letters are not among them: a word without its
// accent is another word.
var substitutes = map[rune]substitute{
	'\u2018': {"left single quotation mark", "'"},
	'\u2019': {"right single quotation mark", "'"},
	'\u201A': {"single low-9 quotation mark", "'"},
	'\u201B': {"single high-reversed-9 quotation mark", "'"},
	'\u2032': {"prime", "'"},
	'\u00B4': {"acute accent", "'"},
	'\u0060': {"grave accent", "'"},
	'\u02BC': {"modifier letter apostrophe", "'"},
	'\u2039': {"single left-pointing angle quotation mark", "'"},
	'\u203A': {"single right-pointing angle quotation mark", "'"},
	'\u201C': {"left double quotation mark", `"`},
	'\u201D': {"right double quotation mark", `"`},
	'\u201E': {"double low-9 quotation mark", `"`},
	'\u201F': {"double high-reversed-9 quotation mark", `"`},
	'\u2033': {"double prime", `"`},
	'\u00AB': {"left-pointing double angle quotation mark", `"`},
	'\u00BB': {"right-pointing double angle quotation mark", `"`},
	'\u2010': {"hyphen", "-"},
	'\u2011': {"non-breaking hyphen", "-"},
	'\u2012': {"figure dash", "-"},
	'\u2013': {"en dash", "-"},
	'\u2014': {"em dash", "-"},
	'\u2015': {"horizontal bar", "-"},
	'\u2212': {"minus sign", "-"},
	'\u2022': {"bullet", "*"},
	'\u00B7': {"middle dot", "*"},
	'\u2026': {"horizontal ellipsis", "..."},
	'\t':     {"tab", " "},
	'\u00A0': {"no-break space", " "},
	'\u2002': {"en space", " "},
	'\u2003': {"em space", " "},
	'\u2007': {"figure space", " "},
	'\u2009': {"thin space", " "},
	'\u200A': {"hair space", " "},
	'\u202F': {"narrow no-break space", " "},
	'\u3000': {"ideographic space", " "},
	'\u00AD': {"soft hyphen", ""},
	'\u200B': {"zero width space", ""},
	'\u200C': {"zero width non-joiner", ""},
	'\u200D': {"zero width joiner", ""},
	'\u200E': {"left-to-right mark", ""},
	'\u200F': {"right-to-left mark", ""},
	'\u2060': {"word joiner", ""},
	'\uFEFF': {"zero width no-break space", ""},
	'\uFF01': {"fullwidth exclamation mark", "!"},
	'\uFF08': {"fullwidth left parenthesis", "("},
	'\uFF09': {"fullwidth right parenthesis", ")"},
	'\uFF0C': {"fullwidth comma", ","},
	'\uFF1A': {"fullwidth colon", ":"},
	'\uFF1B': {"fullwidth semicolon", ";"},
	'\uFF1F': {"fullwidth question mark", "?"},
}

// named is r by its code point, as it looks where it looks like anything, and by its name where that is known here.
func named(r rune) string {
	text := fmt.Sprintf("%#U", r)
	if s, known := substitutes[r]; known {
		text += " " + s.name
	}
	return text
}
