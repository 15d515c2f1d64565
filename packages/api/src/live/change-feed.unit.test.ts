import type { Change } from '@tidegate/domain';
import { expect, test, vi } from 'vitest';
import { refusal } from '../errors/errors.ts';
import { type Listening, openChangeFeed } from './change-feed.ts';

type Moved = Extract<Change, { type: 'order' }>;

const moved = (orderNo: string, status: 'processing' | 'completed' = 'completed'): Moved => ({
  type: 'order',
  merchantId: 'M1',
  orderNo,
  status,
});
const everything: Listening<'order', Moved> = {
  topic: 'order',
  operatorId: 'ann',
  toMessages: async (changes) => changes,
  maySubscribe: async () => true,
};

async function take<Message>(stream: AsyncIterator<Message>, count: number): Promise<Message[]> {
  const values: Message[] = [];
  while (values.length < count) {
    const { done, value } = await stream.next();
    if (done) break;
    values.push(value);
  }
  return values;
}

test('every subscriber receives all events, in order', async () => {
  const feed = openChangeFeed();
  const streams = [feed.listen(everything), feed.listen({ ...everything, operatorId: 'bob' })];
  const received = streams.map((stream) => take(stream, 3));
  feed.receive([moved('PI1'), moved('PI2')]);
  feed.receive([moved('PI3')]);
  for (const changes of received) expect(await changes).toEqual([moved('PI1'), moved('PI2'), moved('PI3')]);
});

test('events between the subscription and the first read are not missed', async () => {
  const feed = openChangeFeed();
  const stream = feed.listen(everything);
  feed.receive([moved('PI1')]);
  expect(await take(stream, 1)).toEqual([moved('PI1')]);
});

test('each subscriber receives only events of its topic', async () => {
  const feed = openChangeFeed();
  const stream = feed.listen(everything);
  const depths = feed.listen({
    topic: 'queues',
    operatorId: 'ann',
    toMessages: async (events) => events.map(({ queues }) => queues.length),
    maySubscribe: async () => true,
  });
  expect([feed.count('order'), feed.count('queues'), feed.count('case'), feed.count()]).toEqual([1, 1, 0, 2]);
  feed.receive([
    { type: 'case', merchantId: 'M1', caseNo: 1, state: 'open', isNew: true },
    { type: 'queues', queues: [] },
    moved('PI1'),
  ]);
  expect(await take(stream, 1)).toEqual([moved('PI1')]);
  expect(await take(depths, 1)).toEqual([0]);
});

test('an event without a message is not published', async () => {
  const feed = openChangeFeed();
  const stream = feed.listen({
    ...everything,
    toMessages: async (changes) => changes.filter(({ orderNo }) => orderNo === 'PI2'),
  });
  const received = take(stream, 1);
  feed.receive([moved('PI1'), moved('PI2'), moved('PI3')]);
  expect(await received).toEqual([moved('PI2')]);
});

test('an order that changes several times between two reads is published once, in its last state', async () => {
  const feed = openChangeFeed();
  const stream = feed.listen(everything);
  feed.receive([moved('PI1', 'processing')]);
  feed.receive([moved('PI2', 'processing')]);
  feed.receive([moved('PI2', 'completed')]);
  expect(await take(stream, 2)).toEqual([moved('PI1', 'processing'), moved('PI2', 'completed')]);
});

test('changed orders are read together, a hundred at a time', async () => {
  const feed = openChangeFeed();
  const batchSizes: number[] = [];
  const stream = feed.listen({
    ...everything,
    toMessages: async (changes) => {
      batchSizes.push(changes.length);
      return changes;
    },
  });
  feed.receive(Array.from({ length: 250 }, (_, n) => moved(`PI${n}`)));
  expect(await take(stream, 250)).toHaveLength(250);
  expect(batchSizes).toEqual([100, 100, 50]);
});

test('a client that reads too slowly gets an error, and delays no other', async () => {
  const feed = openChangeFeed();
  const slow = feed.listen(everything);
  const quick = feed.listen({ ...everything, operatorId: 'bob' });
  for (let i = 0; i < 5_001; i++) {
    const next = quick.next();
    feed.receive([moved(`PI${i}`)]);
    await next;
  }
  await expect(slow.next()).rejects.toThrow('read too slowly');
  expect(await slow.next()).toEqual({ done: true, value: undefined });
  expect(feed.count()).toBe(1);
});

test('a failed read ends the stream with the reason', async () => {
  const feed = openChangeFeed();
  const stream = feed.listen({
    ...everything,
    toMessages: () => Promise.reject(new Error('the database is unavailable')),
  });
  feed.receive([moved('PI1')]);
  await expect(stream.next()).rejects.toThrow('the database is unavailable');
  expect(feed.count()).toBe(0);
});

test('a stream ends when its operator loses the permission, also without events', async () => {
  let may = true;
  const feed = openChangeFeed(5);
  const next = feed.listen({ ...everything, maySubscribe: async () => may }).next();
  may = false;
  await expect(next).rejects.toThrow('no longer valid');
  expect(feed.count()).toBe(0);
});

test('a stream ends with the reason when its operator cannot be read', async () => {
  const feed = openChangeFeed(5);
  const stream = feed.listen({
    ...everything,
    maySubscribe: () => Promise.reject(new Error('the database is unavailable')),
  });
  await expect(stream.next()).rejects.toThrow('the database is unavailable');
});

test('a topic that cannot be published any more ends its own streams with the reason, and no others', async () => {
  const feed = openChangeFeed();
  const [orders, cases] = [
    feed.listen(everything),
    feed.listen({ ...everything, topic: 'case', toMessages: async () => [] }),
  ];
  const next = orders.next();
  feed.fail(['order'], refusal('SERVICE_UNAVAILABLE', 'changes were missed'));
  await expect(next).rejects.toThrow('changes were missed');
  expect([feed.count('order'), feed.count('case')]).toEqual([0, 1]);
  await cases.return?.();
});

test('at shutdown every stream ends, and no more are opened', async () => {
  const feed = openChangeFeed();
  const next = feed.listen(everything).next();
  feed.endAll();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(() => feed.listen(everything)).toThrow('no more streams');
});

test('an operator may have twenty streams at the same time', async () => {
  const feed = openChangeFeed();
  const streams = Array.from({ length: 20 }, () => feed.listen(everything));
  expect(() => feed.listen(everything)).toThrow('you listen to 20 streams already');
  expect(feed.count()).toBe(20);
  await streams[0]?.return?.();
  expect(feed.count()).toBe(19);
  feed.listen(everything);
});

test('all operators together may have five hundred streams', () => {
  const feed = openChangeFeed();
  for (let n = 0; n < 500; n += 1) feed.listen({ ...everything, operatorId: `op-${n}` });
  expect(() => feed.listen({ ...everything, operatorId: 'one more' })).toThrow('500 streams are open here');
});

test('a client that disconnects while it waits, or during a look-up, leaves no stream open', async () => {
  vi.useFakeTimers();
  const feed = openChangeFeed();
  const waiting = feed.listen(everything);
  const next = waiting.next();
  await waiting.return?.();
  expect(await next).toEqual({ done: true, value: undefined });
  const looking = Promise.withResolvers<Moved[]>();
  const stream = feed.listen({ ...everything, toMessages: () => looking.promise });
  feed.receive([moved('PI1')]);
  const messages = stream.next();
  await stream.return?.();
  looking.resolve([moved('PI1')]);
  await messages;
  expect([feed.count(), vi.getTimerCount()]).toEqual([0, 0]);
  vi.useRealTimers();
});
