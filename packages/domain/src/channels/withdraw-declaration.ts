import { ChannelRow } from '../database/entities/channel.ts';
import type { ChangeTransaction } from '../ledger/index.ts';
import { undeclared } from './set-channel.ts';

/**
 * Takes back what was declared about a channel. Its mode is then not known, so production does not use it. Null: there
 * is no such channel. `isDeclarable`: false for a channel whose adapter sees its mode.
 */
export async function withdrawDeclaration(
  within: ChangeTransaction,
  channelId: string,
): Promise<{ entity: object; isDeclarable: boolean } | null> {
  const em = within.database.unitOfWork();
  const entity = await em.findOne(ChannelRow, channelId);
  if (!entity) return null;
  // Once withdrawn, the mode is stored as unknown. Doing it again holds back money that came in the meantime.
  const isDeclarable = entity.declaredMode != null || entity.mode === 'unknown';
  if (isDeclarable) {
    em.assign(entity, { ...undeclared, mode: 'unknown' });
    await em.flush();
  }
  return { entity, isDeclarable };
}
