"""The folders of `piece_files.py` as transformers 4.57 reads them; run with the packages of .build-oracle alone."""
from encoder_families import piece_files

CASES = {f"four-{name}": write for name, write in piece_files.CASES.items()}
