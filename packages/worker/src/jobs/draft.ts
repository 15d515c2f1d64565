import { draftBySchedule } from '@tidegate/domain/worker';
import type { Job } from './job.ts';

/** Drafts the settlements whose cycles are due. Several workers may run it: each merchant's day is claimed once. */
export const draft: Job = ({ domain, ending }) => draftBySchedule(domain, () => ending.aborted);
