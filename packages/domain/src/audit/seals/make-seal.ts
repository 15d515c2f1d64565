import { rootOf } from '../../core/merkle.ts';
import { rowsBetween, textOfSeal } from '../../core/period-seal.ts';
import type { PeriodWalk } from './period-walk.ts';
import type { SealKeys } from './seal-keys.ts';
import type { PositionSeal, StoredSeal } from './stored-seals.ts';

/** Makes the seal of the rows that a walk has read. */
export function makeSeal(walk: PeriodWalk, keys: SealKeys): { content: PositionSeal; stored: StoredSeal } {
  const { sealNo, previous, from, at: to, tree } = walk;
  const { merchantId } = from;
  const period = walk.period ?? '';
  const content: PositionSeal = {
    version: 1,
    merchantId,
    sealNo,
    period,
    previous,
    from,
    to,
    links: rootOf(tree),
  };
  const signed = keys.sign(textOfSeal(content));
  return { content, stored: { merchantId, sealNo, period, rows: rowsBetween(from, to), isFiled: false, ...signed } };
}
