import { bookEntry, caseBookingNo } from './book-wallet.ts';
import { writtenOffAccount } from './ledger.ts';
import type { Money } from './money.ts';
import { isOutgoing, leftOfCase, type MoneyCase } from './payment.ts';
import type { Story } from './story.ts';
import { withoutOrder } from './unmatched.ts';

// Money that left by mistake and that comes back, in parts or as a whole: what is in suspense then repays the cases about it, each up to what is still out.

/** The story after cases were repaid, and what of the money is left. */
interface Repaid {
  readonly story: Story;
  readonly left: Money;
}

/** Repays open cases, in their order. Those of which all came back are closed. */
export const repayCases = (story: Story, found: readonly MoneyCase[], amount: Money): Repaid =>
  repay(story, found, amount, (repaid) => repaid);

/**
 * Gives money that the case `returned` holds back to those who bear what had left: to the merchant that was charged, else
 * to the platform, which wrote it off.
 */
export const giveBackBorne = (
  story: Story,
  borne: readonly MoneyCase[],
  { returned, amount }: { returned: Pick<MoneyCase, 'caseNo'>; amount: Money },
): Repaid =>
  repay(story, borne, amount, (repaid, found, part) => {
    const { merchantId, caseNo, orderNo, channelId } = found;
    if (found.state === 'written_off') {
      const credit = writtenOffAccount(channelId);
      return repaid.post({ merchantId, orderNo, debit: 'suspense', credit, amount: part, cause: 'reconciliation' });
    }
    const booking = { bookingNo: `${caseBookingNo(found)}/${returned.caseNo}`, corrects: orderNo } as const;
    const about = { merchantId, entry: 'ADJUSTMENT', remark: `case ${caseNo} came back`, counter: 'suspense' } as const;
    const given = bookEntry(repaid, { ...about, ...booking }, part);
    if (!given) throw new Error(`a credit of ${part} cannot be refused`);
    return given;
  });

/**
 * The cases over money that left for the unknown payout of a case, and that is still out or was written off, the oldest
 * first. Without an order number only the reference says which payout it was.
 */
export function casesOfUnknownPayout(cases: readonly MoneyCase[], returned: MoneyCase): MoneyCase[] {
  const { merchantId, channelId, paymentOrderNo, reference } = returned;
  return cases
    .filter((one) => one.merchantId === merchantId && one.channelId === channelId && one.orderNo === null)
    .filter((one) => one.paymentOrderNo === paymentOrderNo)
    .filter((one) => paymentOrderNo !== withoutOrder || one.reference === reference)
    .filter(({ kind, state }) => isOutgoing(kind) && (state === 'open' || state === 'written_off'))
    .sort((a, b) => a.caseNo - b.caseNo);
}

function repay(
  story: Story,
  found: readonly MoneyCase[],
  amount: Money,
  book: (story: Story, found: MoneyCase, part: Money) => Story,
): Repaid {
  return found.reduce<Repaid>(
    ({ story: before, left }, one) => {
      const out = leftOfCase(one);
      const part = left.isLessThan(out) ? left : out;
      if (part.isZero()) return { story: before, left };
      return { story: book(before, one, part).repayCase(one, part), left: left.minus(part) };
    },
    { story, left: amount },
  );
}
