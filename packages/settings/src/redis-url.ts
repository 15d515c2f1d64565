/** The address of a Redis, from `REDIS_URL`. */
export interface RedisPlace {
  /** One server; or some nodes of a cluster, through which the others are found. */
  nodes: readonly [RedisNode, ...RedisNode[]];
  isCluster: boolean;
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

const defaultPort = 6379;
const form =
  'has to be redis://host:port or rediss://host:port, or several of a Redis Cluster with commas between them';

/**
 * Reads `redis://user:password@host:port/database`, or a Redis Cluster: several such addresses with commas between
 * them, or one with `?cluster=true`. `rediss://` is TLS. Returns all problems, as texts that continue after the
 * variable's name and never repeat its value.
 */
export function readRedisUrl(text: string): ReadRedisUrl {
  // A password may contain a comma, so only a comma before another address separates.
  const parts = text.split(/,\s*(?=rediss?:)/i).map((part) => part.trim());
  const urls = parts.flatMap((part) => (URL.canParse(part) ? [new URL(part)] : []));
  const [first, ...others] = urls.filter(({ protocol, hostname }) => /^rediss?:$/.test(protocol) && hostname !== '');
  if (!first || 1 + others.length < parts.length) return { ok: false, problems: [form] };
  const all: [URL, ...URL[]] = [first, ...others];
  const place: RedisPlace = {
    nodes: [nodeOf(first), ...others.map(nodeOf)],
    isCluster: others.length > 0 || all.some((url) => url.searchParams.get('cluster') === 'true'),
    database: Number(databaseOf(first)),
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
    broken: (urls, { isCluster }) => isCluster && urls.some((url) => /^[0-9]*[1-9][0-9]*$/.test(databaseOf(url))),
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
    problem: 'has a parameter that is not known: there is cluster=true and no other',
    broken: (urls) => urls.some(({ searchParams }) => [...searchParams.keys()].some((name) => name !== 'cluster')),
  },
  {
    problem: 'says cluster, which can only be true; with several addresses it is one anyway',
    broken: (urls) => urls.some(({ searchParams }) => searchParams.getAll('cluster').some((said) => said !== 'true')),
  },
];

/** URLs write IPv6 addresses in brackets. */
function nodeOf({ hostname, port }: URL): RedisNode {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) };
}

function databaseOf({ pathname }: URL): string {
  return pathname.slice(1) || '0';
}

/** The login of the first address that has one. */
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
