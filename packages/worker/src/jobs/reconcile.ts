import { reconcile as reconcileOnce } from '@tidegate/domain/worker';
import type { Job } from './job.ts';

/** Imports statements, and matches the days that are due. The next job continues a few seconds later. */
export const reconcile: Job = ({ domain, ending }) => reconcileOnce(domain, () => ending.aborted);
