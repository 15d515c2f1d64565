import type { StatementFormat } from '@tidegate/domain/reconciliation';
import { alipayBill } from './alipay-bill/format.ts';
import { bai2 } from './bai2/format.ts';
import { camt053 } from './camt053/format.ts';
import { csv } from './csv/format.ts';
import { mt940 } from './mt940/format.ts';
import { opnTransactions } from './opn-transactions/format.ts';
import { razorpayRecon } from './razorpay-recon/format.ts';
import { razorpayxStatement } from './razorpayx-statement/format.ts';
import { defaultLimits, type Limits } from './reading/limits.ts';
import { withKeptSummaries } from './reading/summary.ts';

/** All formats. Add a new one here. */
const makers = [alipayBill, bai2, camt053, csv, mt940, opnTransactions, razorpayRecon, razorpayxStatement];

/** All formats, with other limits than the default ones. */
export function formatsWithin(limits: Limits): readonly StatementFormat[] {
  return makers.map((make) => withKeptSummaries(make(limits), limits));
}

export const formats: readonly StatementFormat[] = formatsWithin(defaultLimits);

/** The format of this name, for example `camt.053`; undefined if there is none. */
export function findFormat(name: string): StatementFormat | undefined {
  return formats.find((format) => format.name === name);
}
