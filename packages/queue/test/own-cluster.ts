import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort, isPortFree } from '../../../tools/sandbox/src/ports.ts';
import { type RunningRedis, startRedis } from '../../../tools/sandbox/src/redis.ts';
import { waitUntil } from '../../../tools/sandbox/src/wait-until.ts';

/** A Redis Cluster of three masters on loopback, without persistence, so that a node comes back empty. */
export interface OwnCluster {
  /** All masters, as REDIS_URL names them. */
  readonly url: string;
  readonly masters: readonly OwnNode[];
  /** Adds a replica of a master, and waits until it is ready. */
  addReplica(of: OwnNode): Promise<OwnNode>;
  /** Resolves once every running node reports that the cluster is ok. */
  whole(): Promise<void>;
  remove(): Promise<void>;
}

export interface OwnNode {
  readonly url: string;
  readonly pid: number;
  /** Runs commands on this node alone. */
  ask<T>(use: (redis: Redis) => Promise<T>): Promise<T>;
  kill(): Promise<void>;
  startAgain(): Promise<void>;
}

/** After this time without an answer a node counts as failed, in milliseconds. */
const nodeTimeout = 1_000;
const slots = 16_384;
const busOffset = 10_000;
const password = 'only-a-test';

export async function startOwnCluster(): Promise<OwnCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-cluster-'));
  const nodes: OwnNode[] = [];
  const add = async (): Promise<OwnNode> => {
    const node = await startNode(join(folder, String(nodes.length)));
    nodes.push(node);
    return node;
  };
  const masters = [await add(), await add(), await add()];
  const each = Math.ceil(slots / masters.length);
  for (const [i, node] of masters.entries()) {
    const own = Array.from({ length: Math.min(each, slots - i * each) }, (_, n) => i * each + n);
    await node.ask((redis) => redis.cluster('ADDSLOTS', ...own));
    await node.ask((redis) => redis.cluster('SET-CONFIG-EPOCH', i + 1));
  }
  const meet = (node: OwnNode) => masters[0]?.ask((redis) => redis.cluster('MEET', '127.0.0.1', portOf(node)));
  for (const node of masters.slice(1)) await meet(node);
  const whole = () => untilAll(nodes, 'the cluster is whole', /cluster_state:ok[\s\S]*cluster_slots_ok:16384/);
  await untilAll(nodes, 'all nodes know each other', /cluster_known_nodes:3/);
  await whole();
  return {
    url: masters.map(({ url }) => url).join(','),
    masters,
    whole,
    addReplica: async (of) => {
      const replica = await add();
      await meet(replica);
      const id = await of.ask((redis) => redis.cluster('MYID'));
      await untilAll(nodes, 'the replica is known', new RegExp(`cluster_known_nodes:${nodes.length}`));
      await replica.ask((redis) => redis.cluster('REPLICATE', String(id)));
      const isLinked = async () => (await replica.ask((redis) => redis.info('replication'))).includes('link_status:up');
      await waitUntil('the replica follows', isLinked, { timeoutMs: 20_000 });
      return replica;
    },
    remove: async () => {
      for (const node of nodes) await node.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startNode(folder: string): Promise<OwnNode> {
  const port = await freeClusterPort();
  const start = (): Promise<RunningRedis> =>
    startRedis({
      dir: folder,
      logFile: `${folder}.log`,
      port,
      password,
      settings: {
        appendonly: 'no',
        masterauth: password,
        'cluster-enabled': 'yes',
        'cluster-node-timeout': String(nodeTimeout),
      },
    });
  let running = await start();
  return {
    url: running.url,
    get pid() {
      return running.identity.pid;
    },
    ask: (use) => askNode(port, use),
    kill: () => running.end([{ signal: 'SIGKILL', waitMs: 5_000 }]),
    startAgain: async () => {
      running = await start();
    },
  };
}

/** The distance of the second port, on which nodes talk to each other. */
async function freeClusterPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = await findFreePort((one) => one + busOffset > 65_535);
    if (await isPortFree(port + busOffset)) return port;
  }
  throw new Error('no free ports for a node of a cluster');
}

async function askNode<T>(port: number, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({ host: '127.0.0.1', port, password, maxRetriesPerRequest: 2, commandTimeout: 5_000 });
  redis.on('error', () => undefined);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

/** Waits until `CLUSTER INFO` of every running node matches. */
async function untilAll(nodes: readonly OwnNode[], what: string, wanted: RegExp): Promise<void> {
  const says = (node: OwnNode) => node.ask((redis) => redis.cluster('INFO')).then(String, () => null);
  const matches = async () => {
    const infos = (await Promise.all(nodes.map(says))).filter((info) => info !== null);
    return infos.length > 0 && infos.every((info) => wanted.test(info));
  };
  await waitUntil(what, matches, { timeoutMs: 30_000, everyMs: 100 });
}

function portOf(node: OwnNode): number {
  return Number(new URL(node.url).port);
}
