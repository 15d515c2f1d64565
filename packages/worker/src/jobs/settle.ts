import { workOnSettlement } from '@tidegate/domain/worker';
import type * as z from 'zod';
import type { Job, settlementData } from './job.ts';

/** Sends a settlement to the channel that pays it, or queries its outcome. */
export const settle: Job<z.output<typeof settlementData>> = ({ domain }, { merchantId, orderNo: paymentNo }) =>
  workOnSettlement(domain, { merchantId, paymentNo });
