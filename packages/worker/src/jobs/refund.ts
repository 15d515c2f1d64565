import { workOnRefund } from '@tidegate/domain/worker';
import type * as z from 'zod';
import type { Job, refundData } from './job.ts';

/** Sends a refund to its channel, or queries its outcome. */
export const refund: Job<z.output<typeof refundData>> = ({ domain }, ref) => workOnRefund(domain, ref);
