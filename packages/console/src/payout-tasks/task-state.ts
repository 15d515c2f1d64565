import type { Word } from '../format/words.ts';
import type { PayoutTaskDetailQuery, TaskPartsFragment } from '../generated/documents.generated.ts';

/** A task as its page reads it. */
export type TaskDetail = Extract<NonNullable<PayoutTaskDetailQuery['order']>, { __typename: 'Payout' }>;

type TaskStage = 'available' | 'claimed' | 'asked' | 'proven' | 'over';

/** The stage of a task. A claim runs out at `nextActionAt`; with a proof it no longer does. */
export function stageOf({
  status,
  nextAction,
  task,
}: Pick<TaskPartsFragment, 'status' | 'nextAction' | 'task'>): TaskStage {
  if (status === 'MARKET_AVAILABLE') return 'available';
  if (status !== 'PROCESSING') return 'over';
  if (task?.askedAt) return 'asked';
  return nextAction === 'expire' ? 'claimed' : 'proven';
}

export const taskStageWords: Readonly<Record<TaskStage, Word>> = {
  available: { label: 'Available', tone: 'info' },
  claimed: { label: 'Claimed', tone: 'warn' },
  asked: { label: 'Was it paid?', tone: 'warn' },
  proven: { label: 'Waits for review', tone: 'warn' },
  over: { label: 'Over', tone: 'idle' },
};

/** Ways to look at the tasks. */
export const taskViews = {
  available: 'Available',
  mine: 'Mine',
  asked: 'Was it paid?',
  review: 'To review',
  all: 'All',
} as const;
