"""Prints the rows of scripts/bench-updates as tables: ROWS.jsonl

For each step seconds, peak memory, and the files that were written, by number of customers.
"""
import json
import sys
from pathlib import Path

rows = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
sizes = sorted({row["customers"] for row in rows})
steps = list(dict.fromkeys(row["step"] for row in rows))
found = {(row["step"], row["customers"]): row for row in rows}

for field, title in [("seconds", "seconds"), ("processorSeconds", "seconds of processor time, all threads"),
                     ("peakMB", "peak memory, MB"), ("files", "files written"), ("fileMB", "their megabytes")]:
    print(f"\n== {title}")
    print(f"{'customers':<20}" + "".join(f"{size:>12,}" for size in sizes))
    for step in steps:
        print(f"{step:<20}" + "".join(f"{found[step, size][field]:>12,}" for size in sizes))
