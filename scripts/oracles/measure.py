"""Runs a command and prints its wall seconds, peak resident megabytes and status as JSON: REPEATS COMMAND...

The least seconds and the least memory of the repeats are reported; stdout and stderr are discarded
unless the command ends by a signal.
"""
import json
import os
import subprocess
import sys
import time


def run_once(command: list[str]) -> tuple[float, float, int]:
    """Seconds, peak megabytes and status of one run, from the kernel's own account of the child."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        sys.exit(f"{' '.join(command)}: signal {-code}\n{errors.decode()}")
    return seconds, usage.ru_maxrss / 1000, code


runs = [run_once(sys.argv[2:]) for _ in range(int(sys.argv[1]))]
seconds, memory, statuses = zip(*runs)
print(json.dumps({"seconds": round(min(seconds), 4), "peakMB": round(min(memory), 1), "status": max(statuses)}))
