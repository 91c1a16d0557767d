"""Isolation of student code, in three tiers. Knows nothing of exercises.

    with Worker(detect()) as worker:
        worker.load("def double(x): return 2 * x")
        worker.call("double", 21).value  # 42
"""
from grader.sandbox.doctor import DoctorReport, TierReport, detect, doctor
from grader.sandbox.inside.codec import CodecError, Opaque
from grader.sandbox.model import Limits, Outcome, SandboxUnavailable, Tier, limits_for
from grader.sandbox.nursery import Nursery
from grader.sandbox.pool import Pool
from grader.sandbox.worker import Worker

__all__ = [
    "CodecError", "DoctorReport", "Limits", "Nursery", "Opaque", "Outcome", "Pool", "SandboxUnavailable", "Tier",
    "TierReport", "Worker", "detect", "doctor", "limits_for",
]  # fmt: skip
