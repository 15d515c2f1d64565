import type { Domain } from '@tidegate/domain';

/** After this time a new sign-in is needed. */
export const sessionMs = 30 * 60_000;

/** In characters. With a longer token, browsers would drop the cookie. */
export const maxToken = 2_800;

export interface Sessions {
  /** The `Set-Cookie` header of a new session with this token. */
  begin(token: string): string;
  /** The token in a request's session cookie; null if there is none, it has expired, or it is not ours. */
  tokenIn(cookies: string | undefined): string | null;
  /** The `Set-Cookie` header that ends a session. */
  end: string;
}

/**
 * A board session is its operator's token and an expiry time, sealed by a key of the API. Nothing is stored, every
 * process can read it, and revoking the token ends it. `secure`: the cookie is sent over TLS only, and no other host of
 * the domain can set it.
 */
export function openSessions(vault: Domain['vault'], secure: boolean, now = Date.now): Sessions {
  const name = `${secure ? '__Host-' : ''}tidegate-board`;
  const cookie = (value: string, seconds: number): string =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return {
    begin: (token) => {
      const sealed = vault.seal('boardSession', '', JSON.stringify({ token, until: now() + sessionMs }));
      return cookie(sealed.toString('base64url'), sessionMs / 1_000);
    },
    tokenIn: (cookies = '') => {
      const values = cookies.split('; ').filter((one) => one.startsWith(`${name}=`));
      const [value] = values;
      // Two cookies of this name: another site of the domain has set one of them.
      if (value === undefined || values.length > 1) return null;
      try {
        const { token, until } = JSON.parse(
          vault.open('boardSession', '', Buffer.from(value.slice(name.length + 1), 'base64url')),
        );
        return until > now() ? token : null;
      } catch {
        return null;
      }
    },
    end: cookie('', 0),
  };
}
