import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { SandboxProcess } from '../../src/processes.ts';
import { runSandbox } from '../../src/run-sandbox.ts';

/** `npm start` with tiny processes instead of the real ones. Tests of the supervisor run it. */
const script = fileURLToPath(new URL('process.ts', import.meta.url));
const row = (name: SandboxProcess['name'], stage: 1 | 2): SandboxProcess => ({
  name,
  stage,
  script,
  title: `a fake ${name}`,
  readyPath: '/readyz',
});
/** A process of the service, with keys and a user of Redis of its kind. */
const service = (name: 'rest' | 'api' | 'worker'): SandboxProcess => ({ ...row(name, 2), redisUser: name, keys: name });

await runSandbox({
  processes: [row('upstream', 1), row('receiver', 1), service('rest'), service('api'), service('worker')],
  prepareDatabase: async ({ databaseUrl }) => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query('CREATE TABLE IF NOT EXISTS start (at timestamptz DEFAULT now())');
      await client.query('INSERT INTO start DEFAULT VALUES');
    } finally {
      await client.end();
    }
    return { adminToken: 'a', approverToken: 'b', supportToken: 'c', merchants: [] };
  },
});
