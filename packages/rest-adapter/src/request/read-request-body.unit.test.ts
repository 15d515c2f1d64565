import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readRequestBody } from './read-request-body.ts';
import { openUnfinishedBodies } from './unfinished-bodies.ts';

const KiB = 1_024;

function aRequest() {
  const stream = new PassThrough();
  return Object.assign(stream, { headers: {} }) as PassThrough & IncomingMessage;
}

test('unfinished bodies share a limit: the oldest one is given up, and bodies at a normal speed are read', async () => {
  const bodies = openUnfinishedBodies(100 * KiB);
  const stuck = [aRequest(), aRequest()];
  const answers = stuck.map((request) => readRequestBody(request, bodies));
  for (const request of stuck) request.write(Buffer.alloc(48 * KiB));
  for (let i = 0; i < 10; i += 1) {
    const request = aRequest();
    const read = readRequestBody(request, bodies);
    request.write(Buffer.alloc(20 * KiB));
    request.end(Buffer.alloc(20 * KiB));
    expect(await read).toHaveLength(40 * KiB);
  }
  expect(await answers[0]).toMatchObject({ failure: 'service_unavailable' });
  // A body that was read completely no longer counts, so there is room for the other one.
  stuck[1]?.end();
  expect(await answers[1]).toHaveLength(48 * KiB);
});
