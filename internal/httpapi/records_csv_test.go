package httpapi

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"smsd/internal/records"
)

// A file has every row, and says what it is.
func TestCSV(t *testing.T) {
	t.Parallel()
	rows := newArchive(t)
	a := newAPI(t, rows.use)
	rows.fill(2*records.MaxPage + 1)
	_, address := listen(t, a, a.admin)
	response, err := http.Get("http://" + address + "/api/v1/verifications?format=csv")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	all, err := csv.NewReader(response.Body).ReadAll()
	if err != nil || len(all) != 2*records.MaxPage+2 {
		t.Fatalf("%d lines, %v", len(all), err)
	}
	if h := response.Header; h.Get("Content-Disposition") != `attachment; filename="verifications.csv"` || !strings.HasPrefix(h.Get("Content-Type"), "text/csv") || len(response.TransferEncoding) != 1 {
		t.Errorf("%v", h)
	}
	text := strings.Join(all[1], ",")
	if !strings.Contains(text, "'+86 138****8000") || strings.Contains(text, "1380013") {
		t.Errorf("%s", text)
	}
	head := a.operate("HEAD", "/api/v1/verifications?format=csv", "")
	if looks := rows.looks.Load(); looks != 3 || head.status != 200 || !strings.HasPrefix(head.header.Get("Content-Type"), "text/csv") {
		t.Errorf("HEAD: %d %v, %d looks", head.status, head.header, looks)
	}
}

// What breaks on the way cuts the file off, so that nobody takes it for the whole.
func TestCSVIsCutOff(t *testing.T) {
	t.Parallel()
	rows := newArchive(t)
	a := newAPI(t, rows.use)
	rows.fill(records.MaxPage + 1)
	_, address := listen(t, a, a.admin)
	rows.hook = func(f records.Filter) {
		if f.After != (records.Cursor{}) {
			rows.cut(errors.New("away"))
		}
	}
	response, err := http.Get("http://" + address + "/api/v1/verifications?format=csv")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if text, err := io.ReadAll(response.Body); err == nil || !strings.HasPrefix(string(text), "sms_id,") {
		t.Errorf("the file ended as if it were whole: %d bytes", len(text))
	}
}

// An export ends with its client, and with its server; and no more run at once than are meant to.
func TestCSVEnds(t *testing.T) {
	t.Parallel()
	rows := newArchive(t)
	a := newAPI(t, rows.use)
	rows.fill(records.MaxPage + 1)
	server, address := listen(t, a, a.admin)
	held := make(chan struct{})
	rows.hook = func(f records.Filter) {
		if f.After != (records.Cursor{}) { // the second page of each
			<-held
		}
	}
	begin := func() (*http.Response, context.CancelFunc) {
		ctx, cancel := context.WithCancel(t.Context())
		r, _ := http.NewRequestWithContext(ctx, "GET", "http://"+address+"/api/v1/verifications?format=csv", nil)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(response.Body).ReadString('\n'); err != nil {
			t.Fatal(err) // its first page is out
		}
		return response, cancel
	}
	first, hangUp := begin()
	second, _ := begin()
	defer first.Body.Close()
	defer second.Body.Close()
	a.want(a.operate("GET", "/api/v1/verifications?format=csv", ""), 503, "unavailable")
	hangUp()
	close(held)
	exports := a.admin.(*drainable).admin.exports
	for end := time.Now().Add(30 * time.Second); len(exports) > 0; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatal("an export did not end")
		}
	}
	if _, err := io.Copy(io.Discard, second.Body); err != nil {
		t.Errorf("the one that stayed: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		t.Errorf("shutdown: %v", err)
	}
}
