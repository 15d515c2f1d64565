/** The two kinds of installation. A sandbox is for tests only, and never touches real money (decisions 9). */
export const environments = ['sandbox', 'production'] as const;
export type Environment = (typeof environments)[number];

/**
 * What an account at a provider is for, as its adapter reads it from key and host: real money, tests, both at once (a
 * mistake), or it cannot be seen there.
 */
export const channelModes = ['live', 'test', 'mixed', 'unknown'] as const;
export type ChannelMode = (typeof channelModes)[number];

/** The modes that operators can declare where an adapter cannot see the mode. */
export const declarableModes = ['live', 'test'] as const;
export type DeclaredMode = (typeof declarableModes)[number];

/**
 * The mode of an account by the signs of its keys and its host. A sign that names no mode makes the account unknown,
 * unless another one says test. So a live key at a host that is not the provider's is not live.
 */
export function modeOfSigns(signs: readonly (DeclaredMode | 'unknown')[]): ChannelMode {
  const isTest = signs.includes('test');
  if (isTest && signs.includes('live')) return 'mixed';
  if (isTest) return 'test';
  return signs.length > 0 && signs.every((sign) => sign === 'live') ? 'live' : 'unknown';
}

/** The mode that counts: what the adapter sees comes before what operators declared. */
export function modeThatCounts(seen: ChannelMode, declared: DeclaredMode | null): ChannelMode {
  return seen === 'unknown' ? (declared ?? 'unknown') : seen;
}

/** What an adapter saw of an account, and of which one: its host, and the adapter. */
export interface SeenMode {
  mode: ChannelMode;
  adapter: string;
  baseUrl: string;
}

/** Whether the account is that of then. A change of its keys states the mode again. */
export function isSeenStill(seen: SeenMode, account: { adapter: string; baseUrl: string }): boolean {
  return seen.adapter === account.adapter && seen.baseUrl === account.baseUrl;
}

/**
 * The mode of an account of which only some keys can be read: what they show, and what was seen of all when they were
 * entered. A sign of a test account comes first.
 */
export function modeOfParts(shown: ChannelMode, seen: ChannelMode | null): ChannelMode {
  if (seen === null || shown === seen || shown === 'test' || shown === 'mixed') return shown;
  if (shown === 'unknown') return seen;
  return seen === 'test' ? 'mixed' : seen;
}

/** Why an environment cannot use a channel of this mode; null if it can. It follows the name of the channel. */
export function problemOfMode(environment: Environment, mode: ChannelMode): string | null {
  if (mode === 'mixed') return 'has keys of a test account and keys of a live account';
  if (environment === 'sandbox')
    return mode === 'live' ? 'is a live account, and a sandbox must not move real money' : null;
  if (mode === 'test') return 'is a test account, and production moves real money only';
  if (mode === 'unknown') return 'may be a test account: two operators have to declare that it is live';
  return null;
}
