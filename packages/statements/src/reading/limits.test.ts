import { randomBytes } from 'node:crypto';
import type { StatementOptions } from '@tidegate/domain/reconciliation';
import { expect, test } from 'vitest';
import { csvProfiles } from '../csv/profiles.ts';
import { formats, formatsWithin } from '../formats.ts';
import { camtDocument, camtEntry, camtStatement } from '../testing/camt053.ts';
import { formatOf, readAll } from '../testing/read-all.ts';
import { reconItem, reconPage } from '../testing/recon.ts';
import { boundedBytes } from './bytes.ts';
import { defaultLimits } from './limits.ts';

const [profile] = csvProfiles;
const options: StatementOptions = { currency: 'INR', timeZone: 'Asia/Kolkata', ...(profile && { profile }) };
const [camtStart = ''] = camtDocument([camtStatement(['ENTRY'])]).split('ENTRY');
const csvHead = `${Object.values(profile?.columns ?? {}).join(',')},Transaction Status\n`;

/** A file that has no end. What reads it must stop by itself. */
async function* endless(start: string, piece: Uint8Array) {
  yield Buffer.from(start);
  for (;;) yield piece;
}

const starts: Readonly<Record<string, string>> = {
  'alipay-bill': '#支付宝',
  bai2: '01,A,B,261102,0600,1,,,2/\n02,',
  'camt.053': camtStart,
  csv: csvHead,
  mt940: ':20:X\n:25:1\n:60F:C261101INR0,\n:61:',
  'opn-transactions': '{"data":[{"id":"',
  'razorpay-recon': '{"items":[{"id":"',
  'razorpayx-statement': '{"items":[{"id":"',
};

test.each(formats)('$name: a row without an end is refused before it is read whole', async (format) => {
  const content = endless(starts[format.name] ?? '', Buffer.alloc(64 * 1024, 'x'));
  await expect(readAll(format, content, options)).rejects.toMatchObject({ reason: 'too_large' });
});

test('a file may have 512 MiB, and not a byte more', async () => {
  const piece = Buffer.alloc(16 * 1024 * 1024);
  const readBytes = async (rest: Uint8Array) => {
    let length = 0;
    for await (const { length: more } of boundedBytes(
      (async function* () {
        for (let i = 0; i < 32; i++) yield piece;
        yield rest;
      })(),
      defaultLimits.bytes,
    ))
      length += more;
    return length;
  };
  expect(await readBytes(Buffer.of())).toBe(512 * 1024 * 1024);
  await expect(readBytes(Buffer.of(1))).rejects.toMatchObject({ reason: 'too_large' });
});

test('a file and its rows are counted', async () => {
  const small = formatsWithin({ ...defaultLimits, bytes: 100_000, rows: 50 });
  const find = (name: string) => small.find((format) => format.name === name) ?? formatOf(name);
  const sixty = <Row>(row: Row) => Array.from({ length: 60 }, () => row);
  const rows = sixty(camtEntry({ amount: '1.00', mark: 'CRDT' }));
  for (const [name, content] of [
    ['razorpay-recon', reconPage(sixty({ ...reconItem, notes: null }))],
    ['camt.053', camtDocument([camtStatement(rows)])],
    ['mt940', [':20:X', ':60F:C261101INR0,', ...sixty(':61:261101C1,50NTRFX'), ':62F:C261130INR0,'].join('\n')],
    ['bai2', `01,A,B,261102,0600,1,,,2/\n02,B,A,1,261101,,USD,2/\n03,1,,,,,/\n${sixty('16,165,1,,,P/').join('\n')}`],
    ['csv', csvHead + sixty('1,2').join('\n')],
  ] as const)
    await expect(readAll(find(name), content, options)).rejects.toMatchObject({ reason: 'too_large' });
  const noise = endless('PK', randomBytes(10_000));
  await expect(readAll(find('alipay-bill'), noise, options)).rejects.toMatchObject({ reason: 'too_large' });
});
