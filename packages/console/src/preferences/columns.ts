import type { Screen } from '../generated/documents.generated.ts';
import { createKeptStore, createStore, type Store } from '../state/store.ts';

type Chosen = readonly string[] | null;

/** The lists whose columns are kept with the operator, by their screen. Those of other lists stay in the browser. */
export const listsOfScreens: Partial<Record<Screen, string>> = {
  APPROVALS: 'approvals',
  AUDIT_LOG: 'audit',
  CASES: 'cases',
  CHANNELS: 'channels',
  FINDINGS: 'findings',
  MERCHANTS: 'merchants',
  NOTIFICATIONS: 'notifications',
  OPERATORS: 'operators',
  ORDERS: 'orders',
  PAYOUT_TASKS: 'payout-tasks',
  STUCK_PAYOUTS: 'stuck-payouts',
  WALLETS: 'wallets',
};

/** The choice of columns that was made last. */
export const lastColumns = createStore<{ readonly list: string; readonly chosen: Chosen } | null>(null);

const stores = new Map<string, Store<Chosen>>();

/** The ids of the columns that an operator chose for a list; null for those that are shown at first. */
export function chosenColumns(list: string): Store<Chosen> {
  const known = stores.get(list);
  if (known) return known;
  const kept = createKeptStore<Chosen>(`tidegate-columns-${list}`, null, readIds);
  const store = {
    ...kept,
    set: (chosen: Chosen) => {
      kept.set(chosen);
      lastColumns.set({ list, chosen });
    },
  };
  stores.set(list, store);
  return store;
}

function readIds(text: string): string[] | null {
  const ids: unknown = JSON.parse(text);
  return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : null;
}
