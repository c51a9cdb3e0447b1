/**
 * ISO 8601 dates and date-times, as the usage API takes them. The action reads its inputs by a parser of its own: what
 * that gets wrong should not be wrong here too. This one also takes a comma before the fraction, as ISO 8601 does.
 */

const FORM =
  /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:(?<=:\d\d:\d\d)[.,](\d{1,9}))?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?$/i;

/**
 * A date (its midnight) or a date-time in milliseconds since the epoch, without an offset in UTC.
 * @returns undefined when the text is none, or names a day or a time that does not exist
 */
export function parseDateTime(text: string): number | undefined {
  const [, date, time = "00:00", fraction = "", sign, offsetHours = "0", offsetMinutes = "0"] =
    FORM.exec(text) ?? [];
  if (date === undefined) return undefined;
  const wall = Date.parse(`${date}T${time}Z`);
  // Date.parse takes 30 February for 2 March, and 24:00 for the next day.
  const exists = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(date);
  if (!exists || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  return wall + Number(fraction.slice(0, 3).padEnd(3, "0")) - (sign === "-" ? -offset : offset);
}

/** The form in which the usage API tells times: whole seconds, UTC. */
export function formatDateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(".000Z", "Z");
}
