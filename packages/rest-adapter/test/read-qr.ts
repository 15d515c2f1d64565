import decodeQR from 'qr/decode.js';

const PIXELS = 4;

/** The pixels of the drawing: its dark runs. */
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

/** The text of a QR code that a page shows as SVG. */
export function readQr(svg: string): string {
  return decodeQR(photograph(svg));
}
