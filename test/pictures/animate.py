"""animate.py DIRECTORY TARGET WIDTH: makes an animated GIF of the frames that DIRECTORY/frames.json lists."""

import json
import sys
from pathlib import Path

from PIL import Image, ImageChops

SHORTEST = 0.12  # Seconds of a frame; what changes faster is left out.
LONGEST = 1.2  # A pause that is longer is cut.
LAST = 3.0
SMALLEST = 150  # Pixels; what changes less, such as a blinking cursor, is left out.
COLORS = 128


def read(path, width):
    with Image.open(path) as image:
        size = (width, round(image.height * width / image.width))
        return image.convert("RGB").resize(size, Image.Resampling.LANCZOS)


def differs(one, other):
    """Whether enough pixels of two images differ visibly."""
    difference = ImageChops.difference(one, other).convert("L").point(lambda value: 255 if value > 24 else 0)
    return difference.histogram()[255] >= SMALLEST


def chosen(frames, directory, width):
    """Images that are shown, each with its seconds."""
    shown = []
    for frame, following in zip(frames, [*frames[1:], None]):
        seconds = 0 if following is None else following["time"] - frame["time"]
        image = read(directory / frame["file"], width)
        if shown and not differs(shown[-1][0], image):
            seconds += shown.pop()[1]
        elif shown and shown[-1][1] < SHORTEST:
            seconds += shown.pop()[1]
        shown.append((image, seconds))
    last = len(shown) - 1
    return [(image, LAST if index == last else min(seconds, LONGEST)) for index, (image, seconds) in enumerate(shown)]


def main(directory, target, width):
    shown = chosen(json.loads((directory / "frames.json").read_text()), directory, width)
    images = [image for image, _ in shown]
    # One palette for all, from a picture of several: else each frame would differ everywhere.
    samples = images[:: max(1, len(images) // 8)]
    sheet = Image.new("RGB", (width, sum(image.height for image in samples)))
    top = 0
    for image in samples:
        sheet.paste(image, (0, top))
        top += image.height
    colors = sheet.quantize(COLORS, method=Image.Quantize.MAXCOVERAGE).getpalette()[: 3 * COLORS]
    # Most of a window is almost white or almost gray, which this method leaves too few colors for.
    grays = [*range(255, 191, -1), *range(184, 0, -8)]
    palette = Image.new("P", (1, 1))
    palette.putpalette([*colors, *(level for gray in grays for level in (gray, gray, gray))])
    indexed = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    durations = [round(seconds * 100) * 10 for _, seconds in shown]
    indexed[0].save(target, save_all=True, append_images=indexed[1:], duration=durations, loop=0, optimize=False)
    print(f"{target.name}: {len(shown)} frames, {sum(durations) / 1000:.0f} s, {target.stat().st_size / 1e6:.2f} MB")


main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
