import { expect, test } from 'vitest';
import { readQr } from '../../test/read-qr.ts';
import { drawQr } from './draw-qr.ts';

test.each([
  '00020101021229370016A000000677010111011300660000000005802TH53037645406100.506304ABCD',
  'sandboxpay:PI01?am=100.00&cu=PKR',
  'ร้านค้า',
])('a scanner reads the drawn QR code as %s', (content) => {
  const svg = drawQr(content, 'A "label"')?.text ?? '';
  expect(readQr(svg)).toBe(content);
  expect(svg).toContain('aria-label="A &quot;label&quot;"');
});

test('a too long text is not drawn', () => {
  expect(drawQr('x'.repeat(1_200), '')).not.toBeNull();
  expect(drawQr('x'.repeat(1_201), '')).toBeNull();
});
