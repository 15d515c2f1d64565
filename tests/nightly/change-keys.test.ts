import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { runAdmin } from '../../packages/admin/src/run-admin.ts';
import { testKeys } from '../../packages/domain/src/testing/keys.ts';
import type { Fleet } from '../fleet.ts';
import { type RoundChange, testRollingRestart } from '../fleet-restarts.ts';

// All keys are changed under load, in the three steps of docs/running/keys.md. After each step, the processes start again one
// after the other. No request, payout or notification is lost.

const folder = mkdtempSync(join(tmpdir(), 'tidegate-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const steps = ['add', 'use', 'drop'];

async function changeKeys({ databaseUrl, redisUrl, adminToken }: Fleet): Promise<RoundChange> {
  writeFileSync(join(folder, 'keys-admin'), testKeys, { mode: 0o600 });
  const admin = async (...args: string[]): Promise<string> => {
    let output = '';
    const env = {
      TIDEGATE_ENV: 'sandbox',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      TIDEGATE_KEYS_FILE: join(folder, 'keys-admin'),
      TIDEGATE_OPERATOR_TOKEN: adminToken,
    };
    const write = (text: string): void => {
      output += text;
    };
    const code = await runAdmin([...args, '--json'], {
      env,
      readStdin: async () => '',
      out: write,
      err: write,
      keepDetails: () => null,
    });
    expect(code, output).toBe(0);
    return output;
  };
  await admin('make-keys', folder);
  return {
    env: (kind) => ({ TIDEGATE_KEYS: '', TIDEGATE_KEYS_FILE: join(folder, `keys-${kind}`) }),
    before: async (round) => {
      expect(await admin('change-secret', folder, '--reason', 'a test')).toContain(`"step":"${steps[round]}"`);
    },
  };
}

testRollingRestart({ rounds: 3, clients: 4, change: changeKeys });
