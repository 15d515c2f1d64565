import { approvalStates, type Boundary, type Change, caseStates, orderStatuses } from '@tidegate/domain';
import { boundedText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';
import type { Announcement } from './changes.ts';

/** Senders put at most 500 changes of about 120 bytes into a message. A longer one is dropped before it is parsed. */
const longestMessage = 256 * 1_024;

const id = boundedText(100).min(1);
const sequenceNo = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

const announcement = z.object({
  from: id,
  no: sequenceNo,
  afterLoss: z.unknown().optional(),
  changes: z.array(z.unknown()).max(1_000),
});

/** Any change, also of a kind that only a newer release has. */
const kindOfChange = z.object({ type: id });

const changeOf = {
  order: z.object({ type: z.literal('order'), merchantId: id, orderNo: id, status: z.enum(orderStatuses) }),
  case: z.object({
    type: z.literal('case'),
    merchantId: id,
    caseNo: sequenceNo,
    state: z.enum(caseStates),
    isNew: z.boolean(),
  }),
  approval: z.object({ type: z.literal('approval'), merchantId: id, approvalId: id, state: z.enum(approvalStates) }),
} satisfies { [Type in Change['type']]: z.ZodType<Extract<Change, { type: Type }>> };

/**
 * Reads a message of the topic; null if no sender of ours wrote it. A change that cannot be read is left out, and the
 * others of its message are read. Kinds of changes that only a newer release has are left out silently.
 */
export function readAnnouncement(boundary: Boundary, message: string): Announcement | null {
  const read = boundary.readJson('changes', message, announcement, longestMessage);
  if (read === undefined) return null;
  const { from, no, afterLoss } = read;
  const changes = read.changes.flatMap((one) => readChange(boundary, one) ?? []);
  return { from, no, ...(afterLoss === true && { afterLoss }), changes };
}

function readChange(boundary: Boundary, value: unknown): Change | undefined {
  const kind = boundary.readData('changes', value, kindOfChange);
  if (kind === undefined || !isKnown(kind.type)) return undefined;
  return boundary.readData<Change>('changes', value, changeOf[kind.type]);
}

function isKnown(type: string): type is Change['type'] {
  return Object.hasOwn(changeOf, type);
}
