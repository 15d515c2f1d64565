import { proveSettlements, reconcile as reconcileOnce } from '@tidegate/domain/worker';
import type { Job } from './job.ts';

/**
 * Imports statements, matches the days that are due, and confirms the settlements that lines name. The next job continues a few seconds later.
 */
export const reconcile: Job = async ({ domain, ending }) => {
  const reconciled = await reconcileOnce(domain, () => ending.aborted);
  const proven = await proveSettlements(domain, () => ending.aborted);
  return proven === 'found' ? proven : reconciled;
};
