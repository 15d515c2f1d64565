import { inject } from 'vitest';
import { createTestRedis } from '../../tools/sandbox/src/testing.ts';
import type { RunServices } from './run-services.ts';
import type { MerchantRequest, SandboxRequest, SharedSandbox } from './shared-sandboxes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL at which the system tests of this run ask for ports, seeded databases and shared sandboxes, see serve.ts. */
    runServicesUrl: string;
  }
}

/** The same, asked for by a test file. */
export const runServices: RunServices = {
  reservePorts: () => call('ports'),
  seedKeys: () => call('keys'),
  seedDatabase: (receiverUrl) => call('database', { receiverUrl }),
  newRedis: async () => (await createTestRedis()).url,
  browser: () => call('browser'),
};

/**
 * A sandbox that other test files use at the same time; the first one that asks starts it. With `merchants`, `file.merchants` are
 * these, for the caller alone. A test that kills or freezes a process, changes what all merchants share, or looks at all orders needs a
 * sandbox of its own: startSandbox.
 */
export function borrowSandbox({ scale = 1, merchants = [] }: Partial<SandboxRequest> = {}): Promise<SharedSandbox> {
  return call('sandbox', { scale, merchants });
}

/** One of each demo merchant's kind, in the order of sandbox.json. */
export const likeDemoMerchants: readonly MerchantRequest[] = [
  { country: 'CN' },
  { country: 'TH' },
  { country: 'IN', payouts: 'upstream' },
  { country: 'PK', payouts: 'upstream' },
  { country: 'IN', payouts: 'upstream' },
  { country: 'PK', payouts: 'market' },
];

async function call<Answer>(what: string, body: object = {}): Promise<Answer> {
  const url = new URL(`/${what}`, inject('runServicesUrl'));
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`the run's services: ${text}`);
  return JSON.parse(text);
}
