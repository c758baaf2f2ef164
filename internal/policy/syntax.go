package policy

import (
	"bytes"
	"regexp"
	"strconv"
)

var (
	syntaxError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)
	quoted      = regexp.MustCompile(`'[^']*'|"[^"]*"|` + "`[^`]*`")
	// countedFromZero are the errors whose line the library counts from 0 (those of its parser; it
	// counts those of its scanner from 1).
	countedFromZero = regexp.MustCompile(`^did not find expected (<|node content|'-' indicator|key$|',' or )|^found (undefined tag handle|duplicate %|incompatible)`)
)

// syntaxFault reads the line out of the library's error. It has no column, and what it quotes may be
// anything, except for single signs.
func syntaxFault(text []byte, err error) Fault {
	found := syntaxError.FindStringSubmatch(err.Error())
	if found == nil {
		return Fault{Line: 1, Column: 1, Message: "is not YAML"}
	}
	line, _ := strconv.Atoi(found[1]) // 0 if there is none, as for the first line
	if countedFromZero.MatchString(found[2]) {
		line++
	}
	last := 1 + bytes.Count(bytes.TrimRight(text, "\n"), []byte("\n"))
	message := quoted.ReplaceAllStringFunc(found[2], func(s string) string {
		if len(s) == len("':'") {
			return s
		}
		return "..."
	})
	line = min(max(1, line), last)
	return Fault{Line: line, Column: 1, Message: "is not YAML: " + masked(message) + hint(text, line, message)}
}

var (
	bareTemplate = regexp.MustCompile(`:\s*\{\{`)
	// bareMark are the errors of a name that * or & begins, and of a * whose name nothing has.
	bareMark = regexp.MustCompile(`^did not find expected alphabetic or numeric character|^unknown anchor`)
)

// hint explains the mistakes that the format invites: {{ opens two mappings in YAML, and * is an alias.
func hint(text []byte, line int, message string) string {
	lines := bytes.SplitN(text, []byte("\n"), line+1)
	switch {
	case bareMark.MatchString(message):
		return `; a * or & at the beginning of a value must stand in quotes, as ["*"]`
	case bareTemplate.Match(lines[line-1]):
		return "; a text that begins with {{ must stand in quotes"
	}
	return ""
}
