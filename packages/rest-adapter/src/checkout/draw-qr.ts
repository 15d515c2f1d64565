import { encodeQR } from 'qr';
import { Html, html } from './html.ts';

/** Modules of quiet around the code: ISO/IEC 18004 asks for four. */
const QUIET = 4;
/** What fits at this error correction; a longer text is not drawn. */
const MOST_BYTES = 1_200;

/** A QR code as one SVG path, dark on white whatever the page's colours; null for a text that is too long for one. */
export function drawQr(text: string, label: string): Html | null {
  if (Buffer.byteLength(text) > MOST_BYTES) return null;
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  const path = rows.map((row, y) =>
    runsOf(row)
      .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
      .join(''),
  );
  const size = String(rows.length);
  return html`<div class="qr"><svg role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${new Html(path.join(''))}"/></svg></div>`;
}

/** Where dark modules begin, and how many there are in a row. */
function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (isDark && last && last[0] + last[1] === x) last[1] += 1;
    else if (isDark) runs.push([x, 1]);
  }
  return runs;
}
