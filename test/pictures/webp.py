"""Replaces PNG files by lossless WebP files with a palette of 128 colors, a fifth of their size: webp.py FILE..."""

import sys
from pathlib import Path

from PIL import Image

for path in map(Path, sys.argv[1:]):
    picture = Image.open(path).convert("RGB").quantize(128, dither=Image.Dither.NONE).convert("RGB")
    picture.save(path.with_suffix(".webp"), lossless=True, quality=100, method=6)
    path.unlink()
