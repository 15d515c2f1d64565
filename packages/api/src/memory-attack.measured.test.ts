import { randomBytes } from 'node:crypto';
import { addOperatorToken, createOperator, makeToken } from '@tidegate/domain/admin';
import { openTestDomain } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, ask } from '../test/api-fixture.ts';
import { type ApiProcess, addressOf, apiProcesses, ownEnvironment } from '../test/api-process.ts';

// A real process with little memory, and callers whose documents are expensive to keep.

const { start, killAll } = apiProcesses();
let api: ApiProcess;
let url: string;
let token: string;
beforeAll(async () => {
  const environment = await ownEnvironment();
  const { domain, close } = await openTestDomain(environment.DATABASE_URL ?? '');
  token = makeToken(randomBytes(32));
  await createOperator(domain, { operatorId: 'vera', name: 'Vera', roles: ['viewer'] });
  await addOperatorToken(domain, 'vera', token);
  await close();
  api = start({ ...environment, TIDEGATE_ENV: 'sandbox' }, ['--max-old-space-size=104']);
  url = await addressOf(api);
});
afterAll(killAll);

/**
 * The service refuses a document that takes a second to validate, which happens on a busy machine. Then the test sends
 * it again.
 */
async function askInTime(document: string, options: { token?: string }): Promise<Answer> {
  const answer = await ask(url, document, options);
  return answer.errors[0]?.message.includes('to validate') ? askInTime(document, options) : answer;
}

/** Distinct documents of one length, more at once than a browser would send. */
async function send(count: number, documentOf: (i: number) => string, own?: string): Promise<Set<string>> {
  const seen = new Set<string>();
  for (let sent = 0; sent < count; sent += 32) {
    const answers = Array.from({ length: 32 }, (_, i) =>
      askInTime(documentOf(sent + i), own === undefined ? {} : { token: own }),
    );
    for (const { status, errors } of await Promise.all(answers))
      seen.add(`${status} ${errors[0]?.extensions.code ?? 'answered'}`);
  }
  return seen;
}

const commentsOf = (length: number) => '#\n'.repeat(length / 2);
const repeated = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');

test('documents of callers without a token are not read, however many there are', async () => {
  expect(await send(128, (i) => `{ a${i}: __typename } ${commentsOf(60_000)}`)).toEqual(
    new Set(['401 UNAUTHENTICATED']),
  );
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test("an operator's long documents are refused, and those within the limits do not fill the memory", async () => {
  const long = await send(32, (i) => `{ a${i}: __typename } ${commentsOf(20_000)}`, token);
  expect(long).toEqual(new Set(['200 GRAPHQL_PARSE_FAILED']));
  // Twice each, so that they would be compiled.
  const dear = (i: number) =>
    `{ x${i >> 1}: order(orderNo: "PI1") { ${repeated(25, (n) => `t${n}: timeline(first: 1) { edges { node { at ... on OrderMoved { from to } } } }`)} } } ${commentsOf(10_000)}`;
  expect(await send(128, dear, token)).toEqual(new Set(['200 answered']));
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(api.child.exitCode).toBeNull();
});
