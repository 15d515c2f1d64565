import { z } from 'zod';
import { text } from './filter-parts.ts';
import type { Add } from './values.ts';

/** The operator to whom a piece of work is assigned, or whether it is assigned at all. */
export const assignedFilter = { assignee: text.nullish(), isAssigned: z.boolean().nullish() };

/**
 * Limits rows `t` to those that are assigned as the filter says. `subject` is the SQL of their name in `assignment`;
 * null: any.
 */
export function assignedAs(
  { assignee, isAssigned }: { assignee?: string | null | undefined; isAssigned?: boolean | null | undefined },
  subject: string,
  add: Add,
): (string | null)[] {
  const found = (more: string): string =>
    `exists (select from assignment a where a.merchant_id = t.merchant_id and a.subject = ${subject}${more})`;
  return [
    assignee == null ? null : found(` and a.assignee = ${add(assignee)}`),
    isAssigned == null ? null : `${isAssigned ? '' : 'not '}${found('')}`,
  ];
}

/** How a list of work is sorted. */
export const workSorts = ['oldest', 'newest', 'largest', 'smallest'] as const;
export type WorkSort = (typeof workSorts)[number];
