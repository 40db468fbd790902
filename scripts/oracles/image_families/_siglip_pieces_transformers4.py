"""The folders of `siglip_pieces.py` as transformers 4.57 reads them; run with the packages of .build-oracle alone."""
from image_families import siglip_pieces

CASES = {f"four-{name}": write for name, write in siglip_pieces.CASES.items()}
