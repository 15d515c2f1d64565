import type { CheckedStep } from '@tidegate/domain/channels';
import { clockStep, reachStep } from '../provider/check-steps.ts';
import type { HttpResult } from '../provider/http-client.ts';
import { type Account, send } from './api.ts';
import type { KeyPair } from './settings.ts';

/** Lists one payment and one payout. Creates and changes nothing. */
export async function checkAccount(account: Account, signal: AbortSignal): Promise<CheckedStep[]> {
  const { keys, payouts, webhookSecrets } = account.settings;
  const collected = await send(account, keys, { method: 'GET', path: '/payments?count=1' }, signal);
  const steps = [reachStep(collected), credentialsStep(collected, keys, 'payins')];
  if (collected.kind === 'json') steps.push(clockStep(collected.headers));
  if (payouts) {
    const query = new URLSearchParams({ account_number: payouts.accountNumber, count: '1' });
    const paid = await send(account, payouts.keys, { method: 'GET', path: `/payouts?${query}` }, signal);
    steps.push(credentialsStep(paid, payouts.keys, 'payouts'));
  } else {
    steps.push({
      step: 'credentials',
      isOk: true,
      detail: 'payouts: no RazorpayX account number, so none are carried',
    });
  }
  const names = webhookSecrets.map(({ name }) => name).join(', ');
  return [...steps, { step: 'callback', isOk: true, detail: `webhooks are verified with ${names}` }];
}

function credentialsStep(result: HttpResult, keys: KeyPair, what: string): CheckedStep {
  const step = 'credentials';
  if (result.kind !== 'json') return { step, isOk: false, detail: `${what}: not answered` };
  const mode = keys.id.startsWith('rzp_live_') ? 'live' : 'test';
  if (result.status === 200) return { step, isOk: true, detail: `${what}: the ${mode} key is accepted` };
  const why = result.status === 401 ? 'the key is not accepted' : `HTTP ${result.status}`;
  return { step, isOk: false, detail: `${what}: ${why}` };
}
