"""Runs a command and prints its wall seconds and peak resident megabytes as JSON: REPEATS COMMAND...

The least seconds and the least memory of the repeats are reported; stdout and stderr are discarded
unless the command fails.
"""
import json
import os
import subprocess
import sys
import time


def run_once(command: list[str]) -> tuple[float, float]:
    """Seconds and peak megabytes of one run, from the kernel's own account of the child."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        sys.exit(f"{' '.join(command)}: status {os.waitstatus_to_exitcode(status)}\n{errors.decode()}")
    return seconds, usage.ru_maxrss / 1000


runs = [run_once(sys.argv[2:]) for _ in range(int(sys.argv[1]))]
print(json.dumps({"seconds": round(min(s for s, _ in runs), 4), "peakMB": round(min(m for _, m in runs), 1)}))
