import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { OperatorToken } from '../database/entities/access.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPages } from '../lists/read-pages.ts';
import { unrestricted } from '../lists/scope.ts';
import { tokenIdLength } from './queries.ts';

/** An operator's token, without the token itself or its hash. Times are Unix milliseconds. */
export interface OperatorTokenRecord {
  operatorId: string;
  /** The id by which it can be revoked. */
  tokenId: string;
  createdAt: number;
  /** Null: it does not expire. */
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

/** A page of each operator's tokens, also ended ones, the newest first. The caller checks who may see them. */
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
