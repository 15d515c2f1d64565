import type { DatabaseAccess } from '../../database/database.ts';
import { uploadUseSql } from './queries.ts';

/** The largest statement that an operator uploads, in bytes. Larger ones come by the command line. */
export const largestUpload = 64 * 1024 * 1024;
/** What an operator may upload within 24 hours. The storage is that of the ledger. */
export const uploadLimits = { files: 200, bytes: 1024 ** 3 } as const;

/** Why an operator may upload no further statement now; null: they may. An upload that is not finished counts as the largest one. */
export async function problemOfUploads({ database }: DatabaseAccess, operatorId: string): Promise<string | null> {
  const { rows } = await database.pool.query<{ files: number; bytes: number }>(uploadUseSql, [
    operatorId,
    largestUpload,
  ]);
  const { files = 0, bytes = 0 } = rows[0] ?? {};
  if (files >= uploadLimits.files) return `an operator uploads ${uploadLimits.files} statements a day at most`;
  if (bytes >= uploadLimits.bytes)
    return `an operator uploads statements of ${uploadLimits.bytes / 1024 ** 3} GiB a day at most`;
  return null;
}
