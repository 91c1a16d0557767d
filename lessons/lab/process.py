"""A lab worker as the app sees it: started, read line by line, and ended with all that it has started."""
from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
COMMAND = (sys.executable, "-m", "lessons.lab.worker")
ONE_THREAD = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
    "TORCHINDUCTOR_COMPILE_THREADS": "1",  # else torch.compile keeps a pool of processes
}  # fmt: skip
BELOW_NORMAL = 0x4000  # Windows' priority class


class Worker:
    """One process for one request. `told` is called with each event, from a thread of its own."""

    def __init__(
        self, request: dict[str, Any], told: Callable[[dict[str, Any]], None], command: Sequence[str] = COMMAND
    ) -> None:
        posix = os.name == "posix"
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | ONE_THREAD, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            start_new_session=posix, creationflags=0 if posix else BELOW_NORMAL,
        )  # fmt: skip
        self._told = told
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it may have ended already; its exit code tells
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait(self, seconds: float) -> bool:
        """Waits for its end, so long at most; whether it has ended, and all its lines were told."""
        self._reader.join(seconds)
        return not self._reader.is_alive()

    def kill(self) -> None:
        """End it and what it has started. May be called again."""
        if self._process.returncode is None:  # nobody has asked for its end yet, so its number is no one else's
            if os.name == "posix":
                with contextlib.suppress(ProcessLookupError, PermissionError):  # it had ended
                    os.killpg(self.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # what was written to one that is gone
                    pipe.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with contextlib.suppress(json.JSONDecodeError):  # half a line of one that was killed
                self._told(json.loads(line))
