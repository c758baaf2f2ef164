package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// fileKeys returns every key that a file may hold, but those below gateways.
func fileKeys() []string {
	var keys []string
	for _, s := range Settings() {
		keys = append(keys, s.Key)
		if s.Secret {
			keys = append(keys, s.Key+fileSuffix)
		}
	}
	return append(keys, "gateways")
}

func isKey(key string) bool {
	return slices.Contains(fileKeys(), key) || isGatewayKey(key)
}

// isSection says whether settings stand below key.
func isSection(key string) bool {
	for _, known := range fileKeys() {
		if strings.HasPrefix(known, key+".") {
			return true
		}
	}
	return isGatewaySection(key)
}

// unknown says that nobody knows name, and which of the known ones it may have been meant to be.
func unknown(name string, known []string) string {
	return fmt.Sprintf("unknown; did you mean %s?", nearest(name, known))
}

// meantOr asks whether the nearest of the known names was meant, where that is likely: no more than two edits away. Else it is
// what else there is to say.
func meantOr(name string, known []string, say string) string {
	if near := nearest(name, known); edits(name, near) <= min(2, len(name)-1) {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return say
}

// nearest returns the known name with the fewest edits from name, but a name that begins as the other one,
// and one of the same last word, are nearer than their edits: people leave out parts.
func nearest(name string, known []string) string {
	return slices.MinFunc(known, func(a, b string) int {
		return cmp.Or(cmp.Compare(far(name, a), far(name, b)), cmp.Compare(edits(name, a), edits(name, b)))
	})
}

func far(name, known string) int {
	switch distance := edits(name, known); {
	case strings.HasPrefix(name, known) || strings.HasPrefix(known, name):
		return min(1, distance)
	case lastWord(name) == lastWord(known):
		return min(2, distance)
	default:
		return distance
	}
}

func lastWord(name string) string {
	return name[strings.LastIndexAny(name, "._-")+1:]
}

// edits is Levenshtein's distance of two texts, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
