import { expect, test } from 'vitest';
import { aJpeg, aPdf, aPng } from '../testing/small-files.ts';
import { mediaTypeOf } from './media-type.ts';

const text = (content: string): Buffer => Buffer.from(content, 'latin1');
const zip = text(`PK\u0005\u0006${'\0'.repeat(18)}`);
const html = text('<html><script>alert(1)</script></html>');
const changed = (content: Buffer, at: number): Buffer =>
  Buffer.from(content.map((byte, i) => (i === at ? byte ^ 1 : byte)));

test.each<[string, Buffer, string | null]>([
  ['a PDF', aPdf(), 'application/pdf'],
  ['a PNG', aPng(), 'image/png'],
  ['a JPEG', aJpeg(), 'image/jpeg'],
  ['nothing', Buffer.alloc(0), null],
  ['HTML', html, null],
  ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg"/>'), null],
  ['a GIF', text('GIF89a'), null],
  ['an archive', zip, null],
  ['a PNG with a page behind it', Buffer.concat([aPng(), html]), null],
  ['a page before a PNG', Buffer.concat([html, aPng()]), null],
  ['a PNG with a wrong checksum', changed(aPng(), 20), null],
  ['a PNG without its end', aPng().subarray(0, -1), null],
  [
    'a PNG whose chunk is longer than the file',
    Buffer.concat([aPng().subarray(0, 8), Buffer.from('ffffffff49484452', 'hex'), Buffer.alloc(8)]),
    null,
  ],
  ['a JPEG with an archive behind it', Buffer.concat([aJpeg(), zip]), null],
  ['a JPEG without an image', Buffer.from('ffd8ffd9', 'hex'), null],
  ['a JPEG without its end', aJpeg().subarray(0, -2), null],
  ['the beginning of a JPEG', Buffer.from('ffd8ff', 'hex'), null],
  ['a PDF that is an archive too', Buffer.concat([aPdf().subarray(0, 30), zip, aPdf().subarray(30)]), null],
  ['a PDF with a page behind it', Buffer.concat([aPdf(), html]), null],
  ['a page before a PDF', Buffer.concat([html, aPdf()]), null],
  ['a PDF without its end', text('%PDF-1.7\n'), null],
])('%s', (_, content, expected) => {
  expect(mediaTypeOf(content)).toBe(expected);
});

test('no file of 2 MB takes long to check', () => {
  const size = 2 * 1024 * 1024;
  const scan = Buffer.concat([aJpeg().subarray(0, 14), Buffer.alloc(size, 'ff00', 'hex')]);
  const spaces = Buffer.concat([aPdf(), Buffer.alloc(size, ' ')]);
  const began = process.cpuUsage();
  expect([scan, spaces].map(mediaTypeOf)).toEqual([null, null]);
  // Processor time: a busy machine is no slow check. Microseconds.
  expect(process.cpuUsage(began).user).toBeLessThan(500_000);
});
