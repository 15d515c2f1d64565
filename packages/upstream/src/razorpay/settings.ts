import type { ChannelSettings, CredentialField } from '@tidegate/domain/channels';
import { boundedText } from '@tidegate/settings/bounded-text';
import { readWholeNumber } from '@tidegate/settings/whole-number';
import { z } from 'zod';
import { secureUrl } from '../provider/read-base-url.ts';
import { readParts } from '../provider/read-parts.ts';
import type { WebhookSecret } from './signing.ts';

/** What an operator enters. Only the first three are needed to collect; payouts also need the account number. */
export const credentialFields: readonly CredentialField[] = [
  {
    name: 'keyId',
    purposes: ['payin', 'payout', 'statement'],
    label: 'Key ID',
    isSecret: false,
    isRequired: true,
    help: 'Razorpay Dashboard, Account & Settings, API Keys; it begins with rzp_live_ or rzp_test_.',
  },
  {
    name: 'keySecret',
    purposes: ['payin', 'payout', 'statement'],
    label: 'Key secret',
    isSecret: true,
    isRequired: true,
    help: 'Shown once, when the key is generated.',
  },
  {
    name: 'webhookSecret',
    purposes: ['callback'],
    label: 'Webhook secret',
    isSecret: true,
    isRequired: true,
    help: 'The secret that you entered for the webhook, in Account & Settings, Webhooks.',
  },
  {
    name: 'previousWebhookSecret',
    purposes: ['callback'],
    label: 'Previous webhook secret',
    isSecret: true,
    isRequired: false,
    help: 'After a change of the secret: the old one, for 16 days, because old events keep it.',
  },
  {
    name: 'accountId',
    purposes: ['callback'],
    label: 'Account ID',
    isSecret: false,
    isRequired: false,
    help: 'Begins with acc_; webhooks of another account are then refused.',
  },
  {
    name: 'paymentMethods',
    purposes: ['payin'],
    label: 'Payment methods',
    isSecret: false,
    isRequired: false,
    help: 'What the payment page offers: upi, netbanking, card, wallet, separated by commas; empty: all.',
  },
  {
    name: 'accountNumber',
    purposes: ['payout', 'statement'],
    label: 'RazorpayX account number',
    isSecret: false,
    isRequired: false,
    help: 'For payouts: RazorpayX Dashboard, My Account & Settings, Banking; another account is another channel.',
  },
  {
    name: 'payoutKeyId',
    purposes: ['payout', 'statement'],
    label: 'RazorpayX key ID',
    isSecret: false,
    isRequired: false,
    help: 'For payouts with a key pair of their own; empty: the key pair above.',
  },
  {
    name: 'payoutKeySecret',
    purposes: ['payout', 'statement'],
    label: 'RazorpayX key secret',
    isSecret: true,
    isRequired: false,
    help: 'Belongs to the RazorpayX key ID.',
  },
  {
    name: 'payoutWebhookSecret',
    purposes: ['callback'],
    label: 'RazorpayX webhook secret',
    isSecret: true,
    isRequired: false,
    help: 'The secret of the webhook in the RazorpayX Dashboard; empty: the webhook secret above.',
  },
  {
    name: 'statementDelayMinutes',
    purposes: ['payout'],
    label: 'Delay of the account statement',
    isSecret: false,
    isRequired: false,
    help: 'The statement is asked about a failed payout after this many minutes; default 30.',
  },
];

const tooLong = 'must have at most 200 characters';
const text = boundedText(200, undefined, tooLong).trim().min(1, 'is missing');
const optional = boundedText(200, undefined, tooLong)
  .trim()
  .transform((value) => (value === '' ? undefined : value))
  .optional();
const methods = ['upi', 'netbanking', 'card', 'wallet'] as const;
export type PaymentMethod = (typeof methods)[number];

const credentials = z
  .object({
    keyId: text,
    keySecret: text,
    webhookSecret: text,
    previousWebhookSecret: optional,
    payoutKeyId: optional,
    payoutKeySecret: optional,
    payoutWebhookSecret: optional,
    accountId: optional.refine((id) => id === undefined || /^acc_[A-Za-z0-9]+$/.test(id), 'must begin with acc_'),
    accountNumber: optional.refine(
      (id) => id === undefined || /^[A-Za-z0-9]{5,35}$/.test(id),
      'must be 5 to 35 letters or digits',
    ),
    statementDelayMinutes: optional
      .refine((value) => value === undefined || readWholeNumber(value, 0, 9_999) !== null, 'must be whole minutes')
      .transform((value) => Number(value ?? 30)),
    paymentMethods: optional
      .transform((value) => value?.split(',').map((one) => one.trim()))
      .pipe(
        z
          .array(z.enum(methods, `must be of ${methods.join(', ')}`))
          .min(1)
          .optional(),
      ),
  })
  .refine((all) => (all.payoutKeyId === undefined) === (all.payoutKeySecret === undefined), {
    path: ['payoutKeySecret'],
    message: 'goes together with payoutKeyId',
  });

export interface KeyPair {
  id: string;
  secret: string;
}

export interface Settings {
  /** Without a slash at the end. */
  baseUrl: string;
  keys: KeyPair;
  accountId: string | undefined;
  paymentMethods: readonly PaymentMethod[] | undefined;
  webhookSecrets: readonly WebhookSecret[];
  /** Absent: the account only collects. */
  payouts?: { keys: KeyPair; accountNumber: string; statementDelayMs: number };
}

/** Throws `UnusableSettings` for settings that cannot be used. */
export function readSettings(settings: ChannelSettings): Settings {
  const { baseUrl, entered } = readParts(settings, credentials, secureUrl);
  const keys = { id: entered.keyId, secret: entered.keySecret };
  const { accountNumber, payoutKeyId, payoutKeySecret } = entered;
  const payoutKeys =
    payoutKeyId === undefined || payoutKeySecret === undefined ? keys : { id: payoutKeyId, secret: payoutKeySecret };
  return {
    baseUrl,
    keys,
    accountId: entered.accountId,
    paymentMethods: entered.paymentMethods,
    webhookSecrets: secretsOf(entered),
    ...(accountNumber !== undefined && {
      payouts: { keys: payoutKeys, accountNumber, statementDelayMs: entered.statementDelayMinutes * 60_000 },
    }),
  };
}

function secretsOf(entered: z.infer<typeof credentials>): WebhookSecret[] {
  const named = ['webhookSecret', 'previousWebhookSecret', 'payoutWebhookSecret'] as const;
  return named.flatMap((name) => {
    const secret = entered[name];
    return secret === undefined ? [] : [{ name, secret }];
  });
}
