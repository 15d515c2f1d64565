import type { Priority } from '../sharing/priority.ts';
import type { Asking } from '../sharing/waiting-line.ts';
import type { CallContext } from './call-context.ts';
import type { ChannelAccess } from './channel-access.ts';

/** A turn at the account of a channel, which the next call to it uses. */
export interface ChannelTurn {
  turn: NonNullable<CallContext['turn']> | null;
  /** To be called at the end: a turn that was not used goes to the next call, and a slot becomes free. */
  leave(): void;
}

export type Entered = { ok: true; value: ChannelTurn } | { ok: false; retryAfterMs: number };

/** Takes the turn that a create at this channel needs, so that nothing has to be undone if there is none. */
export async function takeTurn(domain: ChannelAccess, channelId: string, asking: Asking): Promise<Entered> {
  const creates = (await domain.channels(channelId))?.channel.creates;
  if (!creates || !domain.callTurns) return { ok: true, value: { turn: null, leave: () => undefined } };
  const taken = await domain.callTurns.turn(creates, asking);
  if (!taken.ok) return taken;
  const { turn } = taken;
  return { ok: true, value: { turn: { account: creates.account, turn }, leave: turn.giveBack } };
}

/**
 * Enters a channel for a create within a merchant's request: takes one of this process's slots, at once or not at all,
 * and waits for a turn.
 */
export async function enterChannel(
  domain: ChannelAccess,
  channelId: string,
  asking: { owner: string; priority: Priority; maxWaitMs: number },
): Promise<Entered> {
  const slot = domain.createSlots.of(channelId).takeNow(asking.owner);
  if (!slot.ok) return slot;
  let entered: Entered | null = null;
  try {
    entered = await takeTurn(domain, channelId, asking);
  } finally {
    if (!entered?.ok) slot.release();
  }
  if (!entered.ok) return entered;
  const { turn, leave } = entered.value;
  return {
    ok: true,
    value: {
      turn,
      leave: () => {
        leave();
        slot.release();
      },
    },
  };
}
