const fiveHours = 5 * 60 * 60_000;

/** A moment as `yyyyMMddHHmmss` in Pakistan time: UTC+5, without summer time since 2009. */
export function pakistanTime(unixMs: number): string {
  return new Date(unixMs + fiveHours).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '');
}

/** The moment of a `yyyyMMddHHmmss` in Pakistan time, in Unix milliseconds; null for other text. */
export function readPakistanTime(text: string): number | null {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}+05:00`);
  return Number.isNaN(moment) ? null : moment;
}
