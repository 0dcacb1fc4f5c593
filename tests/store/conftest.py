"""Settings of the store's tests."""

import os

import pytest


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch):
    """Let sync return at once: what it guards against, a power cut, no test can see."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
