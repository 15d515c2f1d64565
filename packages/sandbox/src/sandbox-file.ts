import { readFileSync } from 'node:fs';
import type { SandboxChannel, SandboxEnvironment, SeededSandbox } from './sandbox-environment.ts';
import { writeAtomically } from './write-atomically.ts';

/** sandbox.json: the addresses and keys for people and programs that use a running sandbox. */
export interface SandboxFile extends SeededSandbox {
  readonly restUrl: string;
  readonly graphqlUrl: string;
  readonly workerUrl: string;
  readonly upstreamUrl: string;
  readonly receiverUrl: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** The channels that talk to fakes of providers. A sandbox of an older release has written none. */
  readonly channels?: readonly Pick<SandboxChannel, 'channelId' | 'carries'>[];
}

/** Writes sandbox.json atomically, with mode 0600. */
export function writeSandboxFile(path: string, environment: SandboxEnvironment, seeded: SeededSandbox): void {
  const { urls, databaseUrl, redisUrl, channels } = environment;
  const content: SandboxFile = {
    restUrl: urls.rest,
    graphqlUrl: `${urls.api}/graphql`,
    workerUrl: urls.worker,
    upstreamUrl: urls.upstream,
    receiverUrl: urls.receiver,
    databaseUrl,
    redisUrl,
    channels: channels.map(({ channelId, carries }) => ({ channelId, carries })),
    ...seeded,
  };
  writeAtomically(path, `${JSON.stringify(content, undefined, 2)}\n`);
}

/** Reads sandbox.json; undefined if no sandbox is ready on that data. */
export function readSandboxFile(path: string): SandboxFile | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
