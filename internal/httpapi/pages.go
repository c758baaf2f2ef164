package httpapi

import (
	"bytes"
	"crypto/rand"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"

	"github.com/labstack/echo/v4"
)

// Pages, styles and scripts are in the binary, and reach the browser in one piece: nothing to build,
// nothing to fetch, and a policy that lets nothing else run.
//
//go:embed web
var web embed.FS

// pageNames are the pages: each is web/NAME.html within web/base.html, with web/NAME.js if there is one.
var pageNames = []string{"try", "inbox", "admin", "problem", "problems"}

type pages struct {
	style   template.CSS
	scripts map[string]template.JS
	byName  map[string]*template.Template
}

// view is what a page is made of.
type view struct {
	Nonce  string
	Style  template.CSS
	Script template.JS
	Data   any
}

func newPages() (*pages, error) {
	style, err := web.ReadFile("web/style.css")
	if err != nil {
		return nil, fmt.Errorf("httpapi: pages: %w", err)
	}
	p := &pages{style: template.CSS(style), scripts: map[string]template.JS{}, byName: map[string]*template.Template{}}
	for _, name := range pageNames {
		page, err := template.ParseFS(web, "web/base.html", "web/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("httpapi: pages: %w", err)
		}
		p.byName[name] = page
		if script, err := web.ReadFile("web/" + name + ".js"); err == nil {
			p.scripts[name] = template.JS(script)
		}
	}
	return p, nil
}

// show answers with a page.
func (p *pages) show(c echo.Context, name string, data any) error {
	v := view{Nonce: newNonce(), Style: p.style, Script: p.scripts[name], Data: data}
	var body bytes.Buffer
	if err := p.byName[name].ExecuteTemplate(&body, "base.html", v); err != nil {
		return fmt.Errorf("httpapi: page %s: %w", name, err)
	}
	secure(c.Response().Header(), v.Nonce)
	return c.Blob(http.StatusOK, echo.MIMETextHTMLCharsetUTF8, body.Bytes())
}

// newNonce is 16 random bytes (CSP level 3, section 7.1 asks for 128 bits), new for every answer.
func newNonce() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return base64.RawURLEncoding.EncodeToString(b)
}

// secure lets run and apply what carries the nonce, lets the page talk to its own origin, and keeps it out
// of frames.
func secure(h http.Header, nonce string) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'nonce-"+nonce+"'; style-src 'nonce-"+nonce+
		"'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}
