import type { Domain } from '@tidegate/domain';

/**
 * The cookie of a session. It contains an id that is sealed by a key of the API, so that an invented id is never
 * looked up.
 */
export interface SessionCookie {
  /** The `Set-Cookie` header of a session with this lifetime. */
  set(id: string, lastsMs: number): string;
  /** The `Set-Cookie` header that removes the session from the browser. */
  end: string;
  /** Whether a request has such a cookie, valid or not. */
  isIn(cookies: string | undefined): boolean;
  /** The id in a request's cookie; null if there is none, or if it was not sealed by this service. */
  idIn(cookies: string | undefined): string | null;
}

/**
 * The cookie is sent to the whole host, as the prefix `__Host-` requires: no other host of the domain can set it. `secure`:
 * it goes over TLS alone.
 */
export function openSessionCookie(vault: Domain['vault'], secure: boolean): SessionCookie {
  const name = `${secure ? '__Host-' : ''}tidegate-console`;
  const cookie = (value: string, seconds: number): string =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return {
    set: (id, lastsMs) =>
      cookie(vault.seal('consoleSession', '', id).toString('base64url'), Math.floor(lastsMs / 1_000)),
    end: cookie('', 0),
    isIn: (cookies) => valuesOf(name, cookies).length > 0,
    idIn: (cookies) => openOnly(vault, 'consoleSession', valuesOf(name, cookies)),
  };
}

/** The values of all cookies of this name. */
export function valuesOf(name: string, cookies = ''): string[] {
  return cookies
    .split('; ')
    .filter((one) => one.startsWith(`${name}=`))
    .map((one) => one.slice(name.length + 1));
}

/**
 * The unsealed text of the only cookie of this name; null for an invalid one. Also null for several, because another
 * site must have set one of them.
 */
export function openOnly(
  vault: Domain['vault'],
  place: 'consoleSession' | 'oidcJourney',
  values: readonly string[],
): string | null {
  const [value] = values;
  if (value === undefined || values.length > 1) return null;
  try {
    return vault.open(place, '', Buffer.from(value, 'base64url'));
  } catch {
    return null;
  }
}
