"""Tests of an agent against the mocks: they wait for nothing, because they move the clock."""

import pytest
from agent import AccessEnded, Agent, Refused


@pytest.fixture
def agent(mocks):
    agent = Agent(f"{mocks.service}/api/resource", sleep=mocks.pass_time)
    agent.register()
    return agent


def test_reads_without_a_user(agent):
    assert agent.call()["scope"] == "api.read"
    with pytest.raises(Refused, match="403 insufficient_scope"):
        agent.call("POST")


def test_writes_once_its_user_has_approved(agent, mocks):
    code, page = agent.start_claim("alice@example.com")
    assert len(code) == 6 and page.startswith(mocks.service)
    mocks.complete()
    agent.await_claim()
    assert agent.call("POST")["scope"] == "api.read api.write"


def test_gives_up_when_the_code_has_expired(agent, mocks):
    agent.start_claim("alice@example.com")
    mocks.pass_time(11 * 60)
    with pytest.raises(Refused, match="400 expired_token"):
        agent.await_claim()


def test_gets_a_new_token_when_the_old_one_has_expired(agent, mocks):
    agent.call()
    old = agent.token
    mocks.pass_time(2 * 60 * 60)
    agent.call()
    assert agent.token != old


def test_notices_that_its_user_has_ended_its_access(agent, mocks):
    agent.start_claim("alice@example.com")
    mocks.complete()
    agent.await_claim()
    mocks.revoke()
    with pytest.raises(AccessEnded):
        agent.call()


def test_does_not_hide_that_the_service_is_down(agent, mocks):
    mocks.faults("unavailable")
    with pytest.raises(Refused, match="503"):
        agent.call()


def test_keeps_the_interval_between_polls(agent, mocks):
    naps = []

    def sleep(seconds):
        naps.append(seconds)
        mocks.pass_time(seconds)
        if len(naps) == 3:
            mocks.complete()

    agent.sleep = sleep
    agent.start_claim("alice@example.com")
    agent.await_claim()
    assert naps == [5, 5, 5]
    polls = mocks.exchanges("/oauth2/token")
    assert [poll["status"] for poll in polls] == [400, 400, 200]
    assert polls[0]["response"]["body"]["error"] == "authorization_pending"
