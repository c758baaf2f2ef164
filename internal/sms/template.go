package sms

import (
	"time"

	"smsd/internal/secret"
)

// Template is one message text with the places of the code and the minutes. The zero Template is none.
type Template struct{}

// ParseTemplate reads text, in which {{.Code}} must stand once and {{.Minutes}} may stand; anything
// else in double braces is a fault. At most MaxTemplate bytes.
func ParseTemplate(text string) (Template, error) { panic("unbuilt") }

// MaxTemplate is the longest template, in bytes.
const MaxTemplate = 1000

// Render fills in code and the whole minutes that remain, rounded down but at least 1.
func (t Template) Render(code secret.Text, remaining time.Duration) secret.Text { panic("unbuilt") }

// Templates is a scene's texts by language.
type Templates struct{}

// NewTemplates takes texts by language tag (BCP 47). Which language serves a locale that matches none
// is the first of en, then the alphabetically first.
func NewTemplates(byTag map[string]Template) (Templates, error) { panic("unbuilt") }

// Match returns the text for locale (BCP 47, may be empty or nonsense) and its tag.
func (t Templates) Match(locale string) (Template, string) { panic("unbuilt") }
