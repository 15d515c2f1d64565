import { writeNextExport } from '@tidegate/domain/worker';
import type { Job } from './job.ts';

/** Writes the export that has waited longest. The next job takes the next one, in any worker. */
export const writeExport: Job = ({ domain, ending }) => writeNextExport(domain, () => ending.aborted);
