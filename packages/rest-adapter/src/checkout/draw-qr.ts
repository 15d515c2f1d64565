import { encodeQR } from 'qr';
import { Html, html } from './html.ts';

/** The quiet zone, in modules: ISO/IEC 18004 requires four. */
const QUIET = 4;
/** The longest text at this error correction. A longer one is not drawn. */
const MAX_BYTES = 1_200;

/** A QR code as one SVG path, dark on white in every colour scheme; null for a text that is too long. */
export function drawQr(text: string, label: string): Html | null {
  if (Buffer.byteLength(text) > MAX_BYTES) return null;
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  const path = rows.map((row, y) =>
    runsOf(row)
      .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
      .join(''),
  );
  const size = String(rows.length);
  return html`<div class="qr"><svg role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${new Html(path.join(''))}"/></svg></div>`;
}

/** The positions and lengths of dark runs in a row. */
function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (isDark && last && last[0] + last[1] === x) last[1] += 1;
    else if (isDark) runs.push([x, 1]);
  }
  return runs;
}
