import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeOptions } from '@tidegate/upstream/fake-provider';
import { fakes } from '@tidegate/upstream/fakes';
import type { DataPaths } from './data-dir.ts';
import { nodeService } from './node-service.ts';
import { keepPorts, LOOPBACK } from './ports.ts';
import type { SandboxChannel } from './sandbox-environment.ts';
import { scriptOf } from './service-scripts.ts';
import type { Service } from './supervise.ts';
import { writeAtomically } from './write-atomically.ts';

interface Account {
  credentials: Record<string, string>;
  account: Record<string, string>;
}

/** The fakes of the named providers, and channels to them. Accounts and ports are the same at each start. */
export async function prepareFakes(
  paths: DataPaths,
  { names, restUrl, timeFactor, avoid }: FakesWanted,
): Promise<{ channels: SandboxChannel[]; services: Service[] }> {
  const ports = await keepPorts(join(paths.dir, 'provider-ports.json'), names, avoid);
  const accounts = keepAccounts(join(paths.dir, 'provider-accounts.json'), names);
  const channels: SandboxChannel[] = [];
  const services: Service[] = [];
  for (const { provider, carries } of fakes.filter(({ provider }) => names.includes(provider))) {
    const port = ports[provider] ?? 0;
    const { credentials = {}, account = {} } = accounts[provider] ?? {};
    channels.push({ channelId: provider, carries, baseUrl: `http://${LOOPBACK}:${port}`, credentials });
    const options: FakeOptions = {
      port,
      account,
      timeFactor,
      webhookUrl: `${restUrl}/upstream/${provider}/callback`,
      stateFile: join(paths.dir, `${provider}.jsonl`),
    };
    const optionsFile = join(paths.dir, `${provider}.json`);
    writeAtomically(optionsFile, `${JSON.stringify(options)}\n`);
    services.push(
      nodeService({
        name: provider,
        script: scriptOf('packages/upstream/src/fakes/main.ts'),
        args: [provider, optionsFile],
        env: process.env,
        port,
        logFile: join(paths.logs, `${provider}.log`),
      }),
    );
  }
  return { channels, services };
}

export interface FakesWanted {
  names: readonly string[];
  /** URL at which the REST adapter receives callbacks. */
  restUrl: string;
  timeFactor: number;
  avoid: (port: number) => boolean;
}

/** The accounts at the fakes. An account is made when its provider is first used. */
function keepAccounts(file: string, names: readonly string[]): Record<string, Account> {
  const accounts: Record<string, Account> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  for (const { provider, makeAccount } of fakes) if (names.includes(provider)) accounts[provider] ??= makeAccount();
  writeAtomically(file, `${JSON.stringify(accounts)}\n`);
  return accounts;
}
