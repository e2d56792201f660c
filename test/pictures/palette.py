"""Writes PNG files again with a palette of 256 colors, which makes screenshots a third of their size: palette.py FILE..."""

import sys

from PIL import Image

for path in sys.argv[1:]:
    Image.open(path).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
