import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { compareEachState } from '../../testing/compare-each-state.ts';
import { casesInEachState } from '../../testing/nouns-of-orders.ts';
import { anOperator } from '../../testing/operators.ts';
import { requestOperation } from '../request-operation.ts';
import { allowedActions } from './allowed-actions.ts';

const place = compareEachState(casesInEachState);

test('the remaining daily limit is computed in the currency of the wallet or case', async () => {
  const { domain, merchantId } = place;
  const who = await anOperator(domain, ['finance']);
  const input = { merchantId, amount: '400', bookingNo: randomBytes(6).toString('hex').toUpperCase(), remark: 'r' };
  await requestOperation(domain, who, 'topUpWallet', input, 'a test');
  const wallet = {
    merchantId,
    currency: 'PKR',
    available: '1.00',
    frozen: '0.00',
    withheld: '0.00',
    lastEntryNo: 1,
    updatedAt: 0,
  } as const;
  const [actions = []] = await allowedActions(domain, who, [{ type: 'wallet', wallet }]);
  expect(actions.map(({ name, approvalAbove, approverRoles }) => [name, approvalAbove, approverRoles])).toEqual(
    ['topUpWallet', 'settleWallet', 'adjustWallet'].map((name) => [name, '9600.00', ['finance']]),
  );
});
