"""What a lab run was measured on, and the devices that there are to choose from."""
from __future__ import annotations

import importlib.metadata
import os
import platform
from pathlib import Path

import numpy as np
import torch

from solutions.lab.choice import Choice


def environment(choice: Choice) -> dict[str, str]:
    """What the figures were measured on."""
    found = {
        "device": torch.cuda.get_device_name() if choice.device == "cuda" else processor(),
        "processor": f"{os.cpu_count()} x {processor()}",
        "threads": str(torch.get_num_threads()), "python": platform.python_version(), "numpy": np.__version__,
        "torch": torch.__version__, "system": platform.system(),
    }  # fmt: skip
    if "triton" in choice.runs:
        found["triton"] = importlib.metadata.version("triton")
    if hasattr(os, "getloadavg"):
        found["load"] = f"{os.getloadavg()[0]:.1f}"
    return found


def processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def devices() -> dict[str, str]:
    """The devices that PyTorch sees, with their names."""
    found = {"cpu": processor()}
    if torch.cuda.is_available():
        found["cuda"] = torch.cuda.get_device_name()
    if torch.backends.mps.is_available():
        found["mps"] = "Apple GPU"
    return found
