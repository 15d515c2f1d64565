import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort, isPortFree, keepPorts, LOOPBACK, OUR_PORTS } from './ports.ts';

test('a free port is one that Linux gives to no other process, and that fetch connects to', async () => {
  for (let i = 0; i < 50; i += 1) {
    const port = await findFreePort();
    expect(port).toBeGreaterThan(10_080);
    expect(port).toBeLessThan(32_768);
  }
});

test('a port that is in use is not free, and is not found', async () => {
  const port = await aPortWithoutReservation();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen({ port, host: LOOPBACK }, resolve));
  onTestFinished(() => void server.close());
  expect(await isPortFree(port)).toBe(false);
  await expect(findFreePort(undefined, drawing(port))).rejects.toThrow('no free port');
  await new Promise((resolve) => server.close(resolve));
  expect(await findFreePort(undefined, drawing(port))).toBe(port);
});

test('a port that was found is not found again, until its reservation is a minute old', async () => {
  const port = await findFreePort();
  await expect(findFreePort(undefined, drawing(port))).rejects.toThrow('no free port');
  const anHourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(reservationOf(port), anHourAgo, anHourAgo);
  expect(await findFreePort(undefined, drawing(port))).toBe(port);
  await expect(findFreePort(undefined, drawing(port))).rejects.toThrow('no free port');
});

/** A source of random numbers with which only this port is drawn: the middle of its share of [0, 1). */
const drawing = (port: number) => () => (port - OUR_PORTS.first + 0.5) / OUR_PORTS.count;

const reservationOf = (port: number) => join(tmpdir(), `tidegate-ports-${process.getuid?.()}`, String(port));

async function aPortWithoutReservation(): Promise<number> {
  const port = await findFreePort();
  rmSync(reservationOf(port));
  return port;
}

test('a stored port stays, unless Linux may give it to another program', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-ports-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'ports.json');
  const postgres = await findFreePort();
  writeFileSync(file, JSON.stringify({ postgres, redis: 40_000 }));
  const first = await keepPorts(file, ['postgres', 'redis'], () => false);
  expect(first.postgres).toBe(postgres);
  expect(first.redis).toBeLessThan(32_768);
  expect(await keepPorts(file, ['postgres', 'redis'], () => false)).toEqual(first);
});
