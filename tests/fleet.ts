import { join } from 'node:path';
import { audit } from '../packages/domain/src/entries/admin.ts';
import { openDomain } from '../packages/domain/src/index.ts';
import { startSandboxUpstream } from '../packages/upstream/src/sandbox-server/server.ts';
import { openDataDir } from '../tools/sandbox/src/data-dir.ts';
import { processEnv, SANDBOX_PROCESSES } from '../tools/sandbox/src/processes.ts';
import { refusedByRedis } from '../tools/sandbox/src/redis.ts';
import { makeRunFolder } from '../tools/sandbox/src/run-folder.ts';
import type { DemoMerchant, SandboxEnvironment } from '../tools/sandbox/src/sandbox-environment.ts';
import { prepareDatabase } from '../tools/sandbox/src/seed.ts';
import { urlsOfUsers } from '../tools/sandbox/src/start-sandbox.ts';
import { type Member, startMember } from './fleet-member.ts';
import { type ReceivedNotification, startReceiver } from './fleet-receiver.ts';
import { runServices } from './run-services/ask-services.ts';
import { writeKeys } from './run-services/seeded-databases.ts';

/** As many processes as a test wants, on one database and one Redis, with an upstream and a receiver inside the test itself. */
export interface Fleet {
  readonly merchants: readonly DemoMerchant[];
  /** Of an operator who may do everything. */
  readonly adminToken: string;
  /** Of a second one, who approves. */
  readonly approverToken: string;
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly upstreamUrl: string;
  readonly receiverUrl: string;
  /** URL of the first API, once it is started. */
  readonly apiUrl: string;
  readonly received: readonly ReceivedNotification[];
  /** How long the receiver takes for its answer, in milliseconds; 0 unless a test says otherwise. */
  receiverTakes: number;
  /** Starts a process and waits until it is ready. `change` wins over its usual environment. */
  start(kind: 'rest' | 'worker' | 'api', args?: readonly string[], change?: Record<string, string>): Promise<Member>;
  /** Reads the database. */
  rows<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The violations that the audit finds. */
  violations(): Promise<unknown[]>;
  stop(): Promise<void>;
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error };

interface FleetOptions {
  /** TIDEGATE_SCHEDULE_SCALE. */
  scale?: number;
  /** One Redis or a cluster; by default a fresh one of the test run's. */
  redisUrl?: string;
  /** A migrated database; by default a fresh one of the test run's. */
  databaseUrl?: string;
  /** The key ring; by default that of tests, with which the database of the test run was made. */
  keys?: string;
  /** How a process is run, without its own arguments; by default, and where this gives null, its source by this Node. */
  runs?: (kind: 'rest' | 'worker' | 'api') => {
    command: readonly [string, ...string[]];
    folder: string;
    env: Readonly<Record<string, string>>;
  } | null;
}

export async function startFleet(options: FleetOptions = {}): Promise<Fleet> {
  const folder = await makeRunFolder();
  const receiver = await startReceiver();
  const seed =
    options.databaseUrl === undefined
      ? await runServices.seedDatabase(`http://127.0.0.1:${receiver.port}`)
      : { ...(await runServices.seedKeys()), databaseUrl: options.databaseUrl };
  const { databaseUrl } = seed;
  const redisUrl = options.redisUrl ?? (await runServices.newRedis());
  const { upstream: upstreamSecret } = seed.secrets;
  const keys = options.keys ?? seed.secrets.keys;
  const upstream = await startSandboxUpstream({
    port: 0,
    secret: upstreamSecret,
    stateFile: join(folder.dir, 'upstream.json'),
  });
  const nextPort = ownPorts();
  const [rest, api, worker] = [await nextPort(), await nextPort(), await nextPort()];
  const at = (port: number) => `http://127.0.0.1:${port}`;
  const environment: SandboxEnvironment = {
    databaseUrl,
    redisUrls: urlsOfUsers(redisUrl, true),
    keys,
    upstreamSecret,
    fresh: false,
    channels: [],
    dataDir: join(folder.dir, 'data'),
    scheduleScale: options.scale ?? 1,
    ports: { rest, api, worker, upstream: portOf(upstream.url), receiver: receiver.port },
    urls: { rest: at(rest), api: at(api), worker: at(worker), upstream: upstream.url, receiver: at(receiver.port) },
  };
  const paths = openDataDir(environment.dataDir);
  writeKeys(paths.dir, seed);
  const seeded = await prepareDatabase(environment);
  const { merchants, adminToken, approverToken } = seeded;
  const domain = await openDomain({
    databaseUrl,
    keys,
    publicBaseUrl: '',
    adapters: {},
    log: quiet,
    wakeUp: () => undefined,
    connections: 2,
  });
  let started = 0;
  const standing = new Set<string>();
  const start: Fleet['start'] = async (kind, args = [], change = {}) => {
    const row = SANDBOX_PROCESSES.find(({ name }) => name === kind);
    if (!row) throw new Error(`no process ${kind}`);
    const name = `${kind}-${started++}`;
    // The first one of each kind has the address at which the upstream and the merchants expect it.
    const isFirst = !standing.has(kind);
    standing.add(kind);
    const port = isFirst ? environment.ports[kind] : await nextPort();
    const env = { ...processEnv(row, environment, paths, seeded), PORT: String(port), ...change };
    const how = options.runs?.(kind);
    const command = [...(how?.command ?? [process.execPath, row.script]), ...args];
    try {
      return await startMember({
        name,
        url: at(port),
        command,
        folder,
        env: { ...how?.env, ...env },
        ...(how && { cwd: how.folder }),
      });
    } catch (error) {
      if (isFirst) standing.delete(kind);
      throw error;
    }
  };
  return {
    merchants,
    adminToken,
    approverToken,
    databaseUrl,
    redisUrl,
    upstreamUrl: upstream.url,
    receiverUrl: at(receiver.port),
    apiUrl: at(api),
    received: receiver.received,
    start,
    get receiverTakes() {
      return receiver.takes;
    },
    set receiverTakes(ms) {
      receiver.takes = ms;
    },
    rows: async (sql, values = []) => (await domain.database.pool.query(sql, [...values])).rows,
    violations: async () => [...(await audit(domain)).violations],
    stop: async () => {
      await refuseDenials(redisUrl);
      await domain.close();
      await folder.remove();
      receiver.close();
      await upstream.close();
    },
  };
}

/** Throws if a process of the fleet asked Redis for something that its user may not do. */
async function refuseDenials(redisUrl: string): Promise<void> {
  const refused = await Promise.all(redisUrl.split(/,(?=redis:)/).map(refusedByRedis));
  if (refused.flat().length > 0)
    throw new Error(`Redis refused a process (packages/queue/src/redis-users.ts): ${refused.flat().join('\n')}`);
}

/** Gives one port after the other out of blocks that are the fleet's own. */
function ownPorts(): () => Promise<number> {
  let left: number[] = [];
  return async () => {
    if (left.length === 0) {
      const base = await runServices.reservePorts();
      left = Array.from({ length: 19 }, (_, offset) => base + offset);
    }
    return left.shift() ?? 0;
  };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
