package app

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// backend is how the README's lines for one language are run: what follows them calls them with the URL of a service and pairs
// of a token and a nonce, and prints a line for each: the number, or "refused".
type backend struct {
	language string
	file     string
	before   string
	after    string
	programs []string // any of them
	needs    []string // the arguments with which a program fails that lacks something
}

var backends = []backend{
	{
		language: "go", file: "main.go", programs: []string{"go"}, needs: []string{"version"},
		before: "package main\n\nimport (\n\t\"fmt\"\n\t\"log\"\n\t\"os\"\n)\n\n",
		after: `
func main() {
	keys, err := fetchKeys(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for pairs := os.Args[2:]; len(pairs) > 1; pairs = pairs[2:] {
		phone, err := proven(keys, pairs[0], pairs[1])
		if err != nil {
			phone = "refused"
		}
		fmt.Println(phone)
	}
}
`,
	},
	{
		language: "node", file: "main.mjs", programs: []string{"node"}, needs: []string{"-e", "fetch"},
		after: `
const [, , smsd, ...pairs] = process.argv
const keys = await fetchKeys(smsd)
for (let i = 0; i < pairs.length; i += 2) {
  try { console.log(proven(keys, pairs[i], pairs[i + 1])) } catch { console.log('refused') }
}
`,
	},
	{ // the system's may have the libraries where another one stands in front of it
		language: "python", file: "main.py", programs: []string{"python3", "/usr/bin/python3"}, needs: []string{"-c", "import jwt, cryptography"},
		after: `
import sys
keys = fetch_keys(sys.argv[1])
for token, nonce in zip(sys.argv[2::2], sys.argv[3::2]):
    try:
        print(proven(keys, token, nonce))
    except jwt.PyJWTError:
        print("refused")
`,
	},
}

// What the README tells backends to write takes a token that is good, and no other.
func TestBackendsOfTheReadme(t *testing.T) {
	t.Parallel()
	s := start(t, "")
	const alice, nonce, refused = "+8613800138000", "n-0S6", "refused"
	token, other := s.proven(alice, "login", nonce), s.proven("+8613800138001", "payment", nonce)
	foreign := start(t, "", ofDev).proven(alice, "login", nonce)
	claims := token[strings.Index(token, "."):strings.LastIndex(token, ".")]
	given := []struct{ name, token, nonce, want string }{
		{"a good one", token, nonce, alice},
		{"another nonce", token, "n-0S7", refused},
		{"another scene", other, nonce, refused},
		{"another service's", foreign, nonce, refused},
		{"another one's signature", strings.TrimSuffix(token, token[strings.LastIndex(token, "."):]) + other[strings.LastIndex(other, "."):], nonce, refused},
		{"alg none", "eyJhbGciOiJub25lIn0" + claims + ".", nonce, refused},
		{"no signature", token[:strings.LastIndex(token, ".")+1], nonce, refused},
		{"the good one again", token, nonce, alice},
	}
	args := []string{s.app.PublicURL()}
	for _, g := range given {
		args = append(args, g.token, g.nonce)
	}
	for _, b := range backends {
		t.Run(b.language, func(t *testing.T) { // not in parallel: waiting for its turn it could outlive the tokens
			said := strings.Fields(b.call(t, args...))
			if len(said) != len(given) {
				t.Fatalf("it said %q", said)
			}
			for i, g := range given {
				if said[i] != g.want {
					t.Errorf("%s: %s, want %s", g.name, said[i], g.want)
				}
			}
		})
	}
}

// proven verifies a number and returns the token.
func (s *service) proven(phone, scene, nonce string) string {
	s.t.Helper()
	id := s.wants(s.post("send", fields{"phone": phone, "scene": scene}), "200").text("sms_id")
	return s.wants(s.post("verify", fields{"sms_id": id, "code": s.codeOf(id), "nonce": nonce}), "200").text("token")
}

// call runs the README's lines and returns what they print.
func (b backend) call(t *testing.T, args ...string) string {
	t.Helper()
	program, path := b.program(t), filepath.Join(t.TempDir(), b.file)
	write(t, path, b.before+b.lines(t)+b.after)
	args = append([]string{path}, args...)
	if b.language == "go" { // in this module, whose go.mod has the library
		args = append([]string{"run"}, args...)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience) // it may have to be built
	defer cancel()
	out, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// program is the first one that has what it needs.
func (b backend) program(t *testing.T) string {
	t.Helper()
	for _, program := range b.programs {
		if exec.Command(program, b.needs...).Run() == nil {
			return program
		}
	}
	t.Skipf("none of %s does %s", strings.Join(b.programs, ", "), strings.Join(b.needs, " "))
	return ""
}

// lines are what stands in the README for the language.
func (b backend) lines(t *testing.T) string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(readme), "<!-- proven: "+b.language+" -->\n```")
	_, after, _ = strings.Cut(after, "\n")
	lines, _, ended := strings.Cut(after, "```\n")
	if !found || !ended {
		t.Fatalf("the README has no lines for %s", b.language)
	}
	return lines
}
