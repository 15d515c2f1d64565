import type { Priority } from '@tidegate/domain/sharing';
import { expect, test } from 'vitest';
import { type ChannelBacklog, openChannelBacklog, type Piece } from './channel-backlog.ts';

// A queue with 32 jobs at once: one channel has 8 of them, and 2 while it hangs.

let isHanging = false;
function aBacklog() {
  isHanging = false;
  const started: Promise<void>[] = [];
  const ends: (() => void)[] = [];
  const ran: string[] = [];
  const short: string[] = [];
  const backlog = openChannelBacklog({
    concurrency: 32,
    isHanging: () => isHanging,
    started: (ended) => void started.push(ended),
    short: (channelId) => void short.push(channelId),
  });
  // Each key is an order of another merchant, if no merchant is named.
  const place = (channelId: string, key: string, owner = key, priority: Priority = 'poll') => {
    const run = () => {
      ran.push(key);
      return new Promise<void>((resolve) => void ends.push(resolve));
    };
    return backlog.place(channelId, { key, owner, priority, run });
  };
  const placeMany = (count: number, channelId = 'A') =>
    Array.from({ length: count }, (_, n) => place(channelId, `${channelId}${n}`).as);
  return { backlog, short, started, ends, ran, place, placeMany };
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a channel has a share of the jobs, further work waits, and work of another channel runs at once', () => {
  const { placeMany, place, ran } = aBacklog();
  expect(placeMany(10)).toEqual([...Array(8).fill('runs'), 'waits', 'waits']);
  expect(place('B', 'B0').as).toBe('runs');
  expect(ran).toEqual(['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'B0']);
});

test('a job whose work waits ends at once, and the work runs in order when a slot is free', async () => {
  const { placeMany, place, ends, ran, started } = aBacklog();
  placeMany(8);
  await place('A', 'first').ended;
  await place('A', 'second').ended;
  ends[3]?.();
  await settled();
  expect(ran.slice(8)).toEqual(['first']);
  expect(started).toHaveLength(1);
  ends[0]?.();
  await settled();
  expect(ran.slice(8)).toEqual(['first', 'second']);
});

test('the same work waits once, and may wait again after it ran', async () => {
  const { placeMany, place, ends, ran } = aBacklog();
  placeMany(8);
  expect([place('A', 'same').as, place('A', 'same').as]).toEqual(['waits', 'waits']);
  for (const end of ends.splice(0, 2)) end();
  await settled();
  expect(ran.filter((key) => key === 'same')).toHaveLength(1);
});

test('failed work frees its slot', async () => {
  const { backlog } = aBacklog();
  const fails = () => Promise.reject(new Error('it broke'));
  for (let n = 0; n < 20; n++) {
    const { as, ended } = backlog.place('A', { key: `${n}`, owner: 'M', priority: 'poll', run: fails });
    expect(as).toBe('runs');
    await expect(ended).rejects.toThrow('it broke');
  }
});

test('at most 512 pieces of work wait, and from 256 on the channel is reported as crowded', () => {
  const { placeMany, place } = aBacklog();
  expect(placeMany(8 + 256).filter((as) => as === 'waits')).toHaveLength(256);
  expect(place('A', 'A8')).toMatchObject({ as: 'waits', isCrowded: false });
  expect(place('A', 'one more')).toMatchObject({ as: 'waits', isCrowded: true });
  placeMany(8 + 512);
  expect(place('A', 'too many')).toMatchObject({ as: 'channel_full', isCrowded: true });
  expect(place('B', 'B')).toMatchObject({ as: 'runs', isCrowded: false });
});

test('a backlog that shrinks to 128 is reported as short once, unless its channel hangs', async () => {
  for (const hangs of [false, true]) {
    const { placeMany, ends, short } = aBacklog();
    placeMany(8 + 140);
    isHanging = hangs;
    while (ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await settled();
    }
    expect(short).toEqual(hangs ? [] : ['A']);
  }
});

test('a channel that hangs gets a quarter of its share, and the whole share when it answers again', async () => {
  const { placeMany, place, ends, ran } = aBacklog();
  isHanging = true;
  expect(placeMany(3)).toEqual(['runs', 'runs', 'waits']);
  expect(place('A', 'A2').isCrowded).toBe(true);
  for (let n = 3; n < 12; n++) place('A', `A${n}`);
  isHanging = false;
  ends[0]?.();
  await settled();
  expect(ran).toHaveLength(1 + 8);
});

test('after the end of the backlog no waiting work begins, and no further work is accepted', async () => {
  const { backlog, placeMany, place, ends, ran } = aBacklog();
  placeMany(10);
  backlog.close();
  for (const end of ends) end();
  await settled();
  expect(ran).toHaveLength(8);
  placeMany(8);
  expect(place('A', 'late').as).toBe('channel_full');
});

test.each([
  [1, 1],
  [4, 1],
  [256, 64],
])('of %i jobs one channel may use %i', (concurrency, share) => {
  const never = () => new Promise<void>(() => undefined);
  const backlog: ChannelBacklog = openChannelBacklog({
    concurrency,
    isHanging: () => false,
    started: () => undefined,
    short: () => undefined,
  });
  const placed = Array.from({ length: share + 1 }, (_, n) => {
    const piece: Piece = { key: `${n}`, owner: `M${n}`, priority: 'poll', run: never };
    return backlog.place('A', piece).as;
  });
  expect(placed).toEqual([...Array(share).fill('runs'), 'waits']);
});

test('a merchant with 600 orders at a channel leaves slots and places for nine others, and they are served first', async () => {
  const { place, ends, ran } = aBacklog();
  const greedy = Array.from({ length: 600 }, (_, n) => place('A', `greedy ${n}`, 'greedy').as);
  // Of 8 slots and 512 places it has three quarters.
  expect(greedy.filter((as) => as === 'runs')).toHaveLength(6);
  expect(greedy.filter((as) => as === 'waits')).toHaveLength(384);
  const quiet = Array.from({ length: 9 }, (_, n) => place('A', `quiet ${n}`, `quiet ${n}`).as);
  expect(quiet).toEqual(['runs', 'runs', ...Array(7).fill('waits')]);
  for (let turn = 0; turn < 8; turn += 1) {
    ends[turn]?.();
    await settled();
  }
  // Each of the nine has had its turn before the greedy merchant had more than a few.
  expect(ran.filter((key) => key.startsWith('quiet'))).toHaveLength(9);
});

test('a payout that waits for a slot goes before creates and polls that came earlier', async () => {
  const { placeMany, place, ends, ran } = aBacklog();
  placeMany(8);
  place('A', 'create', 'M1', 'create');
  place('A', 'poll', 'M2', 'poll');
  place('A', 'payout', 'M3', 'payout');
  for (const end of ends.splice(0, 3)) end();
  await settled();
  expect(ran.slice(8)).toEqual(['payout', 'poll', 'create']);
});
