import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort, isPortFree, LOOPBACK } from './ports.ts';

test('a free port is outside of the range from which the system takes ports for others', async () => {
  const [first = 0] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/).map(Number);
  for (let i = 0; i < 50; i += 1) expect(await findFreePort()).toBeLessThan(first);
});

test('a port that is in use is not free, and is not found', async () => {
  const port = await findFreePort();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen({ port, host: LOOPBACK }, resolve));
  onTestFinished(() => void server.close());
  expect(await isPortFree(port)).toBe(false);
  await expect(findFreePort((other) => other !== port)).rejects.toThrow('no free port');
});
