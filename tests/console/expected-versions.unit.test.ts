import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// A page that is out of date decides nothing: the console sends the version that it shows with each mutation that takes one.

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

test('every document of the console passes the version where the API accepts it', () => {
  const mutations = /\ntype Mutation \{([\s\S]*?)\n\}\n/.exec(read('packages/api/schema.graphql'))?.[1] ?? '';
  const versioned = [...mutations.matchAll(/\n {2}(\w+)\(([\s\S]*?)\n {2}\)/g)]
    .filter(([, , given = '']) => given.includes('expectedVersion: String'))
    .map(([, name = '']) => name);
  expect(versioned.length).toBeGreaterThan(20);
  const documents = globSync('packages/console/src/**/*.graphql', { cwd: root }).map(read).join('\n');
  const sent = [...documents.matchAll(/\n {2}(\w+)\((input|approvalId): .*\{/g)].map(([line, name = '']) => ({
    name,
    line,
  }));
  expect(sent.length).toBeGreaterThan(20);
  const without = sent
    .filter(({ name, line }) => versioned.includes(name) && !line.includes('expectedVersion: $expectedVersion'))
    .map(({ name }) => name);
  expect(without).toEqual([]);
});
