import type { CallbackResult, Channel } from '@tidegate/domain/channels';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { lostAnswers, unreadableAnswers } from './testing/bad-answers.ts';
import {
  type ContractSubject,
  LONG_DEADLINE_MS,
  longDeadline,
  type ModeSubject,
  paid,
} from './testing/contract-subject.ts';
import { type Behaviour, type FaultyUpstream, startFaultyUpstream } from './testing/faulty-upstream.ts';

export type { ContractSubject } from './testing/contract-subject.ts';

/**
 * The contract test of channels: what every channel must do, as the comments of the port say. Call it at the top level
 * of a test file. `mode`: which accounts are live and which are tests, and what it offers.
 */
export function channelContract(name: string, mode: ModeSubject, setUp: () => Promise<ContractSubject>): void {
  describe(`channel contract: ${name}`, () => {
    modes(mode);
    let subject: ContractSubject;
    let channel: Channel;
    let faulty: FaultyUpstream | undefined;
    beforeAll(async () => {
      subject = await setUp();
      channel = subject.channelAt(subject.url);
    });
    afterEach(async () => {
      vi.useRealTimers();
      await faulty?.close();
      faulty = undefined;
    });
    afterAll(() => subject.tearDown());

    test('it offers refunds and statements if its channels have them', () => {
      const { refunds, statements } = mode.offers([]);
      expect(refunds).toBe(channel.refund !== undefined && channel.queryRefund !== undefined);
      expect(statements.length > 0).toBe(channel.fetchStatement !== undefined);
    });

    const facing = async (behave: Behaviour): Promise<Channel> => {
      faulty = await startFaultyUpstream(behave);
      return subject.channelAt(faulty.url);
    };
    const seen = () => faulty?.seen ?? [];

    answersOfAWorkingUpstream(
      () => subject,
      () => channel,
    );
    lostAnswers(() => subject, facing, seen);
    unreadableAnswers(() => subject, facing, seen);
    callbacks(
      () => subject,
      () => channel,
    );
  });
}

function modes({ modeOf, cases }: ModeSubject): void {
  const all = Object.entries(cases).flatMap(([mode, named]) =>
    Object.entries(named).map(([name, settings]) => [mode, name, settings] as const),
  );

  test.each(all)('the mode is %s for %s', (mode, _name, settings) => {
    expect(modeOf(settings)).toBe(mode);
  });

  test('there are cases of test accounts, and of accounts that are live or cannot be seen to be', () => {
    expect(Object.keys(cases.test ?? {})).not.toEqual([]);
    const others = { ...cases.live, ...cases.unknown };
    // The sandbox's own upstream has test accounts only.
    if (modeOf({ baseUrl: 'https://unknown.example', credentials: {} }) !== 'test')
      expect(Object.keys(others)).not.toEqual([]);
  });

  test.each(['', 'not a url', 'https://unknown.example', 'http://127.0.0.1:1'])(
    'no account is live at "%s", whatever its keys are',
    (baseUrl) => {
      for (const [, , { credentials }] of all) expect(modeOf({ baseUrl, credentials })).not.toBe('live');
      expect(modeOf({ baseUrl, credentials: {} })).not.toBe('live');
    },
  );

  test('a live account is not live any more with the settings of any test account mixed in', () => {
    for (const live of Object.values(cases.live ?? {}))
      for (const { credentials } of Object.values(cases.test ?? {}))
        if (Object.keys(credentials).length > 0)
          expect(modeOf({ ...live, credentials: { ...live.credentials, ...credentials } })).not.toBe('live');
  });
}

function answersOfAWorkingUpstream(subject: () => ContractSubject, channel: () => Channel): void {
  test('create of an order that stays open is accepted, with the id of the upstream', async () => {
    const answer = await channel().create(subject().orderThat('stays_open'), longDeadline());
    expect(answer).toMatchObject({ outcome: 'accepted', channelRef: expect.stringMatching(/./) });
  });

  test('the same order created many times is one order and one payment upstream', async () => {
    const order = subject().orderThat('is_paid');
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => channel().create(order, longDeadline())));
    await paid(channel(), order);
    const afterwards = await channel().create(order, longDeadline());
    const refs = [...atOnce, afterwards].map((answer) => ('channelRef' in answer ? answer.channelRef : answer.outcome));
    expect(new Set(refs)).toHaveLength(1);
    expect(afterwards.outcome).toBe('paid');
    expect(await subject().paymentsUpstream(order.orderNo)).toBe(1);
  });

  test('create of an order that the upstream refuses is refused each time', async () => {
    const order = subject().orderThat('is_refused');
    for (const _time of [1, 2]) {
      expect(await channel().create(order, longDeadline())).toEqual({
        outcome: 'refused',
        reason: expect.stringMatching(/./),
      });
    }
  });

  test.each(['query', 'cancel'] as const)('%s of an order that was never created answers "not found"', async (call) => {
    const answer = await channel()[call](subject().orderThat('stays_open'), longDeadline());
    expect(answer).toMatchObject({ outcome: 'unknown', why: 'not_found' });
  });

  test('cancel of an open order closes it permanently', async () => {
    const order = subject().orderThat('stays_open');
    await channel().create(order, longDeadline());
    if (subject().cannotClose) {
      expect(await channel().cancel(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
      expect(await channel().query(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
      return;
    }
    expect(await channel().cancel(order, longDeadline())).toMatchObject({ outcome: 'closed' });
    expect(await channel().cancel(order, longDeadline())).toMatchObject({ outcome: 'closed' });
    expect(await channel().query(order, longDeadline())).toMatchObject({ outcome: 'closed' });
  });

  test('cancel of a paid order answers that it is paid', async () => {
    const order = subject().orderThat('is_paid');
    await channel().create(order, longDeadline());
    const { payments } = await paid(channel(), order);
    expect(await channel().cancel(order, longDeadline())).toMatchObject({ outcome: 'paid', payments });
  });
}

function callbacks(subject: () => ContractSubject, channel: () => Channel): void {
  const paidCallback = async () => {
    const order = subject().orderThat('is_paid');
    await channel().create(order, longDeadline());
    const callback = await vi.waitFor(() => {
      const found = subject()
        .callbacks(order.orderNo)
        .find(({ headers, body }) => {
          const read = channel().parseCallback(headers, body);
          if (subject().callbacksOnlyAsk) return read.type === 'query';
          return read.type === 'report' && read.answer.outcome === 'paid';
        });
      if (!found) throw new Error('no callback yet');
      return found;
    }, LONG_DEADLINE_MS);
    return { order, ...callback };
  };

  test('a callback has the same content as a query, with the same references', async () => {
    const { order, headers, body } = await paidCallback();
    const read = channel().parseCallback(headers, body);
    const answer = subject().callbacksOnlyAsk
      ? await paid(channel(), order)
      : await channel().query(order, longDeadline());
    const { kind, orderNo, currency } = order;
    expect(withoutReply(read)).toEqual(
      subject().callbacksOnlyAsk
        ? { type: 'query', kind, orderNo }
        : { type: 'report', kind, orderNo, currency, answer },
    );
    expect(answer).toMatchObject({
      outcome: 'paid',
      payments: [{ reference: expect.any(String), amount: order.amount }],
    });
  });

  test('a callback that was changed on its way is not trusted', async () => {
    const { headers, body } = await paidCallback();
    for (const place of [0, Math.floor(body.length / 2), body.length - 1]) {
      const changed = Uint8Array.from(body);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(channel().parseCallback(headers, changed)).toMatchObject({ type: 'refused', why: 'unauthentic' });
    }
  });

  test('a callback without its signature headers is not trusted', async () => {
    const { headers, body } = await paidCallback();
    const read = channel().parseCallback({}, body);
    if (subject().provesCallbacksInBody) expect(read).toEqual(channel().parseCallback(headers, body));
    else expect(read).toMatchObject({ type: 'refused', why: 'unauthentic' });
  });

  test('an old callback is not trusted', async () => {
    const { headers, body } = await paidCallback();
    const lifetime = subject().callbackLifetimeMs ?? 5 * 60_000;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + lifetime + 60_000 });
    expect(channel().parseCallback(headers, body)).toMatchObject({ type: 'refused', why: 'unauthentic' });
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['zeroes', new Uint8Array(64)],
    ['a megabyte', new Uint8Array(1024 * 1024).fill(32)],
  ])('a callback with the body %s is refused without an error', async (_what, garbage) => {
    const { headers } = await paidCallback();
    expect(channel().parseCallback(headers, garbage)).toMatchObject({ type: 'refused' });
  });
}

/** Each provider has its own reply to a callback, so it is left out of comparisons. */
function withoutReply(read: CallbackResult): CallbackResult {
  if (!('reply' in read)) return read;
  const { reply: _, ...rest } = read;
  return rest;
}
