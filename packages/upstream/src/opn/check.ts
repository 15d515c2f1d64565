import type { CheckedStep } from '@tidegate/domain/channels';
import { clockStep, reachStep } from '../provider/check-steps.ts';
import { readResult, send } from './exchange.ts';
import type { OpnAccount } from './settings.ts';
import { wireAccount } from './wire.ts';

/** Reads the account, which changes nothing: address, key, mode, clock, and where webhooks go. */
export async function check(account: OpnAccount, signal: AbortSignal): Promise<CheckedStep[]> {
  const result = await send(account, { method: 'GET', path: '/account' }, signal);
  const reach = reachStep(result);
  if (result.kind !== 'json') return [reach];
  const reply = readResult(result);
  const read = reply.kind === 'object' ? wireAccount.safeParse(reply.json) : undefined;
  if (!read?.success) {
    const detail = 'detail' in reply ? reply.detail : 'the answer is not an account';
    return [reach, { step: 'credentials', isOk: false, detail }];
  }
  const mode = account.isLive ? 'live' : 'test';
  const isSameMode = (read.data.livemode ?? account.isLive) === account.isLive;
  return [
    reach,
    {
      step: 'credentials',
      isOk: isSameMode,
      detail: isSameMode
        ? `the secret key works, in ${mode} mode`
        : `the secret key is for ${mode} mode, the account is not`,
    },
    clockStep(result.headers),
    callbackStep(account, read.data.webhook_uri ?? null),
  ];
}

function callbackStep({ channelId }: OpnAccount, address: string | null): CheckedStep {
  const ending = `/upstream/${channelId}/callback`;
  const isOk = address !== null && URL.canParse(address) && new URL(address).pathname.endsWith(ending);
  const detail = isOk
    ? 'webhooks go to this channel'
    : `the webhook address of the account ${address === null ? 'is not set' : 'is another one'}; it must end with ${ending}`;
  return { step: 'callback', isOk, detail };
}
