import { expect, test } from 'vitest';
import { findCommitAnswer, readFrames } from './postgres-frames.ts';

/** A message as PostgreSQL frames it. */
function frame(type: string, payload: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(payload.length + 4, 1);
  return Buffer.concat([head, Buffer.from(payload, 'latin1')]);
}

const before = Buffer.concat([
  frame('D', 'a row that says C\0\0\0\x0bCOMMIT\0 itself'),
  frame('C', 'INSERT 0 1\0'),
  frame('C', 'DISCARD'),
  frame('Z', 'T'),
]);
const bytes = Buffer.concat([before, frame('C', 'COMMIT\0'), frame('Z', 'I'), frame('C', 'SELECT 1\0')]);

test('the answer to a COMMIT is found where it begins, wherever the stream is cut', () => {
  expect(findCommitAnswer(readFrames(), bytes)).toBe(before.length);
  for (let cut = 1; cut < bytes.length; cut++) {
    const reader = readFrames();
    const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
    const found = pieces.map((piece) => findCommitAnswer(reader, piece));
    const whole = before.length + 'C....COMMIT.'.length;
    if (cut >= whole) expect(found).toEqual([before.length, null]);
    else expect(found).toEqual([null, Math.max(0, before.length - cut)]);
  }
});

test('the answer to each COMMIT is found if the stream comes byte by byte', () => {
  const reader = readFrames();
  const found = Array.from(Buffer.concat([bytes, bytes])).map((byte) => findCommitAnswer(reader, Buffer.from([byte])));
  expect(found.filter((at) => at !== null)).toEqual([0, 0]);
});
