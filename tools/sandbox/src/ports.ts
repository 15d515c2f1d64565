import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAtomically } from './write-atomically.ts';

export const LOOPBACK = '127.0.0.1';

/** Whether a process could listen on this loopback port now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Below 32,768, where Linux begins to take ports for outgoing connections and for programs that ask for any port. Above 10,080, to
 * which `fetch` refuses to connect.
 */
export const OUR_PORTS = { first: 11_000, count: 8_000 };

/**
 * A free port for which `avoid` returns false. Linux gives it to no other program before the caller listens on it, unless its
 * range of ports was changed. No other process of this user gets it from here within a minute.
 */
export async function findFreePort(
  avoid: (port: number) => boolean = () => false,
  random: () => number = Math.random,
): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = OUR_PORTS.first + Math.floor(random() * OUR_PORTS.count);
    if (!avoid(port) && (await isPortFree(port)) && reserve(port)) return port;
  }
  throw new Error('no free port found on 127.0.0.1');
}

const RESERVED_MS = 60_000;

/**
 * Reserves a port for a minute, by an empty file. Returns false if another process has reserved it. Without a folder to
 * write to, nothing is reserved.
 */
function reserve(port: number): boolean {
  const folder = join(tmpdir(), `tidegate-ports-${process.getuid?.() ?? 0}`);
  const file = join(folder, String(port));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const madeAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - madeAt > RESERVED_MS) rmSync(file, { force: true });
    closeSync(openSync(file, 'wx'));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EEXIST';
  }
}

const isInRange = (port: number): boolean => port >= OUR_PORTS.first && port < OUR_PORTS.first + OUR_PORTS.count;

/**
 * A port for each name, stored in `file` so that it is the same at each start. A port is replaced if it is in use now
 * or if `avoid` returns true, or if Linux may give it to another program. Different names get different ports.
 */
export async function keepPorts<Name extends string>(
  file: string,
  names: readonly Name[],
  avoid: (port: number) => boolean,
): Promise<Record<Name, number>> {
  const kept = readKeptPorts(file);
  const chosen: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const isRefused = (port: number) => avoid(port) || !isInRange(port) || Object.values(chosen).includes(port);
    const port = kept[name];
    chosen[name] =
      port !== undefined && !isRefused(port) && (await isPortFree(port)) ? port : await findFreePort(isRefused);
  }
  const ports = chosen as Record<Name, number>;
  writeAtomically(file, `${JSON.stringify(ports)}\n`);
  return ports;
}

function readKeptPorts(file: string): Record<string, number | undefined> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
