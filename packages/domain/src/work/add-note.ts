import type { OperatorContext } from '../core/operator-rights.ts';
import type { Outcome } from '../core/rejection.ts';
import { saysSomething } from '../core/said-text.ts';
import { type ChangeAccess, changeConfiguration } from '../ledger/index.ts';
import { problemOfWork } from './prepare-work.ts';
import { insertNoteSql } from './queries.ts';
import { absentItem, existsWithin, subjectOf, type WorkItem } from './work-item.ts';

/** A note of an operator. It is never changed. */
export interface Note {
  merchantId: string;
  /** The object of the note, as audit records name it. */
  subject: string;
  /** 1, 2, 3 … of the subject. */
  noteNo: number;
  author: string;
  text: string;
  /** Unix ms. */
  createdAt: number;
}

const maxNote = 2_000;
/** Notes about one subject, at most. */
const maxNotes = 500;

/**
 * Adds a note about an order, a case or a merchant, with an audit record that does not hold its text. Refusals: forbidden, invalid_input,
 * order_not_found, case_not_found, merchant_not_found, too_many_notes.
 */
export async function addNote(
  domain: ChangeAccess,
  operator: OperatorContext,
  item: WorkItem,
  given: string,
): Promise<Outcome<Note>> {
  const text = given.trim();
  const fields = [{ path: 'text', reason: `must say something, in at most ${maxNote} characters` }];
  const problem = await problemOfWork(domain, operator, item);
  if (problem) return problem;
  if (!saysSomething(given, maxNote)) return { ok: false, rejection: 'invalid_input', fields };
  const { operatorId } = operator;
  const { merchantId } = item;
  const subject = subjectOf(item);
  const by = { actor: operatorId, approver: null, reason: 'a note' };
  return changeConfiguration<Note>(domain, { tenant: merchantId, change: 'addNote' }, by, async ({ database }) => {
    if (!(await existsWithin({ database }, item))) return { ok: false, rejection: absentItem[item.type] };
    const values = [merchantId, subject, text, operatorId, maxNotes];
    const { rows } = await database.pool.query<Pick<Note, 'noteNo' | 'createdAt'>>(insertNoteSql, values);
    const [added] = rows;
    if (!added) return { ok: false, rejection: 'too_many_notes', detail: `${maxNotes} at most` };
    const value = { merchantId, subject, author: operatorId, text, ...added };
    return { ok: true, value: { subject, after: { noteNo: added.noteNo }, value } };
  });
}
