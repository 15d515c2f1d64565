import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStolenRoles, type StolenRoles } from '../../test/stolen-roles.ts';
import { placePayin } from '../testing/payins.ts';
import type { ChannelQuestion } from './channel-questions.ts';

// What a channel answers is booked. So who has connections for reads only neither answers nor changes what is asked.

let stolen: StolenRoles;
beforeAll(async () => {
  stolen = await openStolenRoles();
});
afterAll(() => stolen.close());

const lie = { outcome: 'paid', payments: [{ reference: 'forged', amount: '100.00' }] } as const;

/** An operator asks about an order that is not paid. */
async function askAbout(): Promise<{
  question: ChannelQuestion;
  ref: ChannelQuestion & { questionId: string };
  answer: Promise<object>;
  end: () => void;
}> {
  const { domain } = stolen.owner;
  const { orderNo, merchantId, channelId } = await placePayin(domain, stolen.merchantId, 'IN');
  const question = { merchantId, orderNo, channelId, channelRef: 'C-1', operation: 'query' } as const;
  const ending = new AbortController();
  const answer = domain.questions.ask(question, ending.signal);
  const find = async (): Promise<string | undefined> => {
    const { rows } = await domain.database.pool.query<{ id: string }>(
      'select question_id as id from channel_question where order_no = $1',
      [orderNo],
    );
    return rows[0]?.id;
  };
  await expect.poll(find).toBeDefined();
  return { question, ref: { ...question, questionId: (await find()) ?? '' }, answer, end: () => ending.abort() };
}

test('no role for reads answers a question of an operator', async () => {
  const { ref, answer, end } = await askAbout();
  const forged = `update channel_question set answer = '${JSON.stringify({ asked: ref, answer: lie })}' where question_id = '${ref.questionId}'`;
  for (const role of ['worker', 'rest', 'api', 'rest_ledger', 'api_ledger'] as const)
    await expect(stolen.attack(role, [forged], true), role).rejects.toThrow('permission denied');
  end();
  expect(await answer).toMatchObject({ outcome: 'unknown' });
});

test('a worker takes a question with its role for reads, and answers it with the one for the ledger', async () => {
  const { question, ref, answer } = await askAbout();
  await stolen.attack('worker', [
    `update channel_question set taken_at = now() where question_id = '${ref.questionId}'`,
  ]);
  const stored = JSON.stringify({ asked: question, answer: lie });
  const answering = `update channel_question set answer = '${stored}' where question_id = '${ref.questionId}'`;
  await stolen.attack('worker_ledger', [answering], true);
  expect(await answer).toEqual(lie);
});

test.each([
  ['reference', "'C-2'", "'fake'"],
  ['channel', "'C-1'", "'other'"],
])('a question whose %s was changed while it waits is not answered', async (_, channelRef, channelId) => {
  const { domain } = stolen.owner;
  const { ref, answer } = await askAbout();
  const { merchantId, orderNo, questionId } = ref;
  await stolen.attack(
    'api',
    [
      `select drop_channel_question('${merchantId}', '${questionId}')`,
      `insert into channel_question (merchant_id, question_id, order_no, channel_id, channel_ref)
       values ('${merchantId}', '${questionId}', '${orderNo}', ${channelId}, ${channelRef})`,
    ],
    true,
  );
  // What the channel says about another payment.
  expect(await domain.questions.answer({ merchantId, orderNo }, async () => lie)).toBe(1);
  expect(await answer).toEqual({
    outcome: 'unknown',
    why: 'no_answer',
    detail: 'unreadable: it answers another question',
  });
});
