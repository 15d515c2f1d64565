import type { Change } from '@tidegate/domain';
import { expect, test } from 'vitest';
import { type Listening, openChangeFeed } from './change-feed.ts';

const moved = (orderNo: string, status: 'processing' | 'completed' = 'completed'): Change => ({
  type: 'order',
  merchantId: 'M1',
  orderNo,
  status,
});
const everything: Listening = { operatorId: 'ann', wants: async () => true, stillMay: async () => true };

async function taken(stream: AsyncIterator<Change>, count: number): Promise<unknown[]> {
  const values: unknown[] = [];
  while (values.length < count) values.push((await stream.next()).value);
  return values;
}

test('everybody who listens hears everything, in order', async () => {
  const feed = openChangeFeed();
  const streams = [feed.listen(everything), feed.listen({ ...everything, operatorId: 'bob' })];
  const heard = streams.map((stream) => taken(stream, 3));
  feed.heard([moved('PI1'), moved('PI2')]);
  feed.heard([moved('PI3')]);
  for (const changes of heard) expect(await changes).toEqual([moved('PI1'), moved('PI2'), moved('PI3')]);
});

test('only what a stream wants is told', async () => {
  const feed = openChangeFeed();
  const stream = feed.listen({
    ...everything,
    wants: async (change) => change.type === 'order' && change.orderNo === 'PI2',
  });
  const heard = taken(stream, 1);
  feed.heard([moved('PI1'), moved('PI2'), moved('PI3')]);
  expect(await heard).toEqual([moved('PI2')]);
});

test('an order that moves while nobody reads is told once, as it moved last', async () => {
  const feed = openChangeFeed();
  const stream = feed.listen(everything);
  const first = stream.next();
  feed.heard([moved('PI0')]);
  await first;
  feed.heard([moved('PI1', 'processing')]);
  feed.heard([moved('PI2', 'processing')]);
  feed.heard([moved('PI2', 'completed')]);
  expect(await taken(stream, 2)).toEqual([moved('PI1', 'processing'), moved('PI2', 'completed')]);
});

test('who reads too slowly is told so, and the others are not held up', async () => {
  const feed = openChangeFeed();
  const slow = feed.listen(everything);
  const first = slow.next();
  feed.heard([moved('PI0')]);
  await first;
  for (let i = 0; i <= 1_001; i++) feed.heard([moved(`PI1${i}`)]);
  const read = async () => {
    for (let i = 0; i < 2_000; i++) if ((await slow.next()).done) return;
  };
  await expect(read()).rejects.toThrow('read too slowly');
});

test('a stream ends when its operator no longer may', async () => {
  let may = true;
  const stream = openChangeFeed(5).listen({ ...everything, stillMay: async () => may });
  const next = stream.next();
  may = false;
  await expect(next).rejects.toThrow('no longer valid');
});

test('at the end every stream ends in order, and no more are opened', async () => {
  const feed = openChangeFeed();
  const next = feed.listen(everything).next();
  feed.endAll();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(() => feed.listen(everything)).toThrow('no more streams');
});

test('an operator may listen to twenty streams, and to another when one has ended', async () => {
  const feed = openChangeFeed();
  const open = () => {
    const stream = feed.listen(everything);
    return { stream, next: stream.next() };
  };
  const streams = Array.from({ length: 20 }, open);
  expect(open).toThrow('you listen to 20 streams already');
  await streams[0]?.stream.return?.();
  expect(open).not.toThrow();
  feed.endAll();
  await Promise.all(streams.map(({ next }) => next));
});
