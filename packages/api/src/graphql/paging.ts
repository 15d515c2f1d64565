import {
  type ListName,
  type Page,
  type PageArguments,
  type PageRequest,
  readPageRequest,
  type Scope,
  unrestricted,
} from '@tidegate/domain/lists';
import { refusal } from '../errors/errors.ts';
import { type ApiContext, operatorOf } from './context.ts';

/** The page of this list for a connection's arguments. Throws a refusal that says what is wrong with them. */
export function pageOf<Name extends ListName>(list: Name, args: PageArguments, largest?: number): PageRequest<Name> {
  const read = readPageRequest(list, args, largest);
  if (!read.ok) throw refusal('BAD_USER_INPUT', `${read.problem.path} ${read.problem.reason}`, [read.problem]);
  return read.page;
}

/** A page in Relay's form. `total` counts the whole list when selected. */
export function connectionOf<Row>({ rows, cursors, total, ...pageInfo }: Page<Row>) {
  return { edges: rows.map((node, i) => ({ node, cursor: cursors[i] ?? '' })), pageInfo, total };
}

/** The caller's scope. Throws after the client has left, so that nothing more is read for it. */
export function scopeOf(context: ApiContext): Scope {
  context.signal.throwIfAborted();
  const { countries, merchantIds } = operatorOf(context);
  return countries === null && merchantIds === null ? unrestricted : { countries, merchantIds };
}
