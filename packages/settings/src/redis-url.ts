/** The address of a Redis, from `REDIS_URL`. */
export interface RedisPlace {
  /** The server itself, or some nodes of a cluster, or some Sentinels. The client finds the others through these. */
  nodes: readonly [RedisNode, ...RedisNode[]];
  isCluster: boolean;
  /**
   * Set if `nodes` are Sentinels. `name` is the server's name in their configuration; the password is for the
   * Sentinels.
   */
  sentinel: { name: string; password: string | null } | null;
  /** Always 0 on a cluster. */
  database: number;
  tls: boolean;
  username: string | null;
  password: string | null;
}

export interface RedisNode {
  host: string;
  port: number;
}

export type ReadRedisUrl = { ok: true; place: RedisPlace } | { ok: false; problems: string[] };

const defaultPort = { server: 6379, sentinel: 26_379 };
/** The URL parameter with the password of the Sentinels. */
const PASSWORD = 'sentinel-password';
const parameters = new Set(['cluster', 'sentinel', PASSWORD]);
const form =
  'has to be redis://host:port or rediss://host:port, or several of a Redis Cluster or of Sentinels with commas between them';

/**
 * Reads the address of one server, of a cluster, or of Sentinels:
 * - One server: `redis://user:password@host:port/database`, with TLS `rediss://`.
 * - A Redis Cluster: several of these with commas between them, or one with `?cluster=true`.
 * - Sentinels: with `?sentinel=name` the hosts are Sentinels. User, password and database belong to that server.
 * Returns all problems, as texts that follow the variable's name and never contain its value.
 */
export function readRedisUrl(text: string): ReadRedisUrl {
  // A password may contain a comma. So only a comma before `redis:` or `rediss:` is a separator.
  const parts = text.split(/,\s*(?=rediss?:)/i).map((part) => part.trim());
  const urls = parts.flatMap((part) => (URL.canParse(part) ? [new URL(part)] : []));
  const [first, ...others] = urls.filter(({ protocol, hostname }) => /^rediss?:$/.test(protocol) && hostname !== '');
  if (!first || 1 + others.length < parts.length) return { ok: false, problems: [form] };
  const all: [URL, ...URL[]] = [first, ...others];
  const [name] = valuesOf(all, 'sentinel');
  const usualPort = name === undefined ? defaultPort.server : defaultPort.sentinel;
  const place: RedisPlace = {
    nodes: [nodeOf(first, usualPort), ...others.map((url) => nodeOf(url, usualPort))],
    isCluster:
      name === undefined && (others.length > 0 || all.some((url) => url.searchParams.get('cluster') === 'true')),
    sentinel: name === undefined ? null : { name, password: valuesOf(all, PASSWORD)[0] || null },
    database: Number(all.map(databaseOf).find(isNamed) ?? 0),
    tls: first.protocol === 'rediss:',
    ...loginOf(all),
  };
  const problems = rules.filter((rule) => rule.broken(all, place)).map((rule) => rule.problem);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, place };
}

const rules: readonly { problem: string; broken: (urls: readonly URL[], place: RedisPlace) => boolean }[] = [
  {
    problem: 'names a database that is not a number (redis://host:port/0)',
    broken: (urls) => urls.some((url) => !/^[0-9]{1,5}$/.test(databaseOf(url))),
  },
  {
    problem: 'names a database other than 0, and a Redis Cluster has no other',
    broken: (urls, { isCluster }) => isCluster && urls.some((url) => /^0*[1-9][0-9]*$/.test(databaseOf(url))),
  },
  {
    problem: 'mixes redis:// and rediss://: all nodes of a cluster are reached the same way',
    broken: (urls) => new Set(urls.map((url) => url.protocol)).size > 1,
  },
  {
    problem: 'names different users or passwords: all nodes of a cluster have the same',
    broken: (urls) => new Set(urls.filter(hasLogin).map((url) => `${url.username}:${url.password}`)).size > 1,
  },
  {
    problem: 'has a user or password that cannot be read: % has to be written %25 there',
    broken: (urls) => urls.some((url) => decoded(url.username) === null || decoded(url.password) === null),
  },
  {
    problem: `has a parameter that is not known: there are cluster=true, sentinel=name and ${PASSWORD}`,
    broken: (urls) => urls.some(({ searchParams }) => [...searchParams.keys()].some((name) => !parameters.has(name))),
  },
  {
    problem: 'says cluster, which can only be true; with several addresses it is one anyway',
    broken: (urls) => urls.some(({ searchParams }) => searchParams.getAll('cluster').some((said) => said !== 'true')),
  },
  {
    problem: 'says cluster and sentinel: it is one or the other',
    broken: (urls, { sentinel }) => sentinel !== null && valuesOf(urls, 'cluster').length > 0,
  },
  {
    problem: 'has to name one server to the Sentinels: sentinel=name',
    broken: (urls) => {
      const names = new Set(valuesOf(urls, 'sentinel'));
      return names.size > 1 || names.has('') || (names.size === 0 && valuesOf(urls, PASSWORD).length > 0);
    },
  },
  {
    problem: 'names different databases: the server behind the Sentinels is one',
    broken: (urls, { sentinel }) => sentinel !== null && new Set(urls.map(databaseOf).filter(isNamed)).size > 1,
  },
];

/** URLs write IPv6 addresses in brackets. */
function nodeOf({ hostname, port }: URL, usualPort: number): RedisNode {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usualPort : Number(port) };
}

function valuesOf(urls: readonly URL[], parameter: string): string[] {
  return urls.flatMap(({ searchParams }) => searchParams.getAll(parameter));
}

/** Whether the address names a database. 0 is the default, and counts as not named. */
const isNamed = (database: string): boolean => database !== '0';

function databaseOf({ pathname }: URL): string {
  return pathname.slice(1) || '0';
}

/** User and password of the first address that has them. */
function loginOf(urls: readonly URL[]): Pick<RedisPlace, 'username' | 'password'> {
  const { username = '', password = '' } = urls.find(hasLogin) ?? {};
  return { username: decoded(username) || null, password: decoded(password) || null };
}

function hasLogin({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
