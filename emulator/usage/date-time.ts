/** ISO 8601 dates and date-times, as the usage API takes them. */

const FORM = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * A date (its midnight) or a date-time in milliseconds since the epoch, without an offset in UTC.
 * @returns undefined when the text is none, or names a day or a time that does not exist
 */
export function parseDateTime(text: string): number | undefined {
  const [, date, time = "00:00", offset = "Z"] = FORM.exec(text) ?? [];
  if (date === undefined) return undefined;
  const wall = Date.parse(`${date}T${withMilliseconds(time)}Z`);
  // Date.parse takes 30 February for 2 March.
  const exists = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(date);
  const minutes = offsetMinutes(offset);
  return exists && minutes !== undefined ? wall - minutes * 60_000 : undefined;
}

/** `HH:MM`, with or without seconds and a fraction, to the millisecond below. */
function withMilliseconds(time: string): string {
  const [hoursAndMinutes = "", seconds = "00"] = [time.slice(0, 5), time.slice(6) || undefined];
  const [whole = "", fraction = ""] = seconds.split(/[.,]/);
  return `${hoursAndMinutes}:${whole}.${fraction.slice(0, 3).padEnd(3, "0")}`;
}

function offsetMinutes(offset: string): number | undefined {
  if (offset.toUpperCase() === "Z") return 0;
  const digits = offset.slice(1).replace(":", "").padEnd(4, "0");
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** The form in which the usage API tells times: whole seconds, UTC. */
export function formatDateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(".000Z", "Z");
}
