import type { Currency } from '@tidegate/domain';
import { loadMerchants, unrestricted } from '@tidegate/domain/lists';
import { type Approval, type AskedField, askedFields, type Foreseen, foresee } from '@tidegate/domain/operators';
import DataLoader from 'dataloader';
import { type ApiContext, operatorOf } from '../graphql/context.ts';

interface Rehearsals {
  byApproval: Map<string, Promise<Foreseen>>;
  last: Promise<unknown>;
}

const rehearsals = new WeakMap<ApiContext, Rehearsals>();

/**
 * The predicted effect of an approval, computed once per request and approval. Predictions run one after the other,
 * because each locks rows and uses a connection to the database.
 */
export function foreseeOnce(approval: Approval, context: ApiContext): Promise<Foreseen> {
  const own = rehearsals.get(context) ?? { byApproval: new Map(), last: Promise.resolve() };
  rehearsals.set(context, own);
  const key = `${approval.approvalId} ${approval.state}`;
  const known = own.byApproval.get(key);
  if (known) return known;
  const next = own.last.then(() => {
    context.signal.throwIfAborted();
    return foresee(context.domain, operatorOf(context), approval);
  });
  own.byApproval.set(key, next);
  own.last = next.catch(() => undefined);
  return next;
}

const currencies = new WeakMap<ApiContext, DataLoader<string, Currency | null>>();

/** What was asked for; amounts are in the currency of the merchant. */
export async function fieldsOf(approval: Approval, _args: object, context: ApiContext): Promise<AskedField[]> {
  const loader = currencies.get(context) ?? new DataLoader((ids: readonly string[]) => currenciesOf(context, ids));
  currencies.set(context, loader);
  return askedFields(approval, await loader.load(approval.merchantId));
}

async function currenciesOf({ domain }: ApiContext, ids: readonly string[]): Promise<(Currency | null)[]> {
  const merchants = await loadMerchants(domain, unrestricted, ids);
  return merchants.map((merchant, i) => (ids[i] === 'PLATFORM' ? null : (merchant?.currency ?? null)));
}
