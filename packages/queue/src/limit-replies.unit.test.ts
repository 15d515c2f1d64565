import { expect, test } from 'vitest';
import { ReplyMeter } from './limit-replies.ts';

type Reply = string | number | null | readonly Reply[];

/** A reply as Redis sends it. */
function encoded(reply: Reply): string {
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (typeof reply === 'string') return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  return `*${reply.length}\r\n${reply.map(encoded).join('')}`;
}

const longest = 1_000;
/** What a connection gets, far more than `longest` in all. Texts may look like replies. */
const short = [
  ...(
    [null, '', 'ok', 7, [], [null], ['a', ['b', [1, []]], null, 'ü'], ['job', ['data', '$500000000\r\n']]] as const
  ).map(encoded),
  '+OK\r\n',
  '-ERR no\r\n',
  '*-1\r\n',
  encoded('x'.repeat(900)),
].flatMap((reply) => [reply, reply, reply]);
const long = {
  'a text': encoded('x'.repeat(longest)),
  'many texts': encoded(Array.from({ length: 20 }, () => ['x'.repeat(50)])),
  'many numbers': encoded(Array.from({ length: longest / 4 }, () => 1)),
  'a line': `+${'x'.repeat(longest)}\r\n`,
  'arrays in arrays': `${'*1\r\n'.repeat(longest / 4)}:1\r\n`,
  'an announced text': '$500000000\r\n',
  'announced values': '*100000000\r\n',
  'an announced text after others': '*2\r\n$1\r\na\r\n$500000000\r\n',
};

/** Whether the stream is refused, if it arrives in pieces of this many bytes. */
function refuses(stream: string, piece: number): boolean {
  const meter = new ReplyMeter(longest);
  const bytes = Buffer.from(stream);
  for (let at = 0; at < bytes.length; at += piece) if (meter.isTooLong(bytes.subarray(at, at + piece))) return true;
  return false;
}

const pieces = [...Array.from({ length: 70 }, (_, i) => i + 1), 1_000, 10_000];

test('any number of short replies passes, however their bytes arrive', () => {
  for (const piece of pieces) expect(refuses(short.join(''), piece), `${piece}`).toBe(false);
});

test.each(Object.entries(long))('%s is refused, after any number of short replies', (_, reply) => {
  for (const piece of pieces) expect(refuses(`${short.join('')}${reply}`, piece), `${piece}`).toBe(true);
});
