package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/metrics"
	"syscall"
	"time"

	"github.com/labstack/echo/v4"

	"smsd/internal/apikey"
	"smsd/internal/app"
	"smsd/internal/config"
)

// listening is the first line that a server writes. Key is an API key, where requests need one.
type listening struct{ API, Admin, Key string }

// usage is what a server has used since its start. A server writes it as one line for each line it reads.
type usage struct {
	CPU    time.Duration // user and system, of all threads
	Allocs uint64        // objects on the heap
}

// floorAnswer is as long as the answer to a send.
const floorAnswer = `{"sms_id":"0b7e1f6a-5b0e-4f3c-9a52-6f0d6d2f9c11","scene":"login","phone":"+86 138****8000","code_length":6,` +
	`"attempts":5,"expires_in":300,"expires_at":"2026-11-30T06:05:00.123Z","resend_in":60,"delivery":"accepted"}`

// serveFloor is echo and net/http as they come, and no more.
func serveFloor() error {
	e := echo.New()
	answer := func(c echo.Context) error { return c.JSONBlob(http.StatusOK, []byte(floorAnswer)) }
	e.GET("/livez", answer)
	e.POST("/api/v1/sms/send", answer)
	e.POST(decodingPath, decodingHandler)
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = (&http.Server{Handler: e}).Serve(socket) }() // ends with the process
	return report(listening{API: socket.Addr().String()})
}

// decodingPath is where the floor also reads the request and writes the answer as echo does by itself: the
// least that any API does.
const decodingPath = "/decode"

type sendBody struct {
	Phone string `json:"phone"`
	Scene string `json:"scene"`
}

type sendAnswer struct {
	SMSID     string    `json:"sms_id"`
	Scene     string    `json:"scene"`
	Phone     string    `json:"phone"`
	Length    int       `json:"code_length"`
	Attempts  int       `json:"attempts"`
	ExpiresIn int       `json:"expires_in"`
	ExpiresAt time.Time `json:"expires_at"`
	ResendIn  int       `json:"resend_in"`
	Delivery  string    `json:"delivery"`
}

func decodingHandler(c echo.Context) error {
	var in sendBody
	if err := c.Bind(&in); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, &sendAnswer{
		SMSID: "0b7e1f6a-5b0e-4f3c-9a52-6f0d6d2f9c11", Scene: in.Scene, Phone: in.Phone, Length: 6, Attempts: 5,
		ExpiresIn: 300, ExpiresAt: time.Now().UTC(), ResendIn: 60, Delivery: "accepted",
	})
}

// serveSMSD is the service with the settings of the environment. What it logs is an error or nothing.
func serveSMSD() error {
	cfg, err := config.Load(config.Options{Environ: os.Environ()})
	if err != nil {
		return err
	}
	a, err := app.New(cfg, app.Options{
		Logger:     app.NewLogger(config.Log{Level: "error"}, os.Stderr),
		Unrecorded: os.Getenv(recordsVariable) == recordsNone,
	})
	if err != nil {
		return err
	}
	app.TuneMemory(cfg)
	key, err := keyFor(cfg)
	if err != nil {
		return err
	}
	if err := a.Start(context.Background()); err != nil {
		return err
	}
	const scheme = "http://"
	return report(listening{API: a.PublicURL()[len(scheme):], Admin: a.AdminURL()[len(scheme):], Key: key})
}

// keyFor makes the key that requests need in production: a publishable one, as pages and apps have, to which limits are not told.
func keyFor(cfg *config.Config) (string, error) {
	if cfg.Profile != config.Production {
		return "", nil
	}
	keys, err := app.MakeKeys(context.Background(), cfg)
	if err != nil {
		return "", err
	}
	key, _, err := keys.Create(context.Background(), apikey.Draft{App: "bench", Kind: apikey.Publishable})
	return key.Reveal(), errors.Join(err, keys.Close())
}

// report writes where the server listens, and then its usage whenever it is asked, until nobody can ask
// any more: so no server outlives the benchmark.
func report(l listening) error {
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(l); err != nil {
		return err
	}
	for in := bufio.NewReader(os.Stdin); ; {
		if _, err := in.ReadString('\n'); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := out.Encode(ownUsage()); err != nil {
			return err
		}
	}
}

func ownUsage() usage {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r) // can't fail for oneself
	allocs := []metrics.Sample{{Name: "/gc/heap/allocs:objects"}}
	metrics.Read(allocs)
	return usage{CPU: time.Duration(r.Utime.Nano() + r.Stime.Nano()), Allocs: allocs[0].Value.Uint64()}
}
