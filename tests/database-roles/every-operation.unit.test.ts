import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documents, problemsOf } from '../../packages/api/test/whole-documents.ts';
import { operationNames } from './operator.ts';
import { queryArguments } from './query-arguments.ts';

// nightly/database-roles.test.ts does every operation and query with real processes. It also fails for one that is missing, but only after minutes.

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

test('each operation is tried with the roles of the database', () => {
  const steps = ['../nightly/database-roles.test.ts', './operator.ts', './reconcile.ts', './settle.ts']
    .map(textOf)
    .join('\n');
  const done = [...steps.matchAll(/\b(?:act|actByOther)\('(\w+)'/g)].map(([, name]) => name);
  expect(operationNames.filter((name) => !done.includes(name))).toEqual([]);
});

test('each query has its arguments, and all of them are valid', () => {
  const texts = documents(queryArguments({ orderNo: '1', approvalId: '2', now: 0 }));
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.flatMap(problemsOf)).toEqual([]);
});
