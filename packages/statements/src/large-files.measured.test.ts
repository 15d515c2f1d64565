import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { StatementOptions } from '@tidegate/domain/reconciliation';
import { expect, test } from 'vitest';
import { csvProfiles } from './csv/profiles.ts';
import { camtDetail, camtDocument, camtEntry, camtStatement } from './testing/camt053.ts';
import { formatOf } from './testing/read-all.ts';
import { reconItem, reconPage } from './testing/recon.ts';

const rows = 200_000;
const profile = csvProfiles.find(({ name }) => name === 'jazzcash');
const optionsOf = (currency: string): StatementOptions => ({
  currency,
  timeZone: 'Asia/Karachi',
  ...(profile && { profile }),
});

/** `count` times the text that `row` makes, in pieces of many rows, between two others. */
async function* repeated(before: string, row: (i: number) => string, after: string, count: number) {
  yield Buffer.from(before);
  for (let start = 0; start < count; start += 500)
    yield Buffer.from(Array.from({ length: Math.min(500, count - start) }, (_, i) => row(start + i)).join(''));
  yield Buffer.from(after);
}

const [pageStart = '', pageEnd = ''] = reconPage([0]).split('0]');
const [camtStart = '', camtEnd = ''] = camtDocument([camtStatement(['ENTRY'])]).split('ENTRY');
const csvHead =
  'Transaction Reference Number,Transaction Date Time,Transaction Type,Transaction Status,Transaction Amount,Fee,Sales Tax,Currency,Retrieval Reference Number\n';

const contents = {
  'razorpay-recon': {
    currency: 'INR',
    write: (count: number) =>
      repeated(
        pageStart,
        (i) => `${i === 0 ? '' : ','}${JSON.stringify({ ...reconItem, entity_id: `pay_${i}` })}`,
        `]${pageEnd}`,
        count,
      ),
  },
  'camt.053': {
    currency: 'THB',
    write: (count: number) =>
      repeated(
        camtStart,
        (i) => camtEntry({ amount: '1.00', mark: 'CRDT', details: camtDetail(`P${i}`) }),
        camtEnd,
        count,
      ),
  },
  mt940: {
    currency: 'INR',
    write: (count: number) =>
      repeated(
        ':20:X\n:25:1\n:60F:C261101INR0,\n',
        (i) => `:61:261101C1,50NTRFNONREF//B${i}\n:86:/EREF/P${i}/REMI/Invoice/\n`,
        ':62F:C261130INR0,\n-\n',
        count,
      ),
  },
  csv: {
    currency: 'PKR',
    write: (count: number) =>
      repeated(
        csvHead,
        (i) => `T${i},2026-11-01 10:00:00,Payment,Completed,"1,000.00",10.00,1.60,PKR,${i}\n`,
        '',
        count,
      ),
  },
} as const;

setFlagsFromString('--expose-gc');
/** Without it, the memory would include garbage of this test and of those before it. */
const collectGarbage: () => void = runInNewContext('gc');

test.each(Object.entries(contents))('%s: memory does not grow with 200,000 rows', async (name, { currency, write }) => {
  const heap = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  };
  let lines = 0;
  let highest = 0;
  const before = heap();
  const began = performance.now();
  for await (const row of formatOf(name).read(write(rows), optionsOf(currency))) {
    if (row.kind !== 'line') continue;
    lines += 1;
    if (lines % 20_000 === 0) highest = Math.max(highest, heap() - before);
  }
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${name}: ${Math.round(rows / seconds)} rows a second, ${Math.round(highest / 1e6)} MB at most`);
  expect(lines).toBe(rows);
  // All lines together would take more than 150 MB.
  expect(highest).toBeLessThan(30e6);
});
