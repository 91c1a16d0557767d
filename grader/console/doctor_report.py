"""What `doctor` prints for people."""
from __future__ import annotations

from grader.sandbox import DoctorReport, TierReport

MEANINGS = {
    "full": "own namespaces, Landlock, system-call filter, resource limits: for grading and for a served class",
    "kernel": "Landlock, system-call filter, resource limits: for grading; for a served class only by setting",
    "basic": "a time limit only, NOT a sandbox: for your own code on your own machine",
}


def as_text(report: DoctorReport) -> str:
    """Each tier, whether a real worker proved it here, and what the missing ones need."""
    limits = report.limits
    lines = [f"Isolation on this machine: {report.tier or 'none'}", ""]
    for tier in report.tiers:
        lines += _tier(tier)
    versions = {
        "system": f"{report.system} {report.kernel}",
        "python": report.python,
        "bubblewrap": report.bubblewrap or "not found",
        "libseccomp": report.libseccomp or "not found",
        "landlock": f"version {report.landlock}" if report.landlock else "not available",
    }
    return "\n".join(
        [
            *lines,
            "",
            f"Limits of one answer: {limits.cpu_seconds} s of computing, {limits.call_seconds:g} s a call, "
            f"{limits.answer_seconds:g} s in all, {limits.memory_mib} MiB of memory, {limits.threads} threads, "
            f"{limits.output_kib} KiB of printed text, {limits.reply_kib} KiB a reply",
            *(f"{name}: {value}" for name, value in versions.items()),
        ]
    )


def _tier(report: TierReport) -> list[str]:
    mark = "✓" if report.works else "✕"
    lines = [f"{mark} {report.tier:<7} {MEANINGS[report.tier]}"]
    advice = {"why not": report.reason, "what to do": report.fix}
    return lines + [f"    {label}: {text}" for label, text in advice.items() if not report.works and text]
