import type { DeclaredMode } from '@tidegate/domain/channels';

/** What one setting says about the mode of an account. */
export type ModeSign = DeclaredMode | 'unknown';

/** What the host of a base URL says, by the provider's hosts. Any other host, such as a proxy or a fake, says nothing. */
export function signOfHost(baseUrl: string, { live, test }: Record<DeclaredMode, readonly string[]>): ModeSign {
  if (isAt(baseUrl, test)) return 'test';
  return isAt(baseUrl, live) ? 'live' : 'unknown';
}

/** For hosts that accounts of both modes use: no sign there, and `unknown` anywhere else. */
export function signsOfSharedHost(baseUrl: string, hosts: readonly string[]): ModeSign[] {
  return isAt(baseUrl, hosts) ? [] : ['unknown'];
}

function isAt(baseUrl: string, names: readonly string[]): boolean {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname.replace(/\.$/, '') : '';
  return names.some((name) => host === name || host.endsWith(`.${name}`));
}

/** What the prefix of a key says. `test` is compared first, because `live` may be its beginning. */
export function signOfKey(key: string, prefixes: Record<DeclaredMode, string>): ModeSign {
  if (key.startsWith(prefixes.test)) return 'test';
  return key.startsWith(prefixes.live) ? 'live' : 'unknown';
}
