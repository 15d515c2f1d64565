import { createKeptStore, useStore } from '../state/store.ts';

/** The zone of the browser. */
export const OWN = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Zones to choose from: the browser's, UTC, and those of the merchants' countries. */
export const TIME_ZONES: readonly { value: string; label: string }[] = [
  { value: OWN, label: `This computer (${OWN.replaceAll('_', ' ')})` },
  { value: 'UTC', label: 'UTC' },
  { value: 'Asia/Shanghai', label: 'China (Shanghai)' },
  { value: 'Asia/Bangkok', label: 'Thailand (Bangkok)' },
  { value: 'Asia/Kolkata', label: 'India (Kolkata)' },
  { value: 'Asia/Karachi', label: 'Pakistan (Karachi)' },
].filter(({ value }, at, all) => all.findIndex((one) => one.value === value) === at);

export const timeZone = createKeptStore('tidegate-zone', OWN, (text) => (isZone(text) ? text : null));

/** Whether the browser knows a zone. */
export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The time zone that the operator chose. */
export function useTimeZone(): string {
  return useStore(timeZone);
}
