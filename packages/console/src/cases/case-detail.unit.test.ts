import { expect, test } from 'vitest';
import { byHandWords } from '../format/case-words.ts';
import { type CaseDetail, ownTargetOf, stillOut, taskOf } from './case-detail.ts';

const found = (change: object) =>
  ({
    kind: 'LATE',
    state: 'OPEN',
    merchantId: 'TH-1',
    amount: '813.00',
    cameBack: '0.00',
    order: null,
    ...change,
  }) as CaseDetail;
const payin = (status: string) => ({ kind: 'PAYIN', status, orderNo: 'PI1' });

test('money that left is decided without what came back of it', () => {
  expect(stillOut(found({ cameBack: '300.00' }))).toBe('513.00');
  expect(stillOut(found({}))).toBe(null);
  expect(stillOut(found({ cameBack: '300.00', state: 'CHARGED' }))).toBe(null);
});

test('a completed payin takes no more money, so it is not offered', () => {
  expect(ownTargetOf(found({ order: payin('TIMEOUT') }))).toBe('Its order PI1');
  expect(ownTargetOf(found({ kind: 'DOUBLE', order: payin('COMPLETED') }))).toBe(null);
  expect(ownTargetOf(found({ kind: 'PAYOUT_RETURNED', order: { ...payin('COMPLETED'), kind: 'PAYOUT' } }))).not.toBe(
    null,
  );
  expect(taskOf(found({ kind: 'WRONG_AMOUNT', order: payin('COMPLETED') }))).toContain('another order or the wallet');
  expect(taskOf(found({ order: payin('TIMEOUT') }))).toContain('which completes the order');
});

test('money that came back of a payout is not said to be returned while the payee gets it', () => {
  expect(byHandWords.PAYOUT_RETURNED).toMatchObject({ label: 'Sent out again' });
  expect(byHandWords.PAYOUT_UNDERPAID).toMatchObject({ label: 'Paid after all' });
  expect(byHandWords.PAYOUT_PAID_AGAIN).toMatchObject({ label: 'Given back' });
  expect(byHandWords.LATE).toMatchObject({ label: 'Returned by hand' });
});
