import { expect, test } from 'vitest';
import { stateOfCode, stateOfInquiry, stateOfRefund } from './mapping.ts';

test.each([
  [['000', '121'], 'paid'],
  [['124', '157', '210'], 'pending'],
  [['101', '105', '110', '111', '115', '118'], 'refused'],
  [['112', '129'], 'failed'],
  [['055', '058', '062', '134', '199', '403', '406', '999', '122', '004', '777', ''], 'unknown'],
])('the codes %j mean the state %s', (codes, state) => {
  expect(codes.map(stateOfCode)).toEqual(codes.map(() => state));
});

test.each([
  ['121', 'Completed', 'paid'],
  ['000', 'Completed', 'paid'],
  ['121', '', 'paid'],
  ['157', 'Pending', 'pending'],
  ['112', 'Failed', 'failed'],
  ['105', '', 'failed'],
  ['116', 'Failed', 'expired'],
  ['131', 'Completed', 'refunded'],
  // The final status of the gateway decides where the code is unknown.
  ['004', 'Failed', 'failed'],
  ['134', 'Failed', 'failed'],
  ['134', '', 'unknown'],
  ['199', 'Pending', 'unknown'],
  // Contradictions.
  ['121', 'Failed', 'unknown'],
  ['121', 'Pending', 'unknown'],
  ['112', 'Completed', 'unknown'],
  ['157', 'Failed', 'unknown'],
  ['', 'Completed', 'unknown'],
  ['121', 'Maybe', 'unknown'],
])('an inquiry with the code %j and the status %j means %s', (code, status, state) => {
  expect(stateOfInquiry(code, status)).toBe(state);
});

test('a refund is refused only by codes that prove that nothing was refunded', () => {
  expect(stateOfRefund('000')).toEqual({ state: 'refunded' });
  expect(stateOfRefund('451')).toMatchObject({ state: 'refused' });
  for (const code of ['199', '058', '999', '121', 'x']) expect(stateOfRefund(code)).toEqual({ state: 'unknown' });
});
