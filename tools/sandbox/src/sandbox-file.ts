import { readFileSync } from 'node:fs';
import type { SandboxChannel, SandboxEnvironment, SeededSandbox } from './sandbox-environment.ts';
import { writeAtomically } from './write-atomically.ts';

/** sandbox.json: addresses and keys of a running sandbox, for people and programs that use it. */
export interface SandboxFile extends SeededSandbox {
  readonly restUrl: string;
  readonly graphqlUrl: string;
  readonly workerUrl: string;
  readonly upstreamUrl: string;
  readonly receiverUrl: string;
  readonly databaseUrl: string;
  /** For the command line, which is a user of its own. */
  readonly redisUrl: string;
  /** The channels to fakes of providers. */
  readonly channels: readonly Pick<SandboxChannel, 'channelId' | 'carries'>[];
}

/** Writes sandbox.json atomically, with mode 0600. */
export function writeSandboxFile(path: string, environment: SandboxEnvironment, seeded: SeededSandbox): void {
  const { urls, databaseUrl, redisUrls, channels } = environment;
  const content: SandboxFile = {
    restUrl: urls.rest,
    graphqlUrl: `${urls.api}/graphql`,
    workerUrl: urls.worker,
    upstreamUrl: urls.upstream,
    receiverUrl: urls.receiver,
    databaseUrl,
    redisUrl: redisUrls.admin,
    channels: channels.map(({ channelId, carries }) => ({ channelId, carries })),
    ...seeded,
  };
  writeAtomically(path, `${JSON.stringify(content, undefined, 2)}\n`);
}

/** Reads sandbox.json. Undefined if no sandbox with this data is ready. */
export function readSandboxFile(path: string): SandboxFile | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
