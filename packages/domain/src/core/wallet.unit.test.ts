import { expect, test } from 'vitest';
import { aWallet } from '../testing/on-paper.ts';
import { evolve } from './events.ts';
import { Money } from './money.ts';
import { stateOf } from './state.ts';
import { type EntryInput, makeEntry, type Wallet, type WalletEntry } from './wallet.ts';

const inr = (text: string): Money => Money.of(text, 'INR');
const change = (available: string, frozen = '0.00', rest: Partial<EntryInput> = {}): EntryInput => ({
  merchantId: 'IN-1',
  type: 'ADJUSTMENT',
  availableChange: inr(available),
  frozenChange: inr(frozen),
  orderNo: null,
  merchantOrderNo: null,
  remark: null,
  bookingNo: 'B-1',
  ...rest,
});

function entered(wallet: Wallet, input: EntryInput, now = 1_000): { wallet: Wallet; entry: WalletEntry } {
  const entry = makeEntry(wallet, input, now);
  if (!entry) throw new Error('refused');
  return { entry, wallet: evolve(stateOf(wallet), { type: 'entry made', entry }).wallet };
}

test('wallet entries are numbered, have both balances, and name the next link of the chain', () => {
  const first = entered(aWallet('IN'), change('100.00'));
  const second = entered(first.wallet, change('-30.00', '30.00'), 2_000);
  expect(first.entry).toMatchObject({
    entryNo: 1,
    availableBefore: '0.00',
    availableAfter: '100.00',
    createdAt: 1_000,
  });
  expect(second.entry).toMatchObject({ entryNo: 2, availableBefore: '100.00', availableAfter: '70.00' });
  expect(second.entry).toMatchObject({ frozenBefore: '0.00', frozenAfter: '30.00', createdAt: 2_000 });
  expect(second.wallet).toMatchObject({ available: '70.00', frozen: '30.00', lastEntryNo: 2 });
  expect(entered(aWallet('IN', { lastBatchNo: 6 }), change('1.00')).entry.batchNo).toBe(7);
});

test.each([
  ['-0.01', '0.00'],
  ['0.00', '-0.01'],
  ['-100.00', '100.00'],
])('a change of %s and %s that would make a balance negative is refused', (available, frozen) => {
  expect(makeEntry(aWallet('IN'), change(available, frozen), 1)).toBeNull();
});

test('a wallet may be emptied', () => {
  expect(makeEntry(aWallet('IN', { available: '5.00' }), change('-5.00'), 1)?.availableAfter).toBe('0.00');
});
