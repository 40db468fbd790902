"""Runs a command and prints its wall seconds, peak resident megabytes and status as JSON: REPEATS COMMAND...

The least seconds and the least memory of the repeats are reported, and what the last one said on
stderr; stdout is discarded.
"""
import json
import os
import subprocess
import sys
import time


def run_once(command: list[str]) -> tuple[float, float, int, str]:
    """Seconds, peak megabytes, status and stderr of one run, from the kernel's own account of it."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        sys.exit(f"{' '.join(command)}: signal {-code}\n{errors}")
    return seconds, usage.ru_maxrss / 1000, code, errors


runs = [run_once(sys.argv[2:]) for _ in range(int(sys.argv[1]))]
seconds, memory, statuses, errors = zip(*runs)
print(json.dumps({"seconds": round(min(seconds), 4), "peakMB": round(min(memory), 1),
                  "status": max(statuses), "errors": errors[-1]}))
