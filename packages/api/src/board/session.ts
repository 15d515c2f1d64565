import type { Domain } from '@tidegate/domain';

/** After it one signs in again. */
export const sessionMs = 30 * 60_000;

/** A longer token makes a cookie that browsers drop. */
export const longestToken = 2_800;

const context = 'board session';

export interface Sessions {
  /** The `Set-Cookie` of a session that begins now with this token. */
  begin(token: string): string;
  /** The token that a request's cookies hold; null where there is none, or it is over or not ours. */
  tokenIn(cookies: string | undefined): string | null;
  end: string;
}

/**
 * A session of the board is its operator's token, sealed by the service's secret, and when it ends: nothing is kept of it, every process
 * knows it, and who revokes the token ends it. `secure`: the cookie goes over TLS alone, and no other host of the domain can set it.
 */
export function openSessions(vault: Domain['vault'], secure: boolean, now = Date.now): Sessions {
  const name = `${secure ? '__Host-' : ''}tidegate-board`;
  const cookie = (value: string, seconds: number): string =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return {
    begin: (token) => {
      const sealed = vault.seal(JSON.stringify({ token, until: now() + sessionMs }), context);
      return cookie(sealed.toString('base64url'), sessionMs / 1_000);
    },
    tokenIn: (cookies = '') => {
      const values = cookies.split('; ').filter((one) => one.startsWith(`${name}=`));
      const [value] = values;
      // Two of them: one was put there by somebody else.
      if (value === undefined || values.length > 1) return null;
      try {
        const { token, until } = JSON.parse(
          vault.open(Buffer.from(value.slice(name.length + 1), 'base64url'), context),
        );
        return until > now() ? token : null;
      } catch {
        return null;
      }
    },
    end: cookie('', 0),
  };
}
