import { randomInt } from 'node:crypto';
import { type FakeServer, type Fate, fateOf, openStore, type Store } from '../../fake-provider/index.ts';
import type { Values } from './hash.ts';

export type PaymentCode = '157' | '121' | '112' | '116' | '131';

export interface Transaction {
  request: Values;
  code: PaymentCode;
  /** What the payer paid, in paisa. */
  paid: string;
  retrievalNo: string;
  authCode: string;
}

export interface Payer {
  confirmSeconds: number;
  /** How long JazzCash's answer to the create comes after the payer's confirmation. */
  answerSeconds: number;
}

export interface Transactions {
  /** References differ by more than capitals. */
  find(reference: string): Transaction | undefined;
  all(): Transaction[];
  /** Stores a new transaction. Resolves when the create is answered. */
  begin(request: Values): Promise<Transaction>;
  change(reference: string, code: PaymentCode): Transaction;
  payer: Payer;
  close(): void;
}

/** The wallet payments of an account. `notify` sends the notification of a payment. */
export function openTransactions(
  server: FakeServer,
  stateFile: string | undefined,
  notify: (transaction: Transaction) => void,
): Transactions {
  const store: Store<Transaction> = openStore(stateFile);
  const payer: Payer = { confirmSeconds: 2, answerSeconds: 0 };
  const find = (reference: string) => store.get(reference.toLowerCase());
  const change = (reference: string, code: PaymentCode, paid?: string): Transaction => {
    const before = find(reference);
    if (!before) throw new Error('no such transaction');
    const after = { ...before, code, paid: paid ?? before.paid };
    store.put(reference.toLowerCase(), after);
    return after;
  };
  const pay = (reference: string, paid: string) => notify(change(reference, '121', paid));
  const wait = (seconds: number) => new Promise<void>((resolve) => server.after(seconds, resolve));

  /** What the payer does. Resolves when JazzCash answers the create. */
  const play = async (reference: string, amount: string): Promise<void> => {
    const fate = fateOfPaisa(amount);
    const { confirmSeconds, answerSeconds } = payer;
    if (isPending(fate)) {
      if (fate !== 'open') server.after(confirmSeconds, () => change(reference, '116'));
      if (fate === 'paid_late') server.after(confirmSeconds + 4, () => pay(reference, amount));
      return wait(0.2);
    }
    await wait(confirmSeconds);
    if (fate === 'fails') change(reference, '112');
    else pay(reference, fate === 'other_amount' ? String(BigInt(amount) + 100n) : amount);
    await wait(answerSeconds);
  };

  // After a restart the payers go on, also those who pay after their time.
  for (const { request, code } of store.all()) {
    const amount = request.pp_Amount ?? '';
    const goesOn = code === '157' || (code === '116' && fateOfPaisa(amount) === 'paid_late');
    if (goesOn) void play(request.pp_TxnRefNo ?? '', amount);
  }
  return {
    find,
    payer,
    change,
    all: () => store.all(),
    async begin(request) {
      const reference = request.pp_TxnRefNo ?? '';
      const amount = request.pp_Amount ?? '';
      const numbers = { retrievalNo: digits(12), authCode: digits(12) };
      store.put(reference.toLowerCase(), { request, code: '157', paid: amount, ...numbers });
      await play(reference, amount);
      return find(reference) as Transaction;
    },
    close: () => store.close(),
  };
}

const fateOfPaisa = (amount: string): Fate => fateOf(`0.${amount.padStart(2, '0').slice(-2)}`);
const isPending = (fate: Fate) => fate === 'open' || fate === 'expires' || fate === 'paid_late';

function digits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('');
}
