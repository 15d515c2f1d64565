import { endOfPeriod, hashOfSeal, readSealText, rowsBetween, type SealContent } from '../../core/period-seal.ts';
import type { Position } from '../position.ts';
import type { Read } from '../snapshot.ts';
import type { Violation } from '../violation.ts';
import type { SealRef } from './seal-files.ts';
import type { SealKeys, Signed } from './seal-keys.ts';

export const sealRules = {
  rows: 'sealed rows are as they were sealed',
  signature: 'seals have the signature of this service',
  missing: 'no seal is missing',
  files: 'files of seals are as the seals in the database',
} as const;

/** A seal as it is stored. */
export interface StoredSeal extends SealRef, Signed {
  rows: number;
  isFiled: boolean;
}

export type PositionSeal = SealContent<Position>;

export function violationOf(rule: keyof typeof sealRules, ref: SealRef, detail: string): Violation {
  return { rule: sealRules[rule], merchantId: ref.merchantId, subject: `seal ${ref.sealNo} of ${ref.period}`, detail };
}

/** The violation that the file of a seal has another text than the seal. */
export function otherText(ref: SealRef): Violation {
  return violationOf('files', ref, 'its file has another text');
}

/**
 * The content of a seal that this service has signed, and whose columns say the same; otherwise what is wrong. Months
 * that ended after a key was replaced are signed with a newer one: the old key may have leaked.
 */
export function readSeal(stored: StoredSeal, keys: SealKeys): { content: PositionSeal } | { violation: Violation } {
  const wrong = (detail: string) => ({ violation: violationOf('signature', stored, detail) });
  if (!keys.isGenuine(stored)) return wrong(`its signature by ${stored.keyId} is not genuine`);
  const content = readSealText<Position>(stored.content);
  if (!content) return wrong('its text is of an unknown version');
  const replacedAt = keys.replacedAt(stored.keyId);
  if (replacedAt !== null && endOfPeriod(content.period) > replacedAt)
    return wrong(`${stored.keyId} was replaced before that month ended`);
  const isSame =
    content.merchantId === stored.merchantId &&
    content.sealNo === stored.sealNo &&
    content.period === stored.period &&
    rowsBetween(content.from, content.to) === stored.rows;
  return isSame ? { content } : wrong('its columns say something else than its signed text');
}

/** Whether a seal names the previous seal, and begins where that one ends. */
export function follows(previous: StoredSeal, content: PositionSeal): boolean {
  const before = readSealText<Position>(previous.content);
  return content.previous === hashOfSeal(previous.content) && before !== null && isSameEnd(before.to, content.from);
}

const ends = ['entryNo', 'transferNo', 'auditNo', 'batchNo', 'batchHash'] as const;

/** Whether two positions name the same last rows. */
export function isSameEnd(one: Position, other: Position): boolean {
  return ends.every((end) => one[end] === other[end]);
}

export const sealColumns = `s.merchant_id as "merchantId", s.seal_no as "sealNo", s.period, s.rows::float8 as rows, s.content, s.key_id as "keyId", s.signature,
  s.filed_at is not null as "isFiled"`;

/** The seals of this list that exist. */
export async function readSeals(
  read: Read,
  refs: readonly Pick<SealRef, 'merchantId' | 'sealNo'>[],
): Promise<StoredSeal[]> {
  if (refs.length === 0) return [];
  return read<StoredSeal>(
    `select ${sealColumns} from unnest($1::text[], $2::integer[]) as k(m, n)
     cross join lateral (select * from period_seal s where s.merchant_id = k.m and s.seal_no = k.n offset 0) s`,
    [refs.map(({ merchantId }) => merchantId), refs.map(({ sealNo }) => sealNo)],
  );
}

/** Where the last seal of each of the next wallets ends, of those whose last seal is genuine. */
export async function sealedEnds(
  read: Read,
  keys: SealKeys,
  after: string,
  limit: number,
): Promise<Map<string, Position>> {
  const seals = await read<StoredSeal>(lastSealsSql, [after, limit]);
  return new Map(
    seals.flatMap((seal) => {
      const found = readSeal(seal, keys);
      return 'content' in found ? [[seal.merchantId, found.content.to]] : [];
    }),
  );
}

const lastSealsSql = `select ${sealColumns}
  from (select merchant_id from wallet where merchant_id > $1 order by merchant_id limit $2) as w
  cross join lateral (select * from period_seal s where s.merchant_id = w.merchant_id order by s.seal_no desc limit 1) s`;
