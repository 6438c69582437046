package agent

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Of all tests of the package: started once, reset by each.
var mocks struct {
	Service, Provider, token string
}

func TestMain(m *testing.M) {
	stop, err := startMocks()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	stop()
	os.Exit(code)
}

// AGENT_AUTH is the command of the program. Without it npx runs that of this project, and installs none.
func startMocks() (stop func(), err error) {
	program := os.Getenv("AGENT_AUTH")
	if program == "" {
		program = "npx --no -- agent-auth"
	}
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	mocks.token = hex.EncodeToString(secret)
	// With the end of its stdin it ends, too: so it does not outlive a test run that was killed.
	line := append(strings.Fields(program), "mock", "up", "--json", "--port", "0", "--until-stdin-ends")
	command := exec.Command(line[0], line[1:]...)
	command.Env = append(os.Environ(), "AGENT_AUTH_CONTROL_TOKEN="+mocks.token)
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		stdin.Close()
		command.Wait()
	}
	// One line of JSON: the URLs, or what is wrong. No line: the program could not start at all.
	var ready struct {
		Event, Service, Provider string
		Error                    struct{ Message string }
	}
	said, _ := bufio.NewReader(stdout).ReadBytes('\n')
	json.Unmarshal(said, &ready)
	if ready.Event != "ready" {
		stop()
		why := ready.Error.Message
		if why == "" {
			why = program + " printed nothing. Type npm install agent-auth here, or set AGENT_AUTH."
		}
		return nil, fmt.Errorf("the mocks did not start: %s", why)
	}
	mocks.Service, mocks.Provider = ready.Service, ready.Provider
	return stop, nil
}

// control is one of the service: GET without a body, POST with one. It fails the test where it is refused.
func control(t *testing.T, path string, body any, answer any) {
	t.Helper()
	method, sent := http.MethodGet, io.Reader(nil)
	if body != nil {
		text, _ := json.Marshal(body)
		method, sent = http.MethodPost, bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, mocks.Service+"/__mock"+path, sent)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+mocks.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", path, response.StatusCode, text)
	}
	if answer != nil {
		if err := json.Unmarshal(text, answer); err != nil {
			t.Fatal(err)
		}
	}
}

type object map[string]any

func reset(t *testing.T) {
	t.Helper()
	control(t, "/reset", object{}, nil)
}

func passTime(t *testing.T, duration string) {
	t.Helper()
	control(t, "/clock", object{"advance": duration}, nil)
}

func setFaults(t *testing.T, names ...string) {
	t.Helper()
	control(t, "/faults", object{"faults": names}, nil)
}

// decide completes, denies or revokes the newest registration, as its user would.
func decide(t *testing.T, what string) {
	t.Helper()
	var all struct {
		Registrations []struct {
			ID string `json:"registration_id"`
		}
	}
	control(t, "/registrations", nil, &all)
	control(t, "/registrations/"+all.Registrations[0].ID+"/"+what, object{}, nil)
}
