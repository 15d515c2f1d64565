import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { boundedText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';
import { type ChannelAnswer, problemOfAnswer } from '../core/channel-answer.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import type { OrderKind, OrderRef } from '../core/order.ts';
import type { WakeUp } from '../core/queued-work.ts';
import type { Database } from '../database/database.ts';
import type { Vault } from '../database/vault.ts';
import { openFairSlots } from '../sharing/fair-slots.ts';
import type { PoolsObserver } from '../sharing/pools.ts';
import { answerQuestionSql, askQuestionSql, dropQuestionSql, readAnswerSql, takeQuestionsSql } from './queries.ts';

/** What is asked about an order, at a channel where it is or was. */
export interface ChannelQuestion extends OrderRef {
  channelId: string;
  channelRef: string | null;
  operation: 'query' | 'cancel';
}

/**
 * Calls of channels for processes that cannot open their credentials: the API, and the REST adapter about payouts. They
 * ask in the database, and a worker calls the channel (docs/adr/0036-a-key-for-each-purpose.md).
 */
export interface ChannelQuestions {
  /** Whether this process has no keys to call channels for such an order itself. */
  mustAsk(kind: OrderKind): boolean;
  /** Asks, and waits for the worker's answer until the signal. Never throws for a missing answer. */
  ask(question: ChannelQuestion, signal: AbortSignal): Promise<ChannelAnswer>;
  /** The worker's side: answers what is asked about this order. Resolves to how many questions there were. */
  answer(ref: OrderRef, call: (question: ChannelQuestion) => Promise<ChannelAnswer>): Promise<number>;
}

/** How many questions of this process may be open at once. Others wait for their turn as long as for an answer. */
const questionsAtOnce = 64;
const longestWaitMs = 20_000;
/** How often the asker looks for the answer, in ms. */
const lookEvery = 100;
const unanswered: ChannelAnswer = {
  outcome: 'unknown',
  why: 'no_answer',
  detail: 'no worker called the channel in time',
};

/** `ledgerPool`: the connections that may ask to cancel, and that answer: what an answer says is booked. */
export function openChannelQuestions(
  { pool, ledgerPool }: Pick<Database, 'pool' | 'ledgerPool'>,
  vault: Vault,
  wakeUp: WakeUp,
  observer?: PoolsObserver,
): ChannelQuestions {
  const slots = openFairSlots({ pool: 'channel_questions', slots: questionsAtOnce, ...(observer && { observer }) });
  return {
    mustAsk: (kind) => !vault.canOpen(kind),
    async ask({ merchantId, orderNo, channelId, channelRef, operation }, signal) {
      const turn = {
        owner: merchantId,
        priority: 'poll',
        maxWaitMs: longestWaitMs,
        isPatient: true,
        signal,
      } as const;
      const slot = await slots.take(turn);
      if (!slot.ok) return unanswered;
      const id = randomUUID();
      const what = operation === 'query' ? [] : [operation];
      try {
        const asking = operation === 'cancel' ? ledgerPool : pool;
        await asking.query(askQuestionSql(operation), [merchantId, id, orderNo, channelId, channelRef, ...what]);
        wakeUp([{ queue: 'poll', merchantId, orderNo, channelId, isQuestion: true, dueAt: Date.now() }]);
        while (!signal.aborted) {
          const { rows } = await pool.query<{ answer: unknown }>(readAnswerSql, [merchantId, id]);
          const answer = rows[0]?.answer ?? null;
          if (answer !== null) return readAnswer(answer, { merchantId, orderNo, channelId, channelRef, operation });
          await sleep(lookEvery);
        }
        return unanswered;
      } finally {
        slot.release();
        await pool.query(dropQuestionSql, [merchantId, id]);
      }
    },
    async answer({ merchantId, orderNo }, call) {
      const taken = await pool.query<ChannelQuestion & { questionId: string }>(takeQuestionsSql, [merchantId, orderNo]);
      const answers = taken.rows.map(async ({ questionId, ...question }) => {
        const stored: StoredAnswer = { asked: question, answer: await call(question) };
        await ledgerPool.query(answerQuestionSql, [merchantId, questionId, JSON.stringify(stored)]);
      });
      await Promise.all(answers);
      return taken.rows.length;
    },
  };
}

const text = boundedText(4_096);
const payment = z.object({ reference: text, amount: text });
const payments = z.array(payment).max(1_000);
const channelRef = text.optional();
const pay = { channelRef, payLink: text.optional(), payQr: text.optional() };
const answerSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('accepted'), ...pay }),
  z.object({ outcome: z.literal('paid'), channelRef, payments }),
  z.object({ outcome: z.literal('part_paid'), payments, ...pay }),
  z.object({ outcome: z.literal('failed'), channelRef, reason: text }),
  z.object({ outcome: z.literal('timed_out'), channelRef, reason: text, payments: payments.optional() }),
  z.object({ outcome: z.literal('refused'), reason: text, isUnsent: z.literal(true).optional() }),
  z.object({ outcome: z.literal('closed'), channelRef }),
  z.object({ outcome: z.literal('returned'), channelRef, payments, returned: payment, reason: text }),
  z.object({
    outcome: z.literal('unknown'),
    why: z.enum(['not_found', 'no_answer']),
    detail: text,
    isForbidden: z.literal(true).optional(),
    isUnsent: z.literal(true).optional(),
    isUndecided: z.literal(true).optional(),
  }),
]);

/**
 * Who asks may write questions by connections that write no answers. So the answer says what was asked: a question that
 * was changed meanwhile answers nothing.
 */
interface StoredAnswer {
  asked: ChannelQuestion;
  answer: ChannelAnswer;
}

const storedSchema = z.object({
  asked: z.object({
    merchantId: text,
    orderNo: text,
    channelId: text,
    channelRef: text.nullable(),
    operation: z.enum(['query', 'cancel']),
  }),
  answer: answerSchema,
});

const unreadable = (problem: string): ChannelAnswer => ({
  outcome: 'unknown',
  why: 'no_answer',
  detail: `unreadable: ${problem}`,
});

/** The worker has checked it. What the database gives is checked again. */
function readAnswer(stored: unknown, question: ChannelQuestion): ChannelAnswer {
  const read = storedSchema.safeParse(stored);
  if (!read.success) return unreadable('not an answer');
  if (!isDeepStrictEqual(read.data.asked, question)) return unreadable('it answers another question');
  const answer = omitUndefined(read.data.answer) as ChannelAnswer;
  const problem = problemOfAnswer(answer);
  return problem === null ? answer : unreadable(problem);
}
