import { boundedText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';
import { makeSealKey } from '../audit/index.ts';
import { readTextColumn } from '../boundary/read-column.ts';
import { dropOrderSearch, sealedRows, writeSealedRows } from '../configuration/index.ts';
import type { Decision } from '../core/operator.ts';
import type { Outcome } from '../core/rejection.ts';
import { type Place, placeRows, places } from '../database/keys/places.ts';
import type { Purpose } from '../database/keys/purposes.ts';
import type { VaultAccess } from '../database/vault.ts';
import { type ChangeAccess, changeConfiguration, platformTenant } from '../ledger/index.ts';
import { sealAgain } from './credentials.ts';

/** What was sealed again, by table and column. */
export interface SealedAgain {
  counts: Record<string, number>;
  /** Texts that no key opens, as table, column and row. They stay as they are. */
  unreadable: string[];
}

type Access = Pick<ChangeAccess, 'database'> & VaultAccess;

/** Rows in one statement: its locks last for some milliseconds. */
const inOneBatch = 200;

/**
 * Seals everything again that the current keys of the purposes have not sealed, in batches. Services may run. After a
 * crash it goes on where it stopped, because each text names its key. What is changed meanwhile is sealed already, or
 * found in another round.
 */
async function sealAllAgain(
  domain: Access,
  purposes: readonly Purpose[],
  report: (line: string) => void = () => undefined,
): Promise<SealedAgain> {
  const done: SealedAgain = { counts: {}, unreadable: [] };
  for (const place of places) {
    const { purpose, stored, where } = placeRows[place];
    if (stored === null || !purposes.includes(purpose)) continue;
    const count = await sealColumnAgain(domain, place, done);
    done.counts[where] = count;
    if (count > 0) report(`${where}: ${count} sealed again`);
  }
  return done;
}

async function sealColumnAgain(domain: Access, place: Place, { unreadable }: SealedAgain): Promise<number> {
  const { vault, database } = domain;
  const { purpose, stored, where } = placeRows[place];
  if (stored === null) return 0;
  const header = vault.currentHeader(purpose);
  let count = 0;
  for (let after = ''; ; ) {
    const { rows } = await database.pool.query<SealedRow>(sealedRows(stored), [header, after, inOneBatch]);
    const again = rows.flatMap((row) => {
      try {
        const text = vault.open(place, row.id, row.sealed);
        return [
          { ...row, next: vault.seal(place, row.id, place === 'approval' ? inputAgain(domain, text, row) : text) },
        ];
      } catch {
        unreadable.push(`${where} ${row.id}`);
        return [];
      }
    });
    const columns = [again.map(({ id }) => id), again.map(({ sealed }) => sealed), again.map(({ next }) => next)];
    const written = await database.pool.query(writeSealedRows(stored), columns);
    count += written.rowCount ?? 0;
    const last = rows.at(-1);
    if (!last || rows.length < inOneBatch) return count;
    after = last.id;
  }
}

interface SealedRow {
  id: string;
  sealed: Buffer;
  /** Of an approval: what is not sealed of its input. */
  input: { channelId?: string } | null;
}

const keptSecrets = z.looseObject({ credentials: z.record(boundedText(64), boundedText(131_072)).optional() });

/** Credentials that wait in an approval are sealed for their channel. They are sealed again, too. */
function inputAgain(domain: Access, text: string, { input }: SealedRow): string {
  const { channelId } = input ?? {};
  const secrets = readTextColumn('approval.secrets', text, keptSecrets);
  if (secrets.credentials === undefined || channelId === undefined) return text;
  const credentials = sealAgain(domain, channelId, secrets.credentials);
  return JSON.stringify({ ...secrets, credentials });
}

/**
 * The last step before old keys of these purposes are dropped: seals everything again and records it. Nothing is
 * recorded if a text cannot be opened. Hashes of orders are made again by the worker. A leaked key must not sign a later
 * month, so the key of the ledger's seals is exchanged too.
 */
export async function finishKeyChange(
  domain: ChangeAccess,
  purposes: readonly Purpose[],
  by: Decision,
  report?: (line: string) => void,
): Promise<Outcome<SealedAgain>> {
  const value = await sealAllAgain(domain, purposes, report);
  if (value.unreadable.length > 0) return { ok: true, value };
  const where = { tenant: platformTenant, change: 'changeSecret' };
  return changeConfiguration(domain, where, by, async (within) => {
    if (purposes.includes('seal') && (value.counts['seal_key.private_key'] ?? 0) > 0)
      await makeSealKey(within, domain.vault);
    if (purposes.includes('search')) await within.database.pool.query(dropOrderSearch);
    return { ok: true, value: { subject: 'secret', after: { purposes, ...value.counts }, value } };
  });
}
