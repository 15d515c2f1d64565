import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { SandboxFile } from '../../tools/sandbox/src/sandbox-file.ts';
import type { GuideStep } from './read-guide.ts';

const commandLine = fileURLToPath(new URL('../../packages/client/src/cli/main.ts', import.meta.url));
const run = promisify(execFile);

export type Data = Record<string, unknown>;

/** A reader who follows the guide, on one sandbox. */
export interface Reader {
  /** The values for placeholders in angle brackets, by name. */
  readonly known: Map<string, string>;
  /** Runs a document; gives the answer's data. Throws where there are errors, and where a mutation was not done. */
  ask(step: GuideStep & { does: 'document' }): Promise<Data>;
  /** The same for a document that the guide has within a sentence. */
  askWith(token: string, query: string): Promise<Data>;
  /** Runs a merchant's command; gives the order that it made. */
  play(args: readonly string[]): Promise<{ orderNo: string; merchantOrderNo: string }>;
  /** The stuck payouts that the worker's metrics count. */
  stuckPayouts(): Promise<number>;
}

export function openReader(sandbox: SandboxFile, known: Map<string, string>): Reader {
  const post = async (token: string, body: object): Promise<Data> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const response = await fetch(sandbox.graphqlUrl, { method: 'POST', headers, body: JSON.stringify(body) });
    const { data, errors } = (await response.json()) as { data?: Data; errors?: object[] };
    if (errors || !data) throw new Error(`${JSON.stringify(body)} was answered with ${JSON.stringify(errors)}`);
    return data;
  };
  return {
    known,
    async ask({ query, variables, asSecond }) {
      const token = asSecond ? sandbox.approverToken : sandbox.adminToken;
      const filled = JSON.parse(JSON.stringify(variables), (_, value) => fill(value, known));
      const data = await post(token, { query, variables: filled });
      for (const [field, done] of Object.entries(data))
        if (query.startsWith('mutation') && hasMessage(done)) throw new Error(`${field}: ${done.message}`);
      return data;
    },
    askWith: (token, query) => post(token, { query }),
    async play(args) {
      const settings = join(tmpdir(), `tidegate-guide-${process.pid}.json`);
      writeFileSync(settings, JSON.stringify(sandbox), { mode: 0o600 });
      try {
        const env = { ...process.env, TIDEGATE_SETTINGS: settings };
        const { stdout } = await run(process.execPath, [commandLine, ...args], { env, timeout: 60_000 });
        return JSON.parse(stdout);
      } finally {
        rmSync(settings, { force: true });
      }
    },
    async stuckPayouts() {
      const metrics = await (await fetch(`${sandbox.workerUrl}/metrics`)).text();
      return Number(/^tidegate_payouts_stuck (\d+)$/m.exec(metrics)?.[1] ?? 0);
    },
  };
}

function fill(value: unknown, known: ReadonlyMap<string, string>): unknown {
  const [, name] = typeof value === 'string' ? (/^<(\w+)>$/.exec(value) ?? []) : [];
  if (name === undefined) return value;
  const found = known.get(name);
  if (found === undefined) throw new Error(`who reads the guide does not know what to fill in for <${name}>`);
  return found;
}

/** A problem: every other answer of a mutation is without a message. */
function hasMessage(done: unknown): done is { message: string } {
  return typeof done === 'object' && done !== null && 'message' in done;
}
