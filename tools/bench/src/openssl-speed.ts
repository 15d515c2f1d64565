import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** RSA-2048 signatures per second on one core of this machine, by `openssl speed` (found on PATH). */
export async function opensslSignsPerSecond(seconds: number): Promise<number> {
  const args = ['speed', '-seconds', String(seconds), '-mr', 'rsa2048'];
  const { stdout } = await promisify(execFile)('openssl', args, { timeout: (4 * seconds + 30) * 1000 });
  // Machine-readable: +F2:<index>:<bits>:<signatures per second>:<verifications per second>.
  const rate = Number(/^\+F2:\d+:2048:([\d.]+):/m.exec(stdout)?.[1]);
  if (!(rate > 1)) throw new Error(`openssl speed printed no rate:\n${stdout}`);
  return rate;
}
