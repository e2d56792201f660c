"""Parts of the summaries of columns."""

import math

SAMPLE_ROWS = 1_000_000
BINS = 20
MAX_TOP = 8


def sampled_step(rows):
    """Return the distance between the rows of a sample; 1 if all rows are taken."""
    return max(1, math.ceil(rows / SAMPLE_ROWS))


def histogram_of(numbers):
    """Return the mean and the counts in ranges of equal width of numbers, a list of floats or an array of numpy."""
    if not isinstance(numbers, list):
        return _histogram_of_array(numbers)
    finite = [number for number in numbers if math.isfinite(number)]
    if not finite:
        return None
    low, high = min(finite), max(finite)
    is_flat = low == high or not math.isfinite(high - low)
    counts = [0] * (1 if is_flat else BINS)
    scale = 0 if is_flat else BINS / (high - low)
    for number in finite:
        counts[min(len(counts) - 1, int((number - low) * scale))] += 1
    return {"low": low, "high": high, "counts": counts, "mean": math.fsum(finite) / len(finite)}


def _histogram_of_array(numbers):
    import numpy

    finite = numbers[numpy.isfinite(numbers)]
    if len(finite) == 0:
        return None
    low, high = float(finite.min()), float(finite.max())
    is_flat = low == high or not math.isfinite(high - low)
    counts = [len(finite)] if is_flat else numpy.histogram(finite, bins=BINS, range=(low, high))[0].tolist()
    with numpy.errstate(all="ignore"):
        return {"low": low, "high": high, "counts": counts, "mean": float(finite.mean())}
