import { createKeptStore, useStore } from './store.ts';

const OWN = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Zones to choose from: the browser's, UTC, and those of the merchants' countries. */
export const TIME_ZONES: readonly { value: string; label: string }[] = [
  { value: OWN, label: `This computer (${OWN.replaceAll('_', ' ')})` },
  { value: 'UTC', label: 'UTC' },
  { value: 'Asia/Shanghai', label: 'China (Shanghai)' },
  { value: 'Asia/Bangkok', label: 'Thailand (Bangkok)' },
  { value: 'Asia/Kolkata', label: 'India (Kolkata)' },
  { value: 'Asia/Karachi', label: 'Pakistan (Karachi)' },
].filter(({ value }, at, all) => all.findIndex((one) => one.value === value) === at);

const isZone = (zone: string) => TIME_ZONES.some(({ value }) => value === zone);

export const timeZone = createKeptStore('tidegate-zone', OWN, (text) => (isZone(text) ? text : null));

/** The time zone that the operator chose. */
export function useTimeZone(): string {
  return useStore(timeZone);
}
