import type { Translate } from "./dates.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A length of time in its two biggest units: `0.4 s`, `36 s`, `5 min 12 s`, `1 h 30 min`, `2 d 4 h`. */
export function duration(milliseconds: number, translate: Translate): string {
  const length = Math.max(0, milliseconds);
  if (length < second) {
    return translate("{0} s", (length / second).toFixed(1));
  }
  const seconds = Math.round(length / second) * second;
  if (seconds < minute) {
    return translate("{0} s", seconds / second);
  }
  if (seconds < hour) {
    const rest = (seconds % minute) / second;
    const whole = translate("{0} min", Math.floor(seconds / minute));
    return rest === 0 ? whole : `${whole} ${translate("{0} s", rest)}`;
  }
  if (seconds < day) {
    const rest = Math.floor((seconds % hour) / minute);
    const whole = translate("{0} h", Math.floor(seconds / hour));
    return rest === 0 ? whole : `${whole} ${translate("{0} min", rest)}`;
  }
  const rest = Math.floor((seconds % day) / hour);
  const whole = translate("{0} d", Math.floor(seconds / day));
  return rest === 0 ? whole : `${whole} ${translate("{0} h", rest)}`;
}
