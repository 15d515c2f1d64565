import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort, isPortFree, LOOPBACK } from './ports.ts';

test('a free port is one that Linux gives to no other process, and that fetch connects to', async () => {
  for (let i = 0; i < 50; i += 1) {
    const port = await findFreePort();
    expect(port).toBeGreaterThan(10_080);
    expect(port).toBeLessThan(32_768);
  }
});

test('a port that is in use is not free, and is not found', async () => {
  const port = await findFreePort();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen({ port, host: LOOPBACK }, resolve));
  onTestFinished(() => void server.close(() => undefined));
  expect(await isPortFree(port)).toBe(false);
  // The middle of the port's share of [0, 1).
  const alwaysIt = () => (port - 11_000 + 0.5) / 8_000;
  await expect(findFreePort(undefined, alwaysIt)).rejects.toThrow('no free port');
  await new Promise((resolve) => server.close(resolve));
  expect(await findFreePort(undefined, alwaysIt)).toBe(port);
});
