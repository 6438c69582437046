import pytest
from mocks import Mocks


@pytest.fixture(scope="session")
def running_mocks():
    """Started once for all tests: that takes about a second."""
    mocks = Mocks("--lifetime", "userCode=10m")
    yield mocks
    mocks.close()


@pytest.fixture
def mocks(running_mocks):
    """As if just started: no registrations, the true time, no faults."""
    running_mocks.reset()
    return running_mocks
