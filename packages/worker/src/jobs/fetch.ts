import { fetchStatements } from '@tidegate/domain/worker';
import type { Job } from './job.ts';

/** Fetches statements that are due. A transfer may take minutes; meanwhile other jobs fetch from other channels. */
export const fetch: Job = ({ domain, ending }) => fetchStatements(domain, ending);
