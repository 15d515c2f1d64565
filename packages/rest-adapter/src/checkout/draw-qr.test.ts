import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { drawQr } from './draw-qr.ts';

const PIXELS = 4;

/** What a camera sees of the drawing: its dark runs as pixels. */
function photograph(svg: string): { width: number; height: number; data: Uint8ClampedArray } {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const side = size * PIXELS;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  const dark = /fill="#000" d="([^"]*)"/.exec(svg)?.[1] ?? '';
  for (const [, x, y, length] of dark.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let row = Number(y) * PIXELS; row < (Number(y) + 1) * PIXELS; row++)
      for (let column = Number(x) * PIXELS; column < (Number(x) + Number(length)) * PIXELS; column++)
        data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
  return { width: side, height: side, data };
}

test.each([
  '00020101021229370016A000000677010111011300660000000005802TH53037645406100.506304ABCD',
  'sandboxpay:PI01?am=100.00&cu=PKR',
  'ร้านค้า',
])('what is drawn reads as %s', (content) => {
  const drawn = drawQr(content, 'A "label"')?.text ?? '';
  expect(decodeQR(photograph(drawn))).toBe(content);
  expect(drawn).toContain('aria-label="A &quot;label&quot;"');
});

test('what is too long for a code is not drawn', () => {
  expect(drawQr('x'.repeat(1_200), '')).not.toBeNull();
  expect(drawQr('x'.repeat(1_201), '')).toBeNull();
});
