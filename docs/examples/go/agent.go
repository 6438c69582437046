// Package agent is a small agent, to have something to test: it registers, has itself claimed, calls.
package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

var metadataURL = regexp.MustCompile(`resource_metadata="([^"]+)"`)

// Refused is an answer that says no. Code is that of an OAuth error.
type Refused struct {
	Status    int
	Code      string
	challenge string
}

func (r *Refused) Error() string { return fmt.Sprintf("%d %s", r.Status, r.Code) }

// Agent calls one resource for one user.
type Agent struct {
	Resource string
	// Sleep waits; a test has it move the clock of the mocks instead.
	Sleep func(time.Duration)

	server struct {
		TokenEndpoint string   `json:"token_endpoint"`
		Grants        []string `json:"grant_types_supported"`
		AgentAuth     struct {
			Identity string `json:"identity_endpoint"`
			Claim    string `json:"claim_endpoint"`
		} `json:"agent_auth"`
	}
	credentials
}

type credentials struct {
	Assertion  string `json:"identity_assertion"`
	ClaimToken string `json:"claim_token"`
	Token      string `json:"access_token"`
}

// Claim is what the user is shown.
type Claim struct {
	UserCode string `json:"user_code"`
	Page     string `json:"verification_uri"`
	Interval int
}

// Register discovers the service and registers without a user.
func (a *Agent) Register() error {
	var refused *Refused
	if err := a.send(http.MethodGet, a.Resource, "", nil, nil); !errors.As(err, &refused) {
		return fmt.Errorf("%s asks for no token: %v", a.Resource, err)
	}
	found := metadataURL.FindStringSubmatch(refused.challenge)
	if found == nil {
		return fmt.Errorf("the challenge leads nowhere: %s", refused.challenge)
	}
	var resource struct {
		Servers []string `json:"authorization_servers"`
	}
	if err := a.send(http.MethodGet, found[1], "", nil, &resource); err != nil {
		return err
	}
	metadata := resource.Servers[0] + "/.well-known/oauth-authorization-server"
	if err := a.send(http.MethodGet, metadata, "", nil, &a.server); err != nil {
		return err
	}
	return a.postJSON(a.server.AgentAuth.Identity, map[string]string{"type": "anonymous"}, &a.credentials)
}

// StartClaim asks for more access, of the user with this email.
func (a *Agent) StartClaim(email string) (Claim, error) {
	var answer struct {
		Attempt Claim `json:"claim_attempt"`
	}
	body := map[string]string{"claim_token": a.ClaimToken, "email": email}
	err := a.postJSON(a.server.AgentAuth.Claim, body, &answer)
	return answer.Attempt, err
}

// AwaitClaim polls until the user has decided (RFC 8628 §3.5).
func (a *Agent) AwaitClaim(claim Claim) error {
	grant := ""
	for _, each := range a.server.Grants {
		if strings.HasSuffix(each, ":grant-type:claim") {
			grant = each
		}
	}
	interval := time.Duration(claim.Interval) * time.Second
	for {
		a.Sleep(interval)
		var refused *Refused
		err := a.postToken(url.Values{"grant_type": {grant}, "claim_token": {a.ClaimToken}})
		if !errors.As(err, &refused) {
			return err
		}
		switch refused.Code {
		case "slow_down":
			interval += 5 * time.Second
		case "authorization_pending":
		default:
			return err
		}
	}
}

// Call calls the resource, with a new token where the last one no longer works. `invalid_grant` is the end of
// the registration: its user has taken the access back.
func (a *Agent) Call(method string) error {
	if a.Token != "" {
		var refused *Refused
		err := a.send(method, a.Resource, "", nil, nil)
		if !errors.As(err, &refused) || refused.Status != http.StatusUnauthorized {
			return err
		}
		a.Token = ""
	}
	if err := a.postToken(url.Values{"grant_type": {jwtBearer}, "assertion": {a.Assertion}}); err != nil {
		return err
	}
	return a.send(method, a.Resource, "", nil, nil)
}

func (a *Agent) postToken(form url.Values) error {
	body := strings.NewReader(form.Encode())
	return a.send(http.MethodPost, a.server.TokenEndpoint, "application/x-www-form-urlencoded", body, &a.credentials)
}

func (a *Agent) postJSON(to string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return a.send(http.MethodPost, to, "application/json", bytes.NewReader(text), answer)
}

func (a *Agent) send(method, to, contentType string, body io.Reader, answer any) error {
	request, err := http.NewRequest(method, to, body)
	if err != nil {
		return err
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if to == a.Resource && a.Token != "" {
		request.Header.Set("Authorization", "Bearer "+a.Token)
	}
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		problem := struct{ Error string }{}
		json.NewDecoder(response.Body).Decode(&problem)
		return &Refused{response.StatusCode, problem.Error, response.Header.Get("WWW-Authenticate")}
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(answer)
}
