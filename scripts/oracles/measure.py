"""Runs a command and prints its wall seconds, seconds of processor time, peak resident megabytes, megabytes written to
files and status as JSON: REPEATS COMMAND...

The least of each over the repeats is reported, and what the last one said on stderr; stdout is discarded.
"""
import json
import os
import subprocess
import sys
import time


def run_once(command: list[str]) -> tuple[float, float, float, float, int, str]:
    """Seconds, of them on processors, peak and written megabytes, status and stderr, by the kernel's own account."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        sys.exit(f"{' '.join(command)}: signal {-code}\n{errors}")
    processor = usage.ru_utime + usage.ru_stime
    return seconds, processor, usage.ru_maxrss / 1000, usage.ru_oublock * 512 / 1e6, code, errors


runs = [run_once(sys.argv[2:]) for _ in range(int(sys.argv[1]))]
seconds, processor, memory, written, statuses, errors = zip(*runs)
print(json.dumps({"seconds": round(min(seconds), 4), "processorSeconds": round(min(processor), 4),
                  "peakMB": round(min(memory), 1), "writtenMB": round(min(written), 2),
                  "status": max(statuses), "errors": errors[-1]}))
