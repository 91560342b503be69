"""Counts what was driven and what held; one failed expectation fails the operation it belongs to."""

import sys
import traceback

from ciscoisesdk.exceptions import ApiError


class Mismatch(Exception):
    """The service answered something else than the client was promised."""


def same(what, found, wanted):
    if found != wanted:
        raise Mismatch(f"{what}: expected {wanted!r}, found {found!r}")


def holds(what, condition):
    if not condition:
        raise Mismatch(what)


def refused(what, call, status, words=""):
    """The call must be answered with this status; words must be in the error's title. Returns the error."""
    try:
        call()
    except ApiError as error:
        same(f"{what}: status", error.status_code, status)
        envelope = (error.details or {}).get("ERSResponse", {}) if isinstance(error.details, dict) else {}
        if words:
            titles = " ".join(str(message.get("title")) for message in envelope.get("messages", []))
            holds(f"{what}: {words!r} is not in the error title {titles!r}", words in titles)
        return error
    raise Mismatch(f"{what}: expected status {status}, was accepted")


class Ledger:
    """Operations of the client and how they ended."""

    def __init__(self, mode):
        self.mode = mode
        self.passed = set()
        self.failed = {}
        self.checks = [0, 0]
        self.called = set()

    def check(self, family, operation, title, call):
        """Runs one check of an operation; returns what it returned, or None when it failed."""
        key = f"{family}.{operation}"
        try:
            result = call()
        except Exception as fault:  # whatever the client raises is a finding
            self.checks[1] += 1
            self.failed.setdefault(key, []).append(title)
            kind = "" if isinstance(fault, (Mismatch, ApiError)) else traceback.format_exc()
            print(f"FAILED [{self.mode}] {key}: {title}: {str(fault).strip()[:600]} {kind}", file=sys.stderr)
            return None
        self.checks[0] += 1
        self.passed.add(key)
        return result

    def trace(self, family, client):
        """Notes every public method of the client that is called, so that none can be forgotten."""
        names = [name for name in dir(type(client)) if not name.startswith("_") and callable(getattr(client, name))]
        for name in names:
            method = getattr(client, name)

            def noted(*args, _method=method, _key=f"{family}.{name}", **kwargs):
                self.called.add(_key)
                return _method(*args, **kwargs)

            setattr(client, name, noted)
        return {f"{family}.{name}" for name in names}

    def summary(self, known):
        driven = self.passed | set(self.failed)
        return {
            "mode": self.mode,
            "driven": len(driven),
            "passed": len(driven - set(self.failed)),
            "failed": len(self.failed),
            "checksPassed": self.checks[0],
            "checksFailed": self.checks[1],
            "methods": len(known),
            "notCalled": sorted(known - self.called),
        }
