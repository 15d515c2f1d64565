import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOOPBACK } from '../../tools/sandbox/src/ports.ts';
import type { RunFolder } from '../../tools/sandbox/src/run-folder.ts';
import type { SpawnedProcess } from '../../tools/sandbox/src/spawn-process.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import { type OwnPrograms, openPrograms } from './own-programs.ts';
import { openNode, type PatroniNode } from './patroni-node.ts';

/** Three PostgreSQL under Patroni, three etcd and HAProxy on loopback, with the files of ops/high-availability. */
export interface OwnPatroni {
  /** The database `tidegate` through HAProxy, as DATABASE_URL names it. */
  readonly url: string;
  readonly nodes: readonly PatroniNode[];
  /** The one server that says that it is the primary; waits for it. */
  primary(): Promise<PatroniNode>;
  /** Waits until the other two follow it, and a commit needs one of them. */
  untilWhole(): Promise<PatroniNode>;
  /** Asks Patroni for a planned change of the primary. */
  switchOver(from: PatroniNode): Promise<void>;
  remove(): Promise<void>;
}

const kill = [{ signal: 'SIGKILL', waitMs: 5_000 }] as const;
/** Generous: the machine may be busy. */
const wholeWithinMs = 120_000;

/** `ports`: the first of 19 free ones in a row. */
export async function startOwnPatroni(folder: RunFolder, ports: number): Promise<OwnPatroni> {
  const programs = openPrograms(folder);
  const password = randomBytes(16).toString('hex');
  const numbers = [1, 2, 3].map((number) => ({
    number,
    name: `pg-${number}`,
    postgres: ports + number,
    rest: ports + 3 + number,
    peer: ports + 6 + number,
    client: ports + 9 + number,
    way: ports + 12 + number,
  }));
  const started: SpawnedProcess[] = [];
  const members = numbers.map(({ number, peer }) => `etcd-${number}=http://${LOOPBACK}:${peer}`).join(',');
  for (const { number, peer, client } of numbers) started.push(startEtcd(programs, { number, peer, client, members }));
  started.push(startBalancer(programs, ports, numbers));
  // Patroni ends when it meets a store whose members have just met each other. An installed one is started again.
  await Promise.all(numbers.map(({ client }) => untilStoreIsReady(client)));
  const nodes = numbers.map((of) => {
    const home = programs.ownFolder(of.name);
    const config = programs.fill('patroni.yaml', `${of.name}.yaml`, {
      NAME: of.name,
      HOST: LOOPBACK,
      REST_PORT: of.rest,
      POSTGRES_PORT: of.postgres,
      ETCD_HOSTS: `${LOOPBACK}:${of.way}`,
      BIN_DIR: programs.postgresBin,
      DATA_DIR: join(home, 'data'),
      HOME: home,
      NETWORK: `${LOOPBACK}/32`,
    });
    return openNode({
      name: of.name,
      port: of.postgres,
      restPort: of.rest,
      dataDir: join(home, 'data'),
      url: urlOf(password, of.postgres),
      record: folder.record,
      wayToStore: startWayToStore(programs, of.name, of.way, numbers),
      startPatroni: () => programs.start(`patroni-${of.name}`, 'patroni', [config], secretsOf(password)),
    });
  });
  const recording = setInterval(() => {
    for (const node of nodes) node.recordPostgres();
  }, 500);
  const remove = async (): Promise<void> => {
    clearInterval(recording);
    await Promise.all(nodes.map((node) => node.end()));
    await Promise.all(started.map((one) => one.end(kill)));
  };
  try {
    const set = describeSet(nodes, urlOf(password, ports), password);
    await set.untilWhole();
    return { ...set, remove };
  } catch (error) {
    const reports = [...started.map((one) => one.report()), ...nodes.map((node) => node.report())];
    await remove();
    throw new Error(`the three servers did not start: ${reports.join('\n')}`, { cause: error });
  }
}

function urlOf(password: string, port: number, database = 'tidegate'): string {
  return `postgres://postgres:${password}@${LOOPBACK}:${port}/${database}`;
}

/** Patroni adds what is in its environment to what is in its file. */
function secretsOf(password: string): NodeJS.ProcessEnv {
  return {
    PATRONI_SUPERUSER_PASSWORD: password,
    PATRONI_REPLICATION_PASSWORD: password,
    PATRONI_REWIND_PASSWORD: password,
    PATRONI_RESTAPI_USERNAME: 'operator',
    PATRONI_RESTAPI_PASSWORD: password,
    // Each server reaches the store by a way that the test can cut.
    PATRONI_ETCD3_USE_PROXIES: 'true',
  };
}

interface Ports {
  number: number;
  name: string;
  postgres: number;
  rest: number;
  peer: number;
  client: number;
}

function startEtcd(
  programs: OwnPrograms,
  { number, peer, client, members }: { number: number; peer: number; client: number; members: string },
): SpawnedProcess {
  const name = `etcd-${number}`;
  const config = programs.fill('etcd.yaml', `${name}.yaml`, {
    NAME: name,
    HOST: LOOPBACK,
    DATA_DIR: programs.ownFolder(name),
    PEER_PORT: peer,
    CLIENT_PORT: client,
    MEMBERS: members,
  });
  return programs.start(name, 'etcd', ['--config-file', config]);
}

/** Until then it answers that its version is "not_decided". */
async function untilStoreIsReady(port: number): Promise<void> {
  const isReady = (): Promise<boolean> =>
    fetch(`http://${LOOPBACK}:${port}/version`, { signal: AbortSignal.timeout(1_000) })
      .then((response) => response.text())
      .then(
        (text) => /"etcdcluster":"\d/.test(text),
        () => false,
      );
  await waitUntil('etcd knows its version', isReady, { timeoutMs: wholeWithinMs });
}

function startBalancer(programs: OwnPrograms, port: number, servers: readonly Ports[]): SpawnedProcess {
  const places = servers.flatMap(({ number, postgres, rest }) => [
    [`HOST_${number}`, LOOPBACK],
    [`POSTGRES_PORT_${number}`, postgres],
    [`REST_PORT_${number}`, rest],
  ]);
  const values = { HOST: LOOPBACK, PORT: port, ...Object.fromEntries(places) };
  return programs.start('haproxy', 'haproxy', ['-f', programs.fill('haproxy.cfg', 'haproxy.cfg', values)]);
}

/** Frozen, it accepts connections and answers nothing, like a network that has lost this server. */
function startWayToStore(programs: OwnPrograms, name: string, port: number, members: readonly Ports[]): SpawnedProcess {
  const file = join(programs.dir, `way-of-${name}.cfg`);
  const servers = members.map(({ client }) => `  server etcd-${client} ${LOOPBACK}:${client} check inter 1s`);
  const text = `global
  maxconn 200
defaults
  mode tcp
  retries 3
  option redispatch
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen store
  bind ${LOOPBACK}:${port}
${servers.join('\n')}
`;
  writeFileSync(file, text, { mode: 0o644 });
  return programs.start(`way-of-${name}`, 'haproxy', ['-f', file]);
}

function describeSet(nodes: readonly PatroniNode[], url: string, password: string): Omit<OwnPatroni, 'remove'> {
  const primary = async (): Promise<PatroniNode> => {
    let found: PatroniNode | undefined;
    const isFound = async (): Promise<boolean> => {
      const said = await Promise.all(nodes.map((node) => node.isPrimary()));
      const primaries = nodes.filter((_, i) => said[i]);
      found = primaries.length === 1 ? primaries[0] : undefined;
      return found !== undefined;
    };
    await waitUntil('one primary', isFound, { timeoutMs: wholeWithinMs, everyMs: 200 });
    return found as PatroniNode;
  };
  return {
    url,
    nodes,
    primary,
    untilWhole: async () => {
      let found = await primary();
      const isWhole = async (): Promise<boolean> => {
        found = await primary();
        const others = nodes.filter((node) => node !== found);
        if ((await Promise.all(others.map((node) => node.isReplica()))).includes(false)) return false;
        const counted = `select count(*)::integer as n from pg_stat_replication where state = 'streaming' and sync_state in ('sync', 'quorum')`;
        const rows = await queryDatabase<{ n: number }>(urlOf(password, found.port, 'postgres'), counted).catch(
          () => [],
        );
        return rows[0]?.n === others.length;
      };
      await waitUntil('two replicas that a commit may wait for', isWhole, { timeoutMs: wholeWithinMs, everyMs: 200 });
      return found;
    },
    switchOver: async (from) => {
      const body = JSON.stringify({ leader: from.name });
      const authorization = `Basic ${Buffer.from(`operator:${password}`).toString('base64')}`;
      const isAccepted = async (): Promise<boolean> => {
        const response = await fetch(`${from.restUrl}/switchover`, {
          method: 'POST',
          body,
          headers: { authorization },
        });
        return response.status === 200;
      };
      // Patroni refuses a switchover while it is busy with another change.
      await waitUntil('Patroni accepts the change', isAccepted, { timeoutMs: 30_000, everyMs: 500 });
    },
  };
}
