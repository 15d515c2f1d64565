import { currencyOf } from '../../../packages/domain/src/index.ts';
import { type BankEntry, bankStatement } from '../../../tools/sandbox/src/demo/bank-statement.ts';
import { day, type SeededChannel } from './seed-day.ts';

// The statements of a day, with faults whose breaks are known.

export interface DayStatement {
  format: 'camt.053' | 'csv:jazzcash';
  name: string;
  content: string;
  /** Each break as `kind amount`. */
  breaks: string[];
  /** What its lines in our currency come to, in minor units, with their charges. */
  net: bigint;
}

const minor = (amount: string): bigint => BigInt(amount.replace('.', ''));
const text = (amount: bigint): string => {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

export function statementOf(seeded: SeededChannel): DayStatement {
  return seeded.country === 'PK' ? csvOf(seeded) : camtOf(seeded);
}

/** Ten faults of seven kinds. */
function camtOf({ country, channelId, orders, open }: SeededChannel): DayStatement {
  const payins = orders.filter(({ kind }) => kind === 'payin');
  const [lost1, lost2, other1, other2, twice, back] = payins;
  if (!lost1 || !lost2 || !other1 || !other2 || !twice || !back) throw new Error('too few orders');
  const line = ({ orderNo, reference, amount }: (typeof orders)[number], more: Partial<BankEntry> = {}): BankEntry => ({
    day,
    amount,
    reference,
    orderNo,
    ...more,
  });
  const changed = new Set([lost1, lost2, other1, other2]);
  const entries: BankEntry[] = [
    ...orders
      .filter((one) => !changed.has(one))
      .map((one) => line(one, one.kind === 'payout' ? { what: 'payout' } : {})),
    line(other1, { amount: '1000.01' }),
    line(other2, { amount: '1000.02' }),
    line(twice),
    { day, amount: '11.11', reference: `${channelId}-unknown-1` },
    { day, amount: '12.12', reference: `${channelId}-unknown-2` },
    { day, amount: '1.25', reference: `${channelId}-charge`, what: 'charge' },
    { day, amount: back.amount, reference: `${channelId}-back`, what: 'reversal' },
    { day, amount: open.amount, reference: `${channelId}-open`, orderNo: open.orderNo },
  ];
  const net = entries.reduce(
    (sum, { amount, what }) => sum + (what === undefined ? minor(amount) : -minor(amount)),
    0n,
  );
  return {
    format: 'camt.053',
    name: `${channelId}.xml`,
    content: bankStatement({ account: channelId, currency: currencyOf[country], from: day, to: day, entries }),
    net,
    breaks: [
      `missing_at_channel ${text(-minor(lost1.amount))}`,
      `missing_at_channel ${text(-minor(lost2.amount))}`,
      `amount ${text(100_001n - minor(other1.amount))}`,
      `amount ${text(100_002n - minor(other2.amount))}`,
      `duplicate ${twice.amount}`,
      'missing_in_ledger 11.11',
      'missing_in_ledger 12.12',
      'fee -1.25',
      `late_reversal ${text(-minor(back.amount))}`,
      `status ${open.amount}`,
    ],
  };
}

/** Ten faults of eight kinds. A file of its provider has charges within lines, another currency, and states that a person has to look at. */
function csvOf({ channelId, orders }: SeededChannel): DayStatement {
  const payins = orders.filter(({ kind }) => kind === 'payin');
  const [lost, other, foreign, twice, back, charged] = payins;
  if (!lost || !other || !foreign || !twice || !back || !charged) throw new Error('too few orders');
  const head =
    'Transaction Date Time,Transaction Amount,Fee,Sales Tax,Currency,Transaction Type,Transaction Reference Number,Retrieval Reference Number,Transaction Status';
  const row = (
    reference: string,
    amount: string,
    more: { fee?: string; currency?: string; type?: string; status?: string } = {},
  ) =>
    [
      `${day} 12:00:00`,
      amount,
      more.fee ?? '0.00',
      '0.00',
      more.currency ?? 'PKR',
      more.type ?? 'payment',
      reference,
      '',
      more.status ?? 'Completed',
    ].join(',');
  const changed = new Set([lost, other, foreign, charged]);
  const rows = [
    ...orders
      .filter((one) => !changed.has(one))
      .map((one) => row(one.reference, one.amount, one.kind === 'payout' ? { type: 'refund' } : {})),
    row(other.reference, '1000.01'),
    row(foreign.reference, foreign.amount, { currency: 'USD' }),
    row(twice.reference, twice.amount),
    row(charged.reference, charged.amount, { fee: '2.50' }),
    row(`${channelId}-unknown`, '11.11'),
    row(`${channelId}-back`, back.amount, { type: 'refund' }),
    row(`${channelId}-looked-at-1`, '5.00', { status: 'Reversed' }),
    row(`${channelId}-looked-at-2`, '6.00', { status: 'Reversed' }),
    row(`${channelId}-looked-at-3`, '7.00', { status: 'Reversed' }),
  ];
  const kept = orders.filter((one) => ![lost, other, foreign].includes(one));
  const sum = kept.reduce((all, one) => all + (one.kind === 'payin' ? minor(one.amount) : -minor(one.amount)), 0n);
  return {
    format: 'csv:jazzcash',
    name: `${channelId}.csv`,
    content: `${[head, ...rows].join('\n')}\n`,
    net: sum + 100_001n + minor(twice.amount) - 250n + 1_111n - minor(back.amount),
    breaks: [
      `missing_at_channel ${text(-minor(lost.amount))}`,
      `amount ${text(100_001n - minor(other.amount))}`,
      `currency ${text(-minor(foreign.amount))}`,
      `duplicate ${twice.amount}`,
      'fee -2.50',
      'missing_in_ledger 11.11',
      `late_reversal ${text(-minor(back.amount))}`,
      'unparsed 0.00',
      'unparsed 0.00',
      'unparsed 0.00',
    ],
  };
}
