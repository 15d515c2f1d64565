import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compileCache, createTestDatabase } from '@tidegate/sandbox/testing';
import { expect, test } from 'vitest';
import { openApiFixture } from '../test/api-fixture.ts';
import { silentLive } from '../test/silent-live.ts';
import { graphiqlExamples } from './graphiql-examples.ts';
import { warmUp } from './warm-up.ts';

const script = fileURLToPath(new URL('../test/first-document.ts', import.meta.url));

/** What the first document of a process costs it, in milliseconds of a processor. */
async function costOfFirst(mode: 'cold' | 'warm', databaseUrl: string): Promise<number> {
  const env = { PATH: process.env.PATH, ...compileCache };
  const { stdout } = await promisify(execFile)(process.execPath, [script, databaseUrl, mode], { env });
  const { cpuMs, answer } = JSON.parse(stdout) as { cpuMs: number; answer: object };
  expect(answer).toMatchObject({ data: { orders: { edges: [] } } });
  return cpuMs;
}

test('after a warm-up the first document takes less than half of the time that it takes a cold process', async () => {
  const { url } = await createTestDatabase();
  const cold = await costOfFirst('cold', url);
  const warm = await costOfFirst('warm', url);
  console.info(`first document: cold ${cold.toFixed(0)} ms, warm ${warm.toFixed(0)} ms`);
  expect(warm).toBeLessThan(cold / 2);
});

test('a warm-up runs the example queries and the queries of the console, changes nothing, and skips a wrong document', async () => {
  const { domain, close } = await openApiFixture();
  const count = async () =>
    (
      await domain.database.pool.query(
        'select (select count(*) from audit_record) + (select count(*) from transfer) as n',
      )
    ).rows[0].n;
  const before = await count();
  const operations = new Map([
    ['1', 'query Page { orders(first: 1) { edges { cursor } } }'],
    ['2', 'query Gone { fieldThatIsGone }'],
    ['3', 'no document'],
  ]);
  const options = { domain, live: silentLive(domain) };
  const examples = graphiqlExamples(0).length;
  expect(await warmUp({ ...options, consoleOperations: () => operations })).toBe(examples + 3);
  expect(await count()).toBe(before);
  expect(await warmUp({ ...options, limitMs: -1 })).toBe(0);
  await close();
});
