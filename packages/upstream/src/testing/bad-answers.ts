import type { Channel } from '@tidegate/domain/channels';
import { expect, test } from 'vitest';
import { type ContractSubject, longDeadline, NO_ANSWER, paid } from './contract-subject.ts';
import { type Behaviour, passOn, type SeenRequest, startFaultyUpstream } from './faulty-upstream.ts';

const CALLS = ['create', 'query', 'cancel'] as const;
const SHORT_MS = 400;

/** No answer, or half of one. `facing` returns the channel in front of such an upstream. */
export function lostAnswers(
  subject: () => ContractSubject,
  facing: (behave: Behaviour) => Promise<Channel>,
  seen: () => SeenRequest[],
): void {
  test.each(CALLS)('%s at an address without a server has no answer', async (call) => {
    const unavailable = await startFaultyUpstream(() => {});
    await unavailable.close();
    expect(
      await subject()
        .channelAt(unavailable.url)
        [call](subject().orderThat('stays_open'), AbortSignal.timeout(SHORT_MS)),
    ).toMatchObject(NO_ANSWER);
  });

  test.each(CALLS)('%s that is never answered ends with its signal and has no answer', async (call) => {
    const channel = await facing(() => {});
    const limit = new AbortController();
    const answer = channel[call](subject().orderThat('stays_open'), limit.signal);
    await expect.poll(() => seen().length).toBe(1);
    const began = performance.now();
    limit.abort();
    expect(await answer).toMatchObject(NO_ANSWER);
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(seen()).toHaveLength(1);
  });

  test.each(CALLS)('%s with an ended signal has no answer and sends nothing', async (call) => {
    const channel = await facing(() => {});
    expect(await channel[call](subject().orderThat('stays_open'), AbortSignal.abort())).toMatchObject(NO_ANSWER);
    expect(seen()).toHaveLength(0);
  });

  test.each([
    ['breaks before it reaches the upstream', async () => {}],
    ['breaks after the upstream stored the order', (request: SeenRequest) => passOn(subject().url, request)],
  ])('a create whose connection %s is sent again, and makes one order', async (_how, beforeItBreaks) => {
    const order = subject().orderThat('is_paid');
    let times = 0;
    const channel = await facing(async (request, reply) => {
      times += 1;
      if (times <= 2) {
        await beforeItBreaks(request);
        reply.destroy();
        return;
      }
      const answer = await passOn(subject().url, request);
      reply.writeHead(answer.status, answer.headers).end(answer.body);
    });
    expect((await channel.create(order, longDeadline())).outcome).toMatch(/^(accepted|paid)$/);
    if (subject().searchesBeforeRepeating) expect(times).toBeGreaterThanOrEqual(3);
    else expect(times).toBe(3);
    await paid(channel, order);
    expect(await subject().paymentsUpstream(order.orderNo)).toBe(1);
  });

  test('a create that always gets HTTP 5xx ends with its signal and has no answer', async () => {
    const end = new AbortController();
    const channel = await facing((_request, reply) => {
      reply.writeHead(503).end('{}');
      if (seen().length > 1) end.abort();
    });
    expect(await channel.create(subject().orderThat('stays_open'), end.signal)).toMatchObject(NO_ANSWER);
  });
}

type Reply = { status: number; type?: string; body: string };

const UNREADABLE: Record<string, Reply> = {
  'not JSON': { status: 200, body: '<html>busy</html>' },
  'cut short': { status: 200, body: '{"orderNo":"' },
  'not UTF-8 JSON of an order': { status: 200, body: '{"hello":"world"}' },
  'JSON that is no object': { status: 200, body: 'null' },
  'of another media type': { status: 200, type: 'text/html', body: '{}' },
  'an unknown error': { status: 418, body: '{"code":"teapot","message":"short and stout"}' },
  'a bare 404': { status: 404, body: '{}' },
  'a bare 400': { status: 400, body: '{}' },
  'a redirect': { status: 307, body: '{}' },
};

/** Complete answers that cannot be trusted. */
export function unreadableAnswers(
  subject: () => ContractSubject,
  facing: (behave: Behaviour) => Promise<Channel>,
  seen: () => SeenRequest[],
): void {
  const cases = CALLS.flatMap((call) =>
    Object.entries(UNREADABLE).map(([what, reply]) => [call, what, reply] as const),
  );
  test.each(cases)(
    '%s that is answered with something %s has no answer',
    async (call, _what, { status, type, body }) => {
      const channel = await facing((request, reply) => {
        const headers = { 'content-type': type ?? 'application/json', location: `${subject().url}${request.path}` };
        reply.writeHead(status, { ...headers, ...subject().proveReply(request, status, body) }).end(body);
      });
      expect(await channel[call](subject().orderThat('stays_open'), longDeadline())).toMatchObject(NO_ANSWER);
      expect(seen()).toHaveLength(1);
    },
  );

  test.each(CALLS)('%s with an answer without an end is given up long before its time limit', async (call) => {
    let cut = false;
    const channel = await facing((_request, reply) => {
      reply.on('close', () => {
        cut = true;
      });
      reply.writeHead(200, { 'content-type': 'application/json' });
      const pour = () => {
        while (!reply.destroyed && reply.write(' '.repeat(16_384)));
      };
      reply.on('drain', pour);
      pour();
    });
    const signal = longDeadline();
    expect(await channel[call](subject().orderThat('stays_open'), signal)).toMatchObject(NO_ANSWER);
    expect(signal.aborted).toBe(false);
    await expect.poll(() => cut).toBe(true);
  });

  test('an answer about another order counts as no answer', async () => {
    const [other, order] = [subject().orderThat('stays_open'), subject().orderThat('stays_open')];
    await subject().channelAt(subject().url).create(other, longDeadline());
    let aboutOther = '';
    const channel = await facing(async (request, reply) => {
      if (aboutOther === '') {
        const answer = await passOn(subject().url, request);
        aboutOther = answer.body;
        reply.writeHead(answer.status, answer.headers).end(answer.body);
        return;
      }
      const headers = { 'content-type': 'application/json', ...subject().proveReply(request, 200, aboutOther) };
      reply.writeHead(200, headers).end(aboutOther);
    });
    expect(await channel.query(other, longDeadline())).toMatchObject({ outcome: 'accepted' });
    expect(await channel.query(order, longDeadline())).toMatchObject(NO_ANSWER);
    expect(await channel.query(other, longDeadline())).toMatchObject({ outcome: 'accepted' });
  });
}
