import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openConsoleFiles } from '../src/console/console-files.ts';
import type { ConsoleOptions } from '../src/console/console-options.ts';
import type { ServerOptions } from '../src/server.ts';
import { type Answer, type ApiFixture, openApiFixture, readAnswer } from './api-fixture.ts';

/** A script that is worth compressing. */
export const appScript = `export const rows = ${JSON.stringify(Array.from({ length: 400 }, (_, row) => `row ${row}`))};\n`;

/** A console as its build leaves it, in a folder of the test's own. */
export const builtFiles: Readonly<Record<string, string>> = {
  'index.html':
    '<!doctype html><title>Tidegate</title><script type="module" src="/console/assets/app-1a2b3c4d.js"></script>',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'colour-scheme.js': 'document.documentElement.dataset.scheme = "light";',
  'assets/app-1a2b3c4d.js': appScript,
  'notes.secret': 'no file of a console',
};

/** APIs with a console. */
export interface ConsoleFixture extends ApiFixture {
  folder: string;
  /** `folder`: another one than the fixture's. */
  serveConsole(console?: Partial<ConsoleOptions> & { folder?: string }, more?: Partial<ServerOptions>): Promise<string>;
}

export async function openConsoleFixture(): Promise<ConsoleFixture> {
  const api = await openApiFixture();
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-console-'));
  for (const [name, text] of Object.entries(builtFiles)) writeFile(join(folder, name), text);
  return {
    ...api,
    folder,
    serveConsole: ({ folder: another = folder, ...console } = {}, more = {}) =>
      api.serve({ ...more, console: { ...consoleOptions(another), ...console } }),
    close: async () => {
      await api.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** What a console is served with unless a test says otherwise. */
export function consoleOptions(folder: string): ConsoleOptions {
  return {
    files: openConsoleFiles(folder, { mayChange: true }),
    secure: false,
    origin: null,
    sandboxTokens: {},
    provider: null,
    sessionMs: 8 * 60 * 60_000,
    idleMs: 30 * 60_000,
  };
}

/** Writes a file and the folders above it. */
export function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A browser that shows the console: it keeps the session's cookie, and sends what the console's pages send. */
export interface Browser {
  /** The cookie that it sends, `name=value`; empty where there is none. */
  cookie: string;
  send(method: string, path: string, options?: { body?: unknown; headers?: Record<string, string> }): Promise<Response>;
  /** Signs in and requires that it is let in. */
  signIn(token: string): Promise<void>;
  /** What the console learns of its session. */
  session(): Promise<SessionView>;
  graphql(query: string, headers?: Record<string, string>): Promise<Answer>;
}

export interface SessionView {
  signedIn: boolean;
  operator?: { id: string; name: string; roles: string[] };
  expiresAt?: string;
  idleExpiresAt?: string;
  methods: { token: boolean; oidc: boolean; sandboxRoles: string[] };
}

export function openBrowser(url: string): Browser {
  const browser: Browser = {
    cookie: '',
    send: async (method, path, { body, headers } = {}) => {
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          'x-tidegate-console': '1',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(browser.cookie !== '' && { cookie: browser.cookie }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [pair = ''] = cookie.split(';');
        if (/tidegate-console=/.test(pair)) browser.cookie = pair.endsWith('=') ? '' : pair;
      }
      return response;
    },
    signIn: async (token) => {
      const response = await browser.send('POST', '/console/session', { body: { token } });
      if (response.status !== 204) throw new Error(`${response.status}: ${await response.text()}`);
    },
    session: async () => (await (await browser.send('GET', '/console/session')).json()) as SessionView,
    graphql: async (query, headers = {}) =>
      readAnswer(await browser.send('POST', '/graphql', { body: { query }, headers })),
  };
  return browser;
}
