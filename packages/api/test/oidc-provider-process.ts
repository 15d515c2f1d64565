import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@tidegate/sandbox/testing';

const main = fileURLToPath(new URL('./oidc-provider/main.ts', import.meta.url));

/** An identity provider that runs as a process of its own. */
export interface ProviderProcess {
  issuer: string;
  clientSecret: string;
  /** Ends it: from then on it is unavailable. */
  stop(): Promise<void>;
}

/** `redirectUri`: where it sends browsers back to, and nowhere else. */
export async function startProvider(redirectUri: string): Promise<ProviderProcess> {
  const clientSecret = 'the secret of the console at the provider of a test';
  const env = { PATH: process.env.PATH, REDIRECT_URI: redirectUri, CLIENT_SECRET: clientSecret, ...compileCache };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    // It also prints what it would do otherwise in production.
    if (!line.startsWith('{')) continue;
    const { issuer } = JSON.parse(line) as { issuer: string };
    return {
      issuer,
      clientSecret,
      stop: async () => {
        child.kill();
        await ended;
      },
    };
  }
  throw new Error('the identity provider ended before it was ready');
}

/** A browser that goes from the console to the provider and back. It keeps the cookies of each host. */
export interface Traveller {
  /** The cookies that it sends to the console, `name=value` by name. */
  cookies: Map<string, string>;
  /** Follows the sign-in as this person, up to the address where the provider sends the browser back. */
  travel(login: string, returnTo?: string): Promise<string>;
  /** Opens a URL of the console. Redirects are not followed. */
  open(address: string): Promise<{ status: number; location: string | null; cookies: string[] }>;
}

/** `origin`: where the console is for browsers; `url`: where it is reached here. */
export function openTraveller(origin: string, url: string): Traveller {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (address: string): Map<string, string> => {
    const host = new URL(address).origin;
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };
  const go = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const jar = jarOf(address);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie !== '' && { cookie }) };
    const response = await fetch(address.replace(origin, url), { redirect: 'manual', ...init, headers });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  /** The address that an answer leads to. */
  const next = (response: Response, from: string): string => {
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${from} answers ${response.status} and leads nowhere`);
    return new URL(location, from).href;
  };
  return {
    cookies: jarOf(origin),
    travel: async (login, returnTo = '/console/') => {
      let at = `${origin}/console/sign-in/oidc?returnTo=${encodeURIComponent(returnTo)}`;
      for (let steps = 0; steps < 12; steps += 1) {
        const response = await go(at);
        if (response.status === 200) {
          const prompt = (await response.text()).includes('name="login"') ? 'login' : 'consent';
          const body = new URLSearchParams({ prompt, login, password: 'any' });
          at = next(await go(at, { method: 'POST', body }), at);
        } else at = next(response, at);
        if (at.startsWith(`${origin}/console/`) && !at.includes('/console/sign-in/oidc?')) return at;
      }
      throw new Error(`the provider leads in circles: ${at}`);
    },
    open: async (address) => {
      const response = await go(address);
      await response.text();
      const { status, headers } = response;
      return { status, location: headers.get('location'), cookies: headers.getSetCookie() };
    },
  };
}
