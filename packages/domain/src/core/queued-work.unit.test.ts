import { expect, test } from 'vitest';
import { jobIdOf } from './queued-work.ts';

test('the same work has the same id, and other work another one', () => {
  const order = { queue: 'poll', merchantId: 'M', orderNo: 'PI1', channelId: 'c', dueAt: 5 } as const;
  const notification = {
    queue: 'notify',
    merchantId: 'M',
    orderNo: 'PI1',
    status: 'failed',
    host: 'h',
    dueAt: 5,
  } as const;
  expect(jobIdOf(order)).toBe('PI1-poll-5');
  expect(jobIdOf(notification)).toBe('PI1-notify-failed-5');
  const works = [
    { ...order, isWatch: true as const },
    order,
    { ...order, dueAt: 6 },
    { ...order, orderNo: 'PI2' },
    { ...order, queue: 'expire' as const },
    notification,
    { ...notification, status: 'completed' as const },
    { ...notification, queue: 'retry' as const },
  ];
  expect(new Set(works.map(jobIdOf)).size).toBe(works.length);
});
