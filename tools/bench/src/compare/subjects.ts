import type { OrderKind } from '@tidegate/domain';
import pg from 'pg';
import type { BenchEnvironment } from '../bench-environment.ts';
import { install } from '../install.ts';
import type { measureDelivery } from '../kinds/notifications.ts';
import { bareRequest, type Placed, queryOf } from '../kinds/queries.ts';
import { makeBenchKeys, merchantNo, merchantPrefix, orderBody } from '../merchants.ts';
import { sendToRest } from '../send-to-rest.ts';
import type { RunningService, ServiceName } from '../services.ts';
import { type Operation, signRequests } from '../signed-requests.ts';

/** The cost of one slice of work: microseconds of processor time per answer, by process. */
export interface Slice {
  cpuUs: Readonly<Record<string, number>>;
  perSecond: number;
}

/** One side of a comparison: the processes of a working tree, or a reference. */
export interface Contender {
  name: string;
  slice(): Promise<Slice>;
}

export interface Subject {
  contenders: Contender[];
  close(): Promise<void>;
}

export interface Load {
  requests: number;
  slices: number;
  wallets: number;
}

/** A working tree that is compared, with what its own code measures where its domain has to make orders. */
export interface Tree {
  environment: BenchEnvironment;
  measureDelivery: typeof measureDelivery;
}

type Environments = ReadonlyMap<string, BenchEnvironment>;
type Trees = ReadonlyMap<string, Tree>;
type Open = (trees: Trees, load: Load) => Promise<Subject>;

const connections = 64;

/** The names that `--only` accepts. */
export const subjects = {
  payouts: (trees, load) => openCreates('payout', environmentsOf(trees), load),
  payins: (trees, load) => openCreates('payin', environmentsOf(trees), load),
  queries: (trees, load) => openQueries(environmentsOf(trees), load),
  notifications: openNotifications,
} as const satisfies Record<string, Open>;

export type SubjectName = keyof typeof subjects;

export function openSubject(name: SubjectName, trees: Trees, load: Load): Promise<Subject> {
  return subjects[name](trees, load);
}

function environmentsOf(trees: Trees): Environments {
  return new Map([...trees].map(([name, { environment }]) => [name, environment]));
}

async function openCreates(kind: OrderKind, environments: Environments, load: Load): Promise<Subject> {
  const one = (): Operation => ({
    merchantNo: merchantNo(kind, 1 + Math.floor(Math.random() * load.wallets)),
    path: `/${kind}/create`,
    body: orderBody(kind),
  });
  const requests = await sign(load, one);
  const serve: Serve = async (environment, databaseUrl) => ({
    server: await environment.start('rest-adapter', databaseUrl),
    requests,
  });
  return open(environments, serve, load);
}

/** Each tree queries the orders that its database has from the start. The reference is the bare route of this tree. */
async function openQueries(environments: Environments, load: Load): Promise<Subject> {
  const serve = async (environment: BenchEnvironment, databaseUrl: string, name: ServiceName) => {
    const placed = await ordersOf(databaseUrl);
    let next = 0;
    const order = (): Placed => placed[next++ % placed.length] as Placed;
    const server = await environment.start(name, databaseUrl);
    const requests =
      name === 'bare-route'
        ? Array.from({ length: countOf(load) }, () => bareRequest(server.port, order()))
        : await sign(load, () => queryOf(order()));
    return { server, requests };
  };
  const [first] = environments.values();
  const trees = await open(environments, (environment, url) => serve(environment, url, 'rest-adapter'), load);
  if (!first) return trees;
  const bare = await open(
    new Map([['bare route', first]]),
    (environment, url) => serve(environment, url, 'bare-route'),
    load,
  );
  return {
    contenders: [...trees.contenders, ...bare.contenders],
    close: async () => {
      await trees.close();
      await bare.close();
    },
  };
}

async function ordersOf(databaseUrl: string): Promise<Placed[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Placed>(
      `select merchant_id as "merchantNo", order_no as "orderNo" from orders where starts_with(merchant_id, $1) order by 2 limit 1000`,
      [merchantPrefix('payin')],
    );
    if (rows.length === 0) throw new Error('the database has no payins');
    return rows;
  } finally {
    await client.end();
  }
}

/** Each slice starts a new worker with a new backlog, because a running worker cannot be paused between slices. */
async function openNotifications(trees: Trees): Promise<Subject> {
  const contenders = [...trees].map(([name, { environment, measureDelivery }]) => ({
    name,
    slice: async (): Promise<Slice> => {
      const { figure, cpuUs = {} } = await measureDelivery(environment, { warmUp: 1.5, seconds: 3 });
      return { cpuUs, perSecond: figure };
    },
  }));
  return { contenders, close: async () => undefined };
}

const keys = makeBenchKeys();

/** Warm-up slices. In these Node compiles the code that runs often. */
export const warmUpSlices = 4;

const countOf = ({ slices, requests }: Load): number => (warmUpSlices + slices) * requests;

/** Signs with port 80 in the Host header. The server does not check it. */
const sign = (load: Load, operation: () => Operation): Promise<Buffer[]> =>
  signRequests(countOf(load), keys.privateKeyPem, 80, operation);

type Serve = (environment: BenchEnvironment, databaseUrl: string) => Promise<Served>;

interface Served {
  server: RunningService;
  /** The requests of all slices. */
  requests: readonly Buffer[];
}

/** Starts a server for each environment on a fresh database. All merchants get the key that signs the requests. */
async function open(environments: Environments, serve: Serve, load: Load): Promise<Subject> {
  const closing: (() => Promise<void>)[] = [];
  const contenders: Contender[] = [];
  for (const [name, environment] of environments) {
    const database = await environment.freshDatabase({ hasOrders: true });
    await install(database.url, `update merchant_key set public_key_pem = '${keys.publicKeyPem}'`);
    const { server, requests } = await serve(environment, database.url);
    closing.push(async () => {
      await server.stop();
      await database.drop();
    });
    let sent = 0;
    const slice = async (): Promise<Slice> => {
      const part = requests.slice(sent, sent + load.requests);
      sent += part.length;
      const cpuOf = environment.countCpu();
      const began = performance.now();
      await sendToRest([server.port], connections, part, { warmUp: 0, seconds: 600 });
      return { cpuUs: cpuOf(part.length), perSecond: (1000 * part.length) / (performance.now() - began) };
    };
    contenders.push({ name, slice });
  }
  return {
    contenders,
    close: async () => {
      for (const close of closing) await close();
    },
  };
}
