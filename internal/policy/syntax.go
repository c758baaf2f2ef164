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
		return Fault{Line: 1, Column: 1, Message: "not YAML"}
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
	return Fault{Line: line, Column: 1, Message: "not YAML: " + masked(message) + hint(text, line)}
}

var bareTemplate = regexp.MustCompile(`:\s*\{\{`)

// hint explains the mistake that templates invite: {{ opens two mappings in YAML.
func hint(text []byte, line int) string {
	lines := bytes.SplitN(text, []byte("\n"), line+1)
	if !bareTemplate.Match(lines[line-1]) {
		return ""
	}
	return "; a text that begins with {{ must stand in quotes"
}
