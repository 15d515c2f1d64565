import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { AssignmentRow, AttachedFileRow, NoteRow } from '../database/entities/work.ts';
import { loadRows, ofMerchant } from '../lists/load-rows.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPages } from '../lists/read-pages.ts';
import type { Scope } from '../lists/scope.ts';
import { withinScope } from '../lists/scope.ts';
import { collectValues, whereAll } from '../lists/values.ts';
import type { Note } from './add-note.ts';
import type { Assignment } from './assign-work.ts';
import { type AttachedFile, type FileOwner, maxFiles } from './attach-file.ts';
import { subjectOf, type WorkItem } from './work-item.ts';

/** A page of the notes about each item, the newest first. */
export function pagesOfNotes(
  { database }: { database: Database },
  scope: Scope,
  items: readonly WorkItem[],
  page: PageRequest<'notes'>,
): Promise<Page<Note>[]> {
  return readPages(
    database.reading,
    { table: 'note', columns: columnsOf(database.orm, NoteRow), parent: ['merchant_id', 'subject'] },
    scope,
    items.map((item) => [item.merchantId, subjectOf(item)]),
    page,
  );
}

const assignments = ofMerchant(AssignmentRow, ['subject', 'text']);

/** Who has each item; null: no operator. */
export function loadAssignments(
  { database }: { database: Database },
  scope: Scope,
  items: readonly WorkItem[],
): Promise<(Assignment | null)[]> {
  return loadRows<Assignment>(
    database,
    assignments,
    items.map((item) => [item.merchantId, subjectOf(item)]),
    scope,
  );
}

const files = ofMerchant(AttachedFileRow, ['subject', 'text'], ['file_no', 'bigint']);

/** Files by merchant, subject and number, without their content. */
export function loadFiles(
  { database }: { database: Database },
  scope: Scope,
  refs: readonly Pick<AttachedFile, 'merchantId' | 'subject' | 'fileNo'>[],
): Promise<(AttachedFile | null)[]> {
  return loadRows<AttachedFile>(
    database,
    files,
    refs.map(({ merchantId, subject, fileNo }) => [merchantId, subject, fileNo]),
    scope,
  );
}

/** The files of each owner, the oldest first, without their content: one statement for all. */
export async function filesOf(
  { database }: { database: Database },
  scope: Scope,
  owners: readonly FileOwner[],
): Promise<AttachedFile[][]> {
  if (owners.length > 1_000) throw new RangeError(`the files of at most 1000 owners, not ${owners.length}`);
  const { values, add } = collectValues();
  const keys = [owners.map(({ merchantId }) => merchantId), owners.map(subjectOf)].map((key) => `${add(key)}::text[]`);
  const { rows } = await database.reading.query<AttachedFile & { place: number }>(
    `select t.*, k.place::integer from unnest(${keys.join(', ')}) with ordinality as k(m, s, place)
     cross join lateral (select ${columnsOf(database.orm, AttachedFileRow)} from attached_file t
       ${whereAll(['t.merchant_id = k.m', 't.subject = k.s', ...withinScope(scope, 't.merchant_id', add)])} order by t.file_no limit ${maxFiles}) t
     order by k.place, t."fileNo"`,
    values,
  );
  const found: AttachedFile[][] = owners.map(() => []);
  for (const { place, ...file } of rows) found[place - 1]?.push(file);
  return found;
}
