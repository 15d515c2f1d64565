import { expect, test } from 'vitest';
import { isTimeZone, shiftDays, startOfDay, zoneParts } from './zone-time.ts';

const day = (text: string) => Date.parse(text);
const lengths = (zone: string, grain: 'hour' | 'day', from: string, to: string) =>
  zoneParts(zone, grain, day(from), day(to)).map((part) => (part.to - part.from) / 60_000);

test.each([
  ['UTC', '2026-01-15T00:00Z', '2026-01-17T00:00Z', [1440, 1440]],
  ['Asia/Kolkata', '2026-01-15T00:00+05:30', '2026-01-16T00:00+05:30', [1440]],
  ['Asia/Kolkata', '2026-01-15T00:00Z', '2026-01-16T00:00Z', [1110, 330]],
  ['Asia/Kathmandu', '2026-01-15T00:00+05:45', '2026-01-16T12:00+05:45', [1440, 720]],
  ['America/New_York', '2026-03-08T00:00-05:00', '2026-03-09T00:00-04:00', [1380]],
  ['America/New_York', '2026-11-01T00:00-04:00', '2026-11-02T00:00-05:00', [1500]],
  ['Australia/Lord_Howe', '2026-04-05T00:00+11:00', '2026-04-06T00:00+10:30', [1470]],
  // Clocks go from 24:00 to 01:00: the day begins an hour late.
  ['Africa/Cairo', '2026-04-24T00:00+02:00', '2026-04-25T00:00+03:00', [1380]],
])('the days of %s from %s to %s', (zone, from, to, minutes) => {
  expect(lengths(zone, 'day', from, to)).toEqual(minutes);
});

test.each([
  ['Asia/Kathmandu', '2026-01-15T00:00Z', '2026-01-15T02:00Z', [15, 60, 45]],
  // The hour that comes twice is two, and the half of one that clocks repeat is its own.
  ['America/New_York', '2026-11-01T05:00Z', '2026-11-01T07:00Z', [60, 60]],
  ['Australia/Lord_Howe', '2026-04-04T14:00Z', '2026-04-04T16:30Z', [60, 30, 60]],
  // Clocks go from 02:30 to 03:00: that hour has 30 minutes.
  ['America/Caracas', '2016-05-01T06:30Z', '2016-05-01T08:00Z', [30, 60]],
  ['Australia/Lord_Howe', '2026-10-03T15:00Z', '2026-10-03T17:00Z', [30, 30, 60]],
])('the hours of %s from %s to %s', (zone, from, to, minutes) => {
  expect(lengths(zone, 'hour', from, to)).toEqual(minutes);
});

test.each(['Asia/Kolkata', 'Australia/Lord_Howe', 'America/New_York', 'UTC', 'Africa/Cairo', 'America/St_Johns'])(
  'in %s the parts of a year are consecutive, and each has the start of its hour or day',
  (zone) => {
    const [from, to] = [day('2025-12-31T23:17:01.5Z'), day('2026-12-31T00:00Z')];
    for (const grain of ['day', 'hour'] as const) {
      const parts = zoneParts(zone, grain, from, grain === 'day' ? to : from + 10 * 86_400_000);
      expect(parts[0]?.from).toBe(from);
      for (const [i, part] of parts.entries()) {
        expect(part.to).toBeGreaterThan(part.from);
        const following = parts[i + 1];
        if (following) expect([following.from, following.startsAt]).toEqual([part.to, part.to]);
      }
      expect(parts[0]?.startsAt).toBeLessThan(from);
      expect(parts.at(-1)?.to).toBe(grain === 'day' ? to : from + 10 * 86_400_000);
    }
  },
);

test('only names of zones are accepted', () => {
  for (const zone of ['UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    expect([zone, isTimeZone(zone)]).toEqual([zone, true]);
  for (const zone of [
    '',
    '+05:30',
    'Mars/Base',
    "UTC'; drop",
    'x'.repeat(80),
    'Asia/Kolkata ',
    ' UTC',
    '5Asia/Kolkata',
    'UTC\n',
    'UTC?',
  ])
    expect([zone, isTimeZone(zone)]).toEqual([zone, false]);
});

test.each<[string, 'hour' | 'day', string, string]>([
  ['Asia/Kolkata', 'hour', '2026-01-15T10:17Z', '2026-01-15T09:30Z'],
  ['Asia/Kolkata', 'day', '2026-01-15T10:17Z', '2026-01-14T18:30Z'],
  ['UTC', 'hour', '2026-01-15T10:17Z', '2026-01-15T10:00Z'],
  ['America/New_York', 'day', '2026-03-08T20:00Z', '2026-03-08T05:00Z'],
  // The second of two hours that clocks show as 1 o'clock.
  ['America/New_York', 'hour', '2026-11-01T06:17Z', '2026-11-01T06:00Z'],
  // Clocks were set back half an hour at 15:00 UTC. The repeated half hour is an hour of its own.
  ['Australia/Lord_Howe', 'hour', '2026-04-04T15:10Z', '2026-04-04T15:00Z'],
  ['Australia/Lord_Howe', 'hour', '2026-10-03T15:40Z', '2026-10-03T15:30Z'],
  // Clocks went from 24:00 to 01:00: the day begins there.
  ['Africa/Cairo', 'day', '2026-04-24T10:00Z', '2026-04-23T22:00Z'],
  // A whole day was left out: the day that follows begins there.
  ['Pacific/Apia', 'day', '2011-12-31T00:00Z', '2011-12-30T10:00Z'],
])('in %s the %s of %s began at %s', (zone, grain, at, startsAt) => {
  const [part] = zoneParts(zone, grain, day(at), day(at) + 1);
  expect(new Date(part?.startsAt ?? 0).toISOString()).toBe(new Date(day(startsAt)).toISOString());
});

test.each([
  ['Asia/Kolkata', '2026-01-15T18:29:59.999Z', '2026-01-14T18:30Z'],
  ['Asia/Kolkata', '2026-01-15T18:30Z', '2026-01-15T18:30Z'],
  ['Asia/Bangkok', '2026-01-15T16:59Z', '2026-01-14T17:00Z'],
  ['Africa/Cairo', '2026-04-24T10:00Z', '2026-04-23T22:00Z'],
])('in %s the day of %s began at %s', (zone, at, begins) => {
  expect(new Date(startOfDay(zone, day(at))).toISOString()).toBe(new Date(day(begins)).toISOString());
});

test.each([
  ['Asia/Kolkata', '2026-01-15T10:17:00.123Z', -1, '2026-01-14T10:17:00.123Z'],
  ['America/New_York', '2026-03-08T12:00-04:00', -1, '2026-03-07T12:00-05:00'],
  ['America/New_York', '2026-11-02T00:00-05:00', -1, '2026-11-01T00:00-04:00'],
  ['America/New_York', '2026-11-08T00:00-05:00', -7, '2026-11-01T00:00-04:00'],
  // Clocks skip half past two.
  ['America/New_York', '2026-03-09T02:30-04:00', -1, '2026-03-08T03:00-04:00'],
  ['Africa/Cairo', '2026-04-25T00:00+03:00', -1, '2026-04-24T01:00+03:00'],
])('in %s, %s shifted by %i days is %s', (zone, at, days, shifted) => {
  expect(new Date(shiftDays(zone, day(at), days)).toISOString()).toBe(new Date(day(shifted)).toISOString());
});
