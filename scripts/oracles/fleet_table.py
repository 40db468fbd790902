"""Prints the rows of scripts/bench-fleet as tables: ROWS.jsonl

For each step seconds, peak memory and bytes written by number of customers, how each grows from one number to the
next, and the aims beside what was reached.
"""
import json
import sys
from pathlib import Path

rows = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
sizes = sorted({row["customers"] for row in rows})
steps = list(dict.fromkeys(row["step"] for row in rows))
found = {(row["step"], row["customers"]): row for row in rows}

for field, title in [("seconds", "seconds"), ("processorSeconds", "seconds of processor time, all threads"),
                     ("peakMB", "peak memory, MB"), ("writtenMB", "written, MB")]:
    print(f"\n== {title}")
    print(f"{'customers':<20}" + "".join(f"{size:>12,}" for size in sizes) + "  growth")
    for step in steps:
        values = [found[step, size][field] for size in sizes]
        growth = [f"{after / before:.1f}" if before else "-" for before, after in zip(values, values[1:])]
        print(f"{step:<20}" + "".join(f"{value:>12.3f}" for value in values) + "  × " + ", × ".join(growth))

print("\n== each further customer, milliseconds")
for step in steps:
    each = [(found[step, after]["seconds"] - found[step, before]["seconds"]) / (after - before) * 1000
            for before, after in zip(sizes, sizes[1:])]
    print(f"{step:<20}" + " " * 12 + "".join(f"{value:>12.3f}" for value in each))

print("\n== aims")
if 1000 in sizes:
    print(f"unchanged rebuild of 1,000 under 1 s: {found['unchanged', 1000]['seconds']:.3f} s")
if len(sizes) > 1:
    before, after = sizes[-2:]
    cost = (found["packing only", after]["seconds"] - found["packing only", before]["seconds"]) / (after - before)
    print(f"customer who shares all models under 2 ms: {cost * 1000:.3f} ms")
    memory = found["cold", after]["peakMB"] / found["cold", before]["peakMB"]
    print(f"memory flat: × {memory:.2f} from {before:,} to {after:,} customers")
