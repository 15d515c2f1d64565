import type { ChannelOrder } from '@tidegate/domain/channels';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { passOn, startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { type OpnSetup, openOpn, within } from './testing/open-opn.ts';

let opn: OpnSetup;
beforeAll(async () => {
  opn = await openOpn();
});
afterEach(async () => {
  vi.useRealTimers();
  await opn.control('search-lag', { seconds: 0 });
});
afterAll(() => opn.close());

const anotherProcess = () => opn.channelAt(opn.url);

/** A create that Opn never answers. Its signal ends it as soon as Opn has it, or something on the way to Opn. */
const createEndedBy = async (when: 'before it took effect' | 'after it took effect', order: ChannelOrder) => {
  const end = new AbortController();
  const proxy = await startFaultyUpstream(async (request) => {
    if (when === 'after it took effect') await passOn(opn.url, request);
    end.abort();
  });
  const answer = await opn.channelAt(proxy.url).create(order, end.signal);
  await proxy.close();
  return answer;
};

describe('a create whose answer is lost', () => {
  test('a lost create is searched before it is sent again, so there is one charge', async () => {
    const order = opn.order();
    await opn.control('faults', { fault: 'answer_lost', path: '/charges' });
    const answer = await opn.channel.create(order, within(10_000));
    const charges = await opn.charges(order.orderNo);
    expect(charges).toHaveLength(1);
    expect(answer).toMatchObject({ outcome: 'accepted', channelRef: charges[0]?.id });
  });

  test('a lost create whose signal ended is found by another process, so there is one charge', async () => {
    const order = opn.order();
    expect(await createEndedBy('after it took effect', order)).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    const answer = await anotherProcess().create(order, within(10_000));
    expect(answer).toMatchObject({ outcome: 'accepted', channelRef: (await opn.charges(order.orderNo))[0]?.id });
    expect(await opn.charges(order.orderNo)).toHaveLength(1);
  });

  test('a lost create is not sent again by another process while its outcome is unknown', async () => {
    const order = opn.order();
    await opn.control('search-lag', { seconds: 60 });
    await createEndedBy('after it took effect', order);
    const answer = await anotherProcess().create(order, within(10_000));
    expect(answer).toMatchObject({ outcome: 'unknown', detail: 'another create of this order has no answer yet' });
    expect(await opn.charges(order.orderNo)).toHaveLength(1);
  });

  test('a lost create is found by a search that lags for a second, so there is one charge', async () => {
    const order = opn.order();
    await opn.control('search-lag', { seconds: 1 });
    await opn.control('faults', { fault: 'answer_lost', path: '/charges' });
    expect(await opn.channel.create(order, within(10_000))).toMatchObject({ outcome: 'accepted' });
    expect(await opn.charges(order.orderNo)).toHaveLength(1);
  });

  test('a lost create is sent again only once, however long Opn answers HTTP 5xx', async () => {
    const proxy = await startFaultyUpstream(async (request, reply) => {
      const answer = request.method === 'POST' ? { status: 503, headers: {}, body: '{}' } : null;
      const { status, headers, body } = answer ?? (await passOn(opn.url, request));
      reply.writeHead(status, headers).end(body);
    });
    const answer = await opn.channelAt(proxy.url).create(opn.order(), within(10_000));
    expect(answer).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    expect(proxy.seen.filter(({ method }) => method === 'POST')).toHaveLength(2);
    await proxy.close();
  });

  test('a lost create is taken over by another process after two minutes if a search finds nothing', async () => {
    const order = opn.order();
    expect(await createEndedBy('before it took effect', order)).toMatchObject({ outcome: 'unknown' });
    expect(await anotherProcess().create(order, within(10_000))).toMatchObject({ outcome: 'unknown' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 121_000 });
    expect(await anotherProcess().create(order, within(10_000))).toMatchObject({ outcome: 'accepted' });
    expect(await opn.charges(order.orderNo)).toHaveLength(1);
  });
});
