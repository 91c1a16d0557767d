"""What `doctor` prints for people. What the system itself said is quoted as it is, in English."""
from __future__ import annotations

from grader.language import Words
from grader.sandbox import DoctorReport, TierReport


def as_text(report: DoctorReport, words: Words) -> str:
    """Each tier, whether a real worker proved it here, and what the missing ones need."""
    missing, limits = words("doctor.missing"), report.limits
    versions = {
        "system": f"{report.system} {report.kernel}",
        "python": report.python,
        "bubblewrap": report.bubblewrap or missing,
        "libseccomp": report.libseccomp or missing,
        "landlock": report.landlock or missing,
    }
    stated = words(
        "doctor.limits",
        cpu=limits.cpu_seconds,
        call=f"{limits.call_seconds:g}",
        answer=f"{limits.answer_seconds:g}",
        memory=limits.memory_mib,
        threads=limits.threads,
        output=limits.output_kib,
        reply=limits.reply_kib,
    )
    groups = words("doctor.no_groups", reason=report.no_groups) if report.no_groups else words("doctor.groups")
    return "\n".join(
        [
            words("doctor.best", tier=report.tier or words("doctor.none")),
            "",
            *(line for tier in report.tiers for line in _tier(tier, words)),
            "",
            stated,
            groups,
            words("doctor.no_forks", reason=report.no_forks) if report.no_forks else words("doctor.forks"),
            *(f"{words(f'doctor.{name}')}: {value}" for name, value in versions.items()),
        ]
    )


def _tier(report: TierReport, words: Words) -> list[str]:
    mark = "✓" if report.works else "✕"
    lines = [f"{mark} {report.tier:<7} {words(f'doctor.{report.tier}')}"]
    if not report.works:
        advice = {"why_not": report.reason, "what_to_do": report.fix}
        lines += [f"    {words(f'doctor.{key}')}: {text}" for key, text in advice.items() if text]
    return lines
