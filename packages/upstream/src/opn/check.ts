import type { CheckedStep } from '@tidegate/domain/channels';
import { exchange, type OpnReply } from './exchange.ts';
import type { OpnAccount } from './settings.ts';
import { toleranceSeconds } from './signing.ts';
import { wireAccount } from './wire.ts';

/** A greater difference is near the limit at which webhooks are refused. */
const mostSecondsApart = toleranceSeconds / 5;

/** Reads the account, which changes nothing: address, key, mode, clock, and where webhooks go. */
export async function check(account: OpnAccount, signal: AbortSignal): Promise<CheckedStep[]> {
  const reply = await exchange(account, { method: 'GET', path: '/account' }, signal);
  const now = Date.now();
  const reach = reachOf(reply);
  if (!reach.isOk) return [reach];
  const read = reply.kind === 'object' ? wireAccount.safeParse(reply.json) : undefined;
  if (!read?.success) {
    const detail = 'detail' in reply ? reply.detail : 'the answer is not an account';
    return [reach, { step: 'credentials', isOk: false, detail }];
  }
  const mode = account.isLive ? 'live' : 'test';
  const isSameMode = (read.data.livemode ?? account.isLive) === account.isLive;
  const headers = reply.kind === 'object' ? reply.headers : {};
  return [
    reach,
    {
      ...{ step: 'credentials', isOk: isSameMode },
      detail: isSameMode
        ? `the secret key works, in ${mode} mode`
        : `the secret key is for ${mode} mode, the account is not`,
    },
    clockStep(headers.date, now),
    callbackStep(account, read.data.webhook_uri ?? null),
  ];
}

function reachOf(reply: OpnReply): CheckedStep {
  const isOk = reply.kind === 'not_executed' ? reply.isAnswered : reply.kind !== 'no_reply';
  return { step: 'reach', isOk, detail: !isOk && 'detail' in reply ? reply.detail : 'Opn answers' };
}

function clockStep(date: string | string[] | undefined, now: number): CheckedStep {
  const theirs = Date.parse(String(date ?? ''));
  if (Number.isNaN(theirs)) return { step: 'clock', isOk: false, detail: 'the answer has no Date header' };
  const apart = Math.round((theirs - now) / 1_000);
  return {
    ...{ step: 'clock', isOk: Math.abs(apart) <= mostSecondsApart },
    detail: `the clock of Opn differs by ${apart} s; webhooks are refused from ${toleranceSeconds} s`,
  };
}

function callbackStep({ channelId }: OpnAccount, address: string | null): CheckedStep {
  const ending = `/upstream/${channelId}/callback`;
  const isOk = address !== null && URL.canParse(address) && new URL(address).pathname.endsWith(ending);
  const detail = isOk
    ? 'webhooks go to this channel'
    : `the webhook address of the account ${address === null ? 'is not set' : 'is another one'}; it must end with ${ending}`;
  return { step: 'callback', isOk, detail };
}
