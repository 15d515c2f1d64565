import { expect, test } from 'vitest';
import {
  type ChannelMode,
  isSeenStill,
  modeOfParts,
  modeOfSigns,
  modeThatCounts,
  problemOfMode,
} from './environment.ts';

test.each([
  [[], 'unknown'],
  [['live'], 'live'],
  [['live', 'live'], 'live'],
  [['test'], 'test'],
  [['live', 'unknown'], 'unknown'],
  [['test', 'unknown'], 'test'],
  [['live', 'test'], 'mixed'],
  [['live', 'unknown', 'test'], 'mixed'],
] as const)('an account with the signs %j is %s', (signs, mode) => {
  expect(modeOfSigns(signs)).toBe(mode);
});

test('a declaration counts only where the adapter sees no mode', () => {
  expect(modeThatCounts('unknown', 'live')).toBe('live');
  expect(modeThatCounts('unknown', null)).toBe('unknown');
  expect(modeThatCounts('test', 'live')).toBe('test');
  expect(modeThatCounts('mixed', 'live')).toBe('mixed');
});

test.each([
  ['production', 'live', true],
  ['production', 'test', false],
  ['production', 'mixed', false],
  ['production', 'unknown', false],
  ['sandbox', 'live', false],
  ['sandbox', 'test', true],
  ['sandbox', 'mixed', false],
  ['sandbox', 'unknown', true],
] as const)('in %s a channel whose mode is %s can be used: %s', (environment, mode, isUsable) => {
  expect(problemOfMode(environment, mode) === null).toBe(isUsable);
});

// A process that can read only some keys of an account: what they show, what was seen of all, and the mode.
test.each<[ChannelMode, ChannelMode | null, ChannelMode]>([
  ['unknown', null, 'unknown'],
  ['unknown', 'live', 'live'],
  ['unknown', 'test', 'test'],
  ['live', 'live', 'live'],
  ['live', 'mixed', 'mixed'],
  ['live', 'test', 'mixed'],
  ['live', 'unknown', 'unknown'],
  ['test', 'live', 'test'],
  ['mixed', 'live', 'mixed'],
  ['live', null, 'live'],
])('keys that show %s, of an account that was seen as %s: %s', (shown, seen, mode) => {
  expect(modeOfParts(shown, seen)).toBe(mode);
});

test('what was seen of an account counts for its adapter and host only', () => {
  const seen = { mode: 'live', adapter: 'opn', baseUrl: 'https://api.omise.co' } as const;
  expect(isSeenStill(seen, { adapter: 'opn', baseUrl: 'https://api.omise.co' })).toBe(true);
  expect(isSeenStill(seen, { adapter: 'opn', baseUrl: 'https://other.test' })).toBe(false);
  expect(isSeenStill(seen, { adapter: 'alipay', baseUrl: 'https://api.omise.co' })).toBe(false);
});
