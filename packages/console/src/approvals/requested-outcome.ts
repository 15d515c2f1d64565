import type { BreakOutcome, PayoutOutcome, RefundOutcome } from '../generated/documents.generated.ts';
import { outcomeOf } from './approval-title.ts';

/** What a request with this outcome does, in the words that its approval will have. */
export const outcomeTitles = {
  resolvePayout: { PAID: 'Mark paid', FAILED: 'Mark failed' },
  resolveRefund: { REFUNDED: 'Mark refunded', FAILED: 'Mark the refund failed' },
  resolveBreak: {
    POSTED: 'Post the difference',
    LINKED: 'Link as repeated',
    WRITTEN_OFF: 'Write off',
    CHARGED: 'Charge the merchant',
  },
} as const satisfies {
  resolvePayout: Readonly<Record<PayoutOutcome, string>>;
  resolveRefund: Readonly<Record<RefundOutcome, string>>;
  resolveBreak: Readonly<Record<BreakOutcome, string>>;
};

/** The button of a dialog whose field `outcome` says what is requested: `Mark paid: 815.23 INR`. */
export function requestedOutcome(
  operation: keyof typeof outcomeTitles,
  { outcome, otherBreakNo }: { readonly outcome?: string; readonly otherBreakNo?: string },
  money: { readonly amount: string; readonly currency: string },
): string | undefined {
  const titles: Readonly<Record<string, string>> = outcomeTitles[operation];
  const title = otherBreakNo && outcome === 'LINKED' ? `Link to break ${otherBreakNo}` : titles[outcome ?? ''];
  return title === undefined ? undefined : outcomeOf({ title, money });
}
