import { boundedText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';

// Schemas of what Razorpay sends. Fields that decide about money are strict, all others are tolerant. Sources:
// docs/channels/razorpay.md.

const id = (prefix: string) =>
  boundedText(60)
    .regex(/^[a-z]+_[A-Za-z0-9]{1,40}$/)
    .startsWith(`${prefix}_`);
const paise = z.int().nonnegative();
const currency = boundedText(3).regex(/^[A-Z]{3}$/);
const state = boundedText(40).min(1);
const reference = boundedText(64).nullish();

const linkPayment = z.object({ payment_id: id('pay'), amount: paise, status: state });

/** A payment link. `payments` has captured payments only, and is absent in webhooks. */
export const wireLink = z.object({
  id: id('plink'),
  amount: paise,
  amount_paid: paise.nullish(),
  currency,
  reference_id: reference,
  status: state,
  // An address that cannot be used must not hide that the link was paid.
  short_url: boundedText(512)
    .pipe(z.url({ protocol: /^https?$/ }))
    .nullish()
    .catch(null),
  order_id: z.union([id('order'), z.literal('')]).nullish(),
  payments: z.array(linkPayment).max(100).nullish(),
});
export type WireLink = z.infer<typeof wireLink>;

const someLinks = z.array(z.object({ reference_id: z.unknown() }).loose()).max(100);
/** The documents show `payment_links`. Code of the community also reads `items`. */
export const wireLinks = z.union([
  z.object({ payment_links: someLinks }).transform((list) => list.payment_links),
  z.object({ items: someLinks }).transform((list) => list.items),
]);

const wirePayment = z.object({
  id: id('pay'),
  amount: paise,
  currency,
  status: state,
  /** Whether the money ever came; also true for a payment that was refunded afterwards. */
  captured: z.boolean().nullish(),
  order_id: id('order').nullish(),
});
export type WirePayment = z.infer<typeof wirePayment>;
export const wirePayments = z.object({ items: z.array(wirePayment).max(100) });

export const wireContact = z.object({ id: id('cont') });
export const wireFundAccount = z.object({
  id: id('fa'),
  contact_id: id('cont'),
  bank_account: z.object({ ifsc: boundedText(4_096), account_number: boundedText(4_096) }).nullish(),
  vpa: z.object({ address: boundedText(4_096) }).nullish(),
});

export type WireFundAccount = z.infer<typeof wireFundAccount>;

export const wirePayout = z.object({
  id: id('pout'),
  amount: paise,
  currency,
  status: state,
  fund_account_id: id('fa'),
  reference_id: reference,
  /** The account that paid, if Razorpay names it; the documents also show the text `null`. */
  debit_account_number: boundedText(64).nullish(),
  created_at: z.int().positive(),
  status_details: z.object({ reason: boundedText(100).nullish() }).nullish(),
});
export type WirePayout = z.infer<typeof wirePayout>;
export const wirePayouts = z.object({ items: z.array(z.object({ reference_id: z.unknown() }).loose()).max(100) });

/** A line of the RazorpayX account statement. Its source is a payout, a reversal of one, or a bank transfer. */
export const wireTransactions = z.object({
  items: z
    .array(
      z.object({
        id: boundedText(64).min(1),
        credit: paise,
        debit: paise,
        source: z.object({ id: boundedText(4_096).nullish(), payout_id: boundedText(4_096).nullish() }).nullish(),
      }),
    )
    .max(100),
});
export type WireTransaction = z.infer<typeof wireTransactions>['items'][number];

export const wireRefund = z.object({
  id: id('rfnd'),
  payment_id: id('pay'),
  amount: paise,
  currency,
  receipt: reference,
  status: state,
});
export const wireRefunds = z.object({ items: z.array(z.object({ receipt: z.unknown() }).loose()).max(100) });

export const wireError = z.object({
  error: z.object({
    code: boundedText(100),
    description: boundedText(2_000),
    reason: boundedText(200).nullish(),
    field: boundedText(200).nullish(),
  }),
});

const entity = z.object({ entity: z.unknown() });
/** A webhook. Which entities it has depends on its event. */
export const wireEvent = z.object({
  event: boundedText(100).min(1),
  account_id: boundedText(64).nullish(),
  created_at: z.int().positive(),
  payload: z.object({
    payment_link: entity.nullish(),
    payment: entity.nullish(),
    order: entity.nullish(),
    payout: entity.nullish(),
  }),
});
export type WireEvent = z.infer<typeof wireEvent>;
export const wireEventOrder = z.object({ receipt: reference, product_type: boundedText(64).nullish() });
export const wireReference = z.object({ reference_id: reference });
