import { expect, test } from 'vitest';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import { openChannelHealth } from './channel-health.ts';

const noAnswer: ChannelAnswer = { outcome: 'unknown', why: 'no_answer', detail: '' };
const notFound: ChannelAnswer = { outcome: 'unknown', why: 'not_found', detail: '' };

test('a channel counts as hanging after ten unanswered calls in a row, until its next answer', () => {
  const health = openChannelHealth();
  for (let n = 0; n < 9; n++) health.record('A', noAnswer, 8_000);
  expect(health.isHanging('A')).toBe(false);
  health.record('A', noAnswer, 8_000);
  expect([health.isHanging('A'), health.isHanging('B')]).toEqual([true, false]);
  health.record('A', notFound, 20);
  expect(health.isHanging('A')).toBe(false);
  for (let n = 0; n < 9; n++) health.record('A', noAnswer, 8_000);
  expect(health.isHanging('A')).toBe(false);
});

test('calls that fail at once do not count as hanging', () => {
  const health = openChannelHealth();
  for (let n = 0; n < 100; n++) health.record('A', noAnswer, 5);
  expect(health.isHanging('A')).toBe(false);
});

test('the number of channels in memory is limited', () => {
  const health = openChannelHealth();
  for (let n = 0; n < 10; n++) health.record('A', noAnswer, 8_000);
  for (let n = 0; n < 1_000; n++) health.record(`other ${n}`, noAnswer, 8_000);
  expect(health.isHanging('A')).toBe(false);
});
