import type { DatabaseAccess } from '../database/database.ts';
import type { VaultAccess } from '../database/vault.ts';
import { sealFilesIn, textOfFile } from './seals/seal-files.ts';
import { openSealKeys } from './seals/seal-keys.ts';
import { otherText, readSeal, type StoredSeal, sealColumns } from './seals/stored-seals.ts';
import { inSnapshot } from './snapshot.ts';
import type { Violation } from './violation.ts';

export interface CopiedSeals {
  written: number;
  /** The number of files that existed already, with the same text. */
  same: number;
  /** At most 100: seals that are not genuine, and files with another text. */
  violations: Violation[];
}

const violationLimit = 100;
const sealsPerPage = 64;

/**
 * Writes the files of all genuine seals that a folder lacks: for a new folder, or after files were lost. It replaces no
 * file, and changes nothing in the database.
 */
export async function copySeals(domain: DatabaseAccess & VaultAccess, dir: string): Promise<CopiedSeals> {
  const files = sealFilesIn(dir);
  const keys = await openSealKeys(domain, { mayMake: false });
  const copied: CopiedSeals = { written: 0, same: 0, violations: [] };
  for (let after: Pick<StoredSeal, 'merchantId' | 'sealNo'> | undefined = { merchantId: '', sealNo: 0 }; after; ) {
    const values: unknown[] = [after.merchantId, after.sealNo, sealsPerPage];
    const seals: StoredSeal[] = await inSnapshot(domain, (read) => read<StoredSeal>(pageSql, values));
    for (const seal of seals) {
      const found = readSeal(seal, keys);
      const outcome = 'content' in found ? await files.write(seal, textOfFile(seal, keys)) : 'other';
      if (outcome !== 'other') copied[outcome] += 1;
      else if (copied.violations.length < violationLimit)
        copied.violations.push('violation' in found ? found.violation : otherText(seal));
    }
    after = seals.at(-1);
  }
  return copied;
}

const pageSql = `select ${sealColumns} from period_seal s where (s.merchant_id, s.seal_no) > ($1, $2::integer)
  order by s.merchant_id, s.seal_no limit $3`;
