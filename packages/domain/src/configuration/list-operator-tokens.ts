import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { OperatorToken } from '../database/entities/access.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPages } from '../lists/read-pages.ts';
import { unrestricted } from '../lists/scope.ts';
import { tokenIdLength } from './statements.ts';

/** A token of an operator, without anything that it could be used or found by. Times are Unix milliseconds. */
export interface OperatorTokenRecord {
  operatorId: string;
  /** What it is revoked by. */
  tokenId: string;
  createdAt: number;
  /** Null: until it is revoked. */
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

/** Of each operator a page of their tokens, those that ended too, the newest first. Who may see them is for the caller to say. */
export function pagesOfOperatorTokens(
  { database }: { database: Database },
  operatorIds: readonly string[],
  page: PageRequest<'operator_tokens'>,
): Promise<Page<OperatorTokenRecord>[]> {
  return readPages(
    database.reading,
    {
      table: `(select *, left(token_hash, ${tokenIdLength}) as token_id from operator_token)`,
      columns: `${columnsOf(database.orm, OperatorToken, ['tokenHash'])}, t.token_id as "tokenId"`,
      parent: ['operator_id'],
    },
    unrestricted,
    operatorIds.map((operatorId) => [operatorId]),
    page,
  );
}
