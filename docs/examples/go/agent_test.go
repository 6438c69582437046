package agent

import (
	"fmt"
	"testing"
	"time"
)

func newAgent(t *testing.T) *Agent {
	t.Helper()
	reset(t)
	agent := &Agent{
		Resource: mocks.Service + "/api/resource",
		Sleep:    func(nap time.Duration) { passTime(t, fmt.Sprintf("%ds", int(nap.Seconds()))) },
	}
	must(t, agent.Register())
	return agent
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mustFail(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Fatalf("got %v, want %s", err, want)
	}
}

func claimed(t *testing.T) *Agent {
	t.Helper()
	agent := newAgent(t)
	claim, err := agent.StartClaim("alice@example.com")
	must(t, err)
	decide(t, "complete")
	must(t, agent.AwaitClaim(claim))
	return agent
}

func TestReadsWithoutAUser(t *testing.T) {
	agent := newAgent(t)
	must(t, agent.Call("GET"))
	mustFail(t, agent.Call("POST"), "403 insufficient_scope")
}

func TestWritesOnceItsUserHasApproved(t *testing.T) {
	must(t, claimed(t).Call("POST"))
}

func TestGivesUpWhenTheCodeHasExpired(t *testing.T) {
	agent := newAgent(t)
	claim, err := agent.StartClaim("alice@example.com")
	must(t, err)
	passTime(t, "11m")
	mustFail(t, agent.AwaitClaim(claim), "400 expired_token")
}

func TestNoticesThatItsUserHasEndedItsAccess(t *testing.T) {
	agent := claimed(t)
	decide(t, "revoke")
	mustFail(t, agent.Call("GET"), "400 invalid_grant")
}

func TestDoesNotHideThatTheServiceIsDown(t *testing.T) {
	agent := newAgent(t)
	setFaults(t, "unavailable")
	err := agent.Call("GET")
	if refused, ok := err.(*Refused); !ok || refused.Status != 503 {
		t.Fatalf("got %v, want 503", err)
	}
}
