import type { Socket } from 'node:net';
import { expect } from 'vitest';
import type { Deliver } from '../src/delivery/deliver.ts';
import { serveRaw, to } from './delivery-fixture.ts';

/**
 * Answers the request with `start`, then with `again` until the client leaves. A pause of 0 means as fast as possible.
 */
export function endless(start: string, again: string, pauseMs = 0): (socket: Socket) => void {
  const piece = pauseMs === 0 ? again.repeat(Math.ceil(16_384 / again.length)) : again;
  return (socket) => {
    const more = (): void => {
      if (socket.destroyed) return;
      if (pauseMs > 0) setTimeout(() => socket.write(piece, more), pauseMs);
      else socket.write(piece, () => setImmediate(more));
    };
    socket.once('data', () => socket.write(start, more));
  };
}

export const ok = 'HTTP/1.1 200 OK\r\n';
export const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;

/** A slow reply is given up after `limitMs` in total, the time limit of `deliver`. The pauses are much shorter. */
export async function expectDripsGivenUp(deliver: Deliver, limitMs: number): Promise<void> {
  const drips: [drip: string, start: string, again: string][] = [
    ['nothing at all', '', ''],
    ['header fields', ok, 'X-More: more\r\n'],
    ['one letter of a header field', `${ok}X-Long: `, 'a'],
    ['blank lines', '', '\r\n'],
    ['informational replies', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['a body', `${ok}Content-Length: 900\r\n\r\n`, ' '],
    ['chunks', chunked, '1\r\n \r\n'],
    ['a chunk extension', `${chunked}2;a=`, 'b'],
    ['trailers', `${chunked}2\r\nOK\r\n0\r\n`, 'X: y\r\n'],
  ];
  const dripped = drips.map(async ([drip, start, again]) => {
    const url = await serveRaw(endless(start, again, limitMs * 0.09));
    const result = await deliver(to(url));
    const { host: address } = new URL(url);
    expect(result, drip).toMatchObject({ acknowledged: false, error: 'timeout', address });
    expect(result.durationMs, drip).toBeGreaterThan(limitMs * 0.99);
    expect(result.durationMs, drip).toBeLessThan(limitMs + 1_000);
  });
  await Promise.all(dripped);
}
