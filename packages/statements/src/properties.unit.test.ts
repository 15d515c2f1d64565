import type { StatementOptions } from '@tidegate/domain/reconciliation';
import { StatementUnreadable } from '@tidegate/domain/reconciliation';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvProfiles } from './csv/profiles.ts';
import { formats } from './formats.ts';
import { asDecimal } from './reading/amounts.ts';
import { type BillRow, billText, billZip, gbk } from './testing/alipay-bill.ts';
import { camtDetail, camtDocument, camtEntry, camtStatement } from './testing/camt053.ts';
import { formatOf, inPieces, readAll } from './testing/read-all.ts';
import { reconItem, reconPage } from './testing/recon.ts';

const depth = Number(process.env.TIDEGATE_TEST_DEPTH ?? 1);
const [profile] = csvProfiles;
const optionsOf = (currency: string): StatementOptions => ({
  currency,
  timeZone: 'Asia/Bangkok',
  ...(profile && { profile }),
});

/** A movement, which a writer of each format writes. */
const movement = fc.record({
  orderNo: fc.stringMatching(/^[A-Z0-9]{1,16}$/).map((text) => `P${text}`),
  amount: fc.bigInt(1n, 99_999_999_999n),
  isIn: fc.boolean(),
  day: fc.integer({ min: 1, max: 30 }).map((day) => `2026-11-${String(day).padStart(2, '0')}`),
});
type Movement = (typeof movement extends fc.Arbitrary<infer T> ? T : never) & object;
const movements = fc.array(movement, { maxLength: 12 });

interface Writer {
  format: string;
  currency: string;
  write(movements: readonly Movement[]): string | Buffer;
}

const writers: readonly Writer[] = [
  { format: 'razorpay-recon', currency: 'INR', write: (all) => reconPage(all.map(reconOf)) },
  { format: 'camt.053', currency: 'THB', write: (all) => camtDocument([camtStatement(all.map(camtOf))]) },
  { format: 'mt940', currency: 'INR', write: writeMt940 },
  { format: 'bai2', currency: 'USD', write: writeBai2 },
  { format: 'alipay-bill', currency: 'CNY', write: (all) => gbk(writeBill(all)) },
];

function reconOf({ orderNo, amount, isIn, day }: Movement) {
  const settled = Date.parse(`${day}T05:00:00Z`) / 1_000;
  const paise = Number(amount);
  const moved = isIn ? { type: 'payment', credit: paise, debit: 0 } : { type: 'refund', credit: 0, debit: paise };
  const fees = { fee: 0, tax: 0, settled_at: settled, entity_id: `x_${orderNo}` };
  return { ...reconItem, ...moved, ...fees, amount: paise, order_receipt: orderNo };
}

function camtOf({ orderNo, amount, isIn, day }: Movement) {
  const mark = isIn ? 'CRDT' : 'DBIT';
  return camtEntry({ amount: asDecimal(amount), mark, day, details: camtDetail(orderNo) });
}

function writeMt940(all: readonly Movement[]): string {
  const rows = all.map(({ orderNo, amount, isIn, day }) => {
    const date = day.slice(2).replaceAll('-', '');
    return `:61:${date}${isIn ? 'C' : 'D'}${asDecimal(amount).replace('.', ',')}NTRFNONREF\n:86:/EREF/${orderNo}/`;
  });
  return [':20:X', ':25:1', ':60F:C261101INR0,', ...rows, ':62F:C261130INR0,', '-', ''].join('\n');
}

function writeBai2(all: readonly Movement[]): string {
  const rows = all.map(({ orderNo, amount, isIn }) => `16,${isIn ? 165 : 495},${amount},,,${orderNo}/`);
  const sum = all.reduce((total, { amount }) => total + amount, 0n);
  const n = rows.length;
  const start = ['01,A,B,261102,0600,1,,,2/', '02,B,A,1,261101,,USD,2/', '03,1,,,,,/', ...rows];
  return [...start, `49,${sum},${n + 2}/`, `98,${sum},1,${n + 4}/`, `99,${sum},1,${n + 6}/`].join('\n');
}

function writeBill(all: readonly Movement[]): string {
  const rows = all.map(
    ({ orderNo, amount, isIn, day }): BillRow => ({
      tradeNo: `T${orderNo}`,
      orderNo,
      type: isIn ? '交易' : '退款',
      at: `${day} 12:00:00`,
      fee: '0',
      received: asDecimal(isIn ? amount : -amount),
      refundNo: isIn ? '' : `R${orderNo}`,
    }),
  );
  const total = (isIn: boolean) => {
    const some = all.filter((one) => one.isIn === isIn);
    return `${some.length}笔，商家实收${isIn ? '' : '退款'}共${asDecimal(some.reduce((sum, { amount }) => sum + amount, 0n))}`;
  };
  return billText(rows, { payins: total(true), refunds: total(false) });
}

test.each(writers)(
  '$format: a written statement is read back, however its bytes are divided',
  async ({ format, currency, write }) => {
    await fc.assert(
      fc.asyncProperty(movements, fc.integer({ min: 1, max: 300 }), async (all, size) => {
        const content = inPieces(Buffer.from(write(all)), size);
        const { lines, unparsed } = await readAll(formatOf(format), content, optionsOf(currency));
        expect(unparsed).toEqual([]);
        expect(lines.map(({ orderNo, net, direction }) => [orderNo, net, direction])).toEqual(
          all.map(({ orderNo, amount, isIn }) => [orderNo, asDecimal(amount), isIn ? 'in' : 'out']),
        );
        // A group of BAI2 has one day for all.
        if (format !== 'bai2') expect(lines.map(({ bookedOn }) => bookedOn)).toEqual(all.map(({ day }) => day));
      }),
      { numRuns: 15 * depth },
    );
  },
);

/** Reads to the end or to a refusal. Anything else that is thrown fails the test. */
async function tryToRead(name: string, bytes: Uint8Array): Promise<void> {
  try {
    const { lines } = await readAll(formatOf(name), bytes, optionsOf('INR'));
    for (const line of lines) {
      expect([line.gross, line.fee, line.tax, line.net].every((text) => /^\d+\.\d\d$/.test(text))).toBe(true);
      expect(line.bookedOn).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  } catch (error) {
    if (!(error instanceof StatementUnreadable)) throw error;
  }
}

const examples: readonly Movement[] = [
  { orderNo: 'P1', amount: 12_345n, isIn: true, day: '2026-11-01' },
  { orderNo: 'P2', amount: 100n, isIn: false, day: '2026-11-02' },
];
const seeds: Readonly<Record<string, Buffer>> = {
  ...Object.fromEntries(writers.map(({ format, write }) => [format, Buffer.from(write(examples))])),
  csv: Buffer.from(`${Object.values(profile?.columns ?? {}).join(',')},Transaction Status\n1,"2,3\n`),
  'razorpayx-statement': Buffer.from(reconPage([{ id: 'txn_1', currency: 'INR', credit: 1, debit: 0, balance: 1 }])),
  'opn-transactions': Buffer.from('{"data":[{"object":"transaction","amount":1,"currency":"INR"}],"total":1}'),
  zip: billZip(writeBill(examples)),
};

test.each(formats)('$name: random bytes lead to lines or a refusal, never to an error', async ({ name }) => {
  const anything = fc.uint8Array({ maxLength: 300 });
  // A good file with a part that is replaced by other bytes, also of itself.
  const seed = fc
    .constantFrom(...(name === 'alipay-bill' ? ['zip', name] : [name]))
    .map((key) => seeds[key] ?? Buffer.of());
  const broken = fc
    .tuple(seed, fc.nat(), fc.nat(40), fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.constant(Buffer.from('"\n:{</'))))
    .map(([bytes, at, length, part]) => {
      const start = bytes.length === 0 ? 0 : at % bytes.length;
      return Buffer.concat([bytes.subarray(0, start), part, bytes.subarray(start + length)]);
    });
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 1, arbitrary: anything }, { weight: 4, arbitrary: broken }), (bytes) =>
      tryToRead(name, bytes),
    ),
    { numRuns: 60 * depth },
  );
});
