import { cpuUsage } from 'node:process';
import type { StatementOptions } from '@tidegate/domain/reconciliation';
import { expect, test } from 'vitest';
import { csvProfiles } from './csv/profiles.ts';
import { formats } from './formats.ts';
import { camtDocument, camtStatement } from './testing/camt053.ts';
import { formatOf, readAll } from './testing/read-all.ts';

// Files that make a reader do the same work again and again. Each format reads them in a time that grows with the file alone.

const size = 512 * 1024;
/** A reader needs at most some microseconds for each row. One that does the work of a row again for each of its parts needs many seconds. */
const mostMs = 1_500;
const [profile] = csvProfiles;
const options: StatementOptions = { currency: 'INR', timeZone: 'Asia/Kolkata', ...(profile && { profile }) };

const filled = (start: string, part: string, end = ''): string =>
  start + part.repeat(Math.floor((size - start.length - end.length) / part.length)) + end;

const lists = `{${'"a":[],'.repeat(8_000)}"items":[]}`;
const csvHead = `${Object.values(profile?.columns ?? {}).join(',')},Transaction Status\n`;
const swift = ':20:X\n:25:1\n:60F:C261101INR0,\n';
const [camtStart = ''] = camtDocument([camtStatement(['ENTRY'])]).split('ENTRY');

const files: Readonly<Record<string, string>> = {
  'documents of many lists': filled('', lists),
  'documents of many lists, for data': filled('', lists.replace('items', 'data')),
  'escaped quotes in JSON': filled('{"items":[{"id":"', '\\"', '"}]}'),
  'brackets in JSON': filled('{"items":[', `{"a":${'['.repeat(100)}${']'.repeat(100)}},`, '{}]}'),
  'open quotes in CSV': filled(csvHead, `"${'x'.repeat(600)}\n`),
  'doubled quotes in CSV': filled(csvHead, `"${'""'.repeat(300)}\n`),
  'quotes that end too early in CSV': filled(csvHead, `"${`${'x'.repeat(50)}\n`.repeat(99)}"x\n`),
  'one letter in each line': filled(csvHead, `${'x'.repeat(50)}\n`),
  'carriage returns': filled(csvHead, `${' '.repeat(50)}\r`),
  'references in field 86 that do not end': filled(`${swift}:61:261101C1,50NTRFX\n:86:`, 'EREF+', '\u2028'),
  'continued fields of SWIFT': filled(`${swift}:61:261101C1,50NTRFX\n:86:`, `${'x'.repeat(64)}\n`),
  'amounts that do not end': filled(`${swift}:61:261101C`, '1'.repeat(1_000)),
  'continued records of BAI2': filled(
    '01,A,B,261102,0600,1,,,2/\n02,B,A,1,261101,,USD,2/\n03,1,,,,,/\n',
    '88,,,,,,/\n',
  ),
  'elements in elements': filled(camtStart, '<A>'),
  'attributes that do not end': filled(`${camtStart}<A `, 'a="&lt;" '),
  'references to entities': filled(`${camtStart}<A>`, '&amp;'),
  'notes of Alipay': filled('', '#起始日期:[起始日期:[起始日期:[\n'),
};

test.each(formats)('$name: hostile files take a time that grows with their rows', async (format) => {
  const slow: string[] = [];
  for (const [what, content] of Object.entries(files)) {
    let least = Number.POSITIVE_INFINITY;
    for (let runs = 0; runs < 3 && least > mostMs; runs += 1) {
      const before = cpuUsage();
      await readAll(format, content, options).catch((error) => {
        expect(error, what).toMatchObject({ name: 'StatementUnreadable' });
      });
      const { user, system } = cpuUsage(before);
      least = Math.min(least, (user + system) / 1_000);
    }
    if (least > mostMs) slow.push(`${what}: ${Math.round(least)} ms`);
  }
  expect(slow).toEqual([]);
});

test('the lists of a document cost no more than its other bytes', async () => {
  let least = Number.POSITIVE_INFINITY;
  for (let runs = 0; runs < 5 && least > 250; runs += 1) {
    const before = cpuUsage();
    await readAll(formatOf('razorpay-recon'), filled('', lists), options);
    const { user, system } = cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  expect(least).toBeLessThan(250);
});
