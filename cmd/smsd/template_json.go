package main

import (
	"fmt"
	"io"

	"smsd/internal/policy"
)

// textJSON is a text as --json writes it.
type textJSON struct {
	App      string       `json:"app,omitzero"`
	Scene    string       `json:"scene,omitzero"`
	Locale   string       `json:"locale,omitzero"`
	Gateway  string       `json:"gateway,omitzero"`
	Encoding string       `json:"encoding"`
	Units    int          `json:"units"`
	Segments int          `json:"segments"`
	Left     int          `json:"left"`
	Costs    []costJSON   `json:"costs,omitempty"`
	Foreign  *foreignJSON `json:"foreign,omitempty"`
	Over     []string     `json:"over,omitempty"`
}

type costJSON struct {
	Micros   int64  `json:"micros"`
	Currency string `json:"currency"`
}

type foreignJSON struct {
	Character string `json:"character"`
	CodePoint string `json:"code_point"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	Count     int    `json:"count"`
	Advice    string `json:"advice,omitzero"`
}

func printTextsJSON(w io.Writer, texts []policy.Text) error {
	rows := make([]textJSON, 0, len(texts))
	for _, t := range texts {
		rows = append(rows, textAsJSON(t))
	}
	return indented(w, rows)
}

func textAsJSON(t policy.Text) textJSON {
	row := textJSON{
		App: t.App, Scene: t.Scene, Locale: t.Locale, Gateway: t.Gateway, Encoding: string(t.Encoding), Units: t.Units,
		Segments: t.Segments, Left: t.Left, Over: t.Over,
	}
	for _, m := range t.Costs {
		row.Costs = append(row.Costs, costJSON(m))
	}
	if f := t.Foreign; !f.IsZero() {
		row.Foreign = &foreignJSON{string(f.Char), fmt.Sprintf("%U", f.Char), f.Line, f.Column, f.Count, f.Advice()}
	}
	return row
}
