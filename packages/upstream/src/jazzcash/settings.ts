import type { ChannelMemory, ChannelSettings, CredentialField } from '@tidegate/domain/channels';
import { boundedText, matchingText } from '@tidegate/settings/bounded-text';
import { readWholeNumber } from '@tidegate/settings/whole-number';
import { z } from 'zod';
import { secureUrl } from '../provider/read-base-url.ts';
import { readParts } from '../provider/read-parts.ts';
import type { HashKey } from './signing.ts';

const yesNo = ['yes', 'no'] as const;

/** What an operator enters for a JazzCash channel. */
export const credentialFields: readonly CredentialField[] = [
  {
    name: 'merchantId',
    purposes: ['payin', 'callback', 'payout'],
    label: 'Merchant ID',
    isSecret: false,
    isRequired: true,
    help: 'In the JazzCash merchant portal under Integration, Credentials, for example MC12345.',
  },
  {
    name: 'password',
    purposes: ['payin', 'payout'],
    label: 'Password',
    isSecret: true,
    isRequired: true,
    help: 'Made by the portal under Integration, Credentials. It is not the password of the portal.',
  },
  {
    name: 'integritySalt',
    purposes: ['payin', 'callback', 'payout'],
    label: 'Integrity salt',
    isSecret: true,
    isRequired: true,
    help: 'Made by the portal together with the password; also called hash key.',
  },
  {
    name: 'previousIntegritySalt',
    purposes: ['payin', 'callback'],
    label: 'Previous integrity salt',
    isSecret: true,
    isRequired: false,
    help: 'The salt before the last change, as long as JazzCash may still sign with it.',
  },
  {
    name: 'merchantMpin',
    purposes: ['payout'],
    label: 'Merchant MPIN',
    isSecret: true,
    isRequired: false,
    help: 'The PIN of the merchant account, from JazzCash. Without it the channel makes no refunds.',
  },
  {
    name: 'gateway',
    purposes: ['payin'],
    label: 'Gateway',
    isSecret: false,
    isRequired: false,
    choices: ['orchestrator', 'classic'],
    help: 'classic: for accounts at payments.jazzcash.com.pk. Default: orchestrator, for onlinepayments.jazzcash.com.pk.',
  },
  {
    name: 'hashesEmptyValues',
    purposes: ['payin', 'callback'],
    label: 'Hash empty values',
    isSecret: false,
    isRequired: false,
    choices: yesNo,
    help: 'yes: empty values are part of the hash, as older documentation says. Default: no.',
  },
  {
    name: 'acceptsUnnamedInquiry',
    purposes: ['payin'],
    label: 'Accept unnamed inquiry answers',
    isSecret: false,
    isRequired: false,
    choices: yesNo,
    help: 'yes: believe inquiry answers without order and amount, as older gateways send them. Default: no.',
  },
  {
    name: 'inquiryAfterSeconds',
    purposes: ['payin'],
    label: 'Inquiry after seconds',
    isSecret: false,
    isRequired: false,
    help: 'How long after its creation an order may be queried. Default: 600, as JazzCash asks for. At most 3600.',
  },
];

const yesOrNo = z
  .enum(yesNo, 'must be yes or no')
  .default('no')
  .transform((value) => value === 'yes');
const secret = boundedText(200, undefined, 'must have at most 200 characters').min(1, 'is missing');

/** Seconds. With a longer wait, open orders would end before the first inquiry. */
const maxInquiryWait = 3_600;
const inquiryRule = `must be a number of seconds, at most ${maxInquiryWait}`;

const credentials = z.object({
  merchantId: matchingText(40, /^[A-Za-z0-9_-]{1,40}$/, 'must be 1 to 40 letters, digits or _ -'),
  password: secret,
  integritySalt: secret,
  previousIntegritySalt: secret.optional(),
  merchantMpin: matchingText(8, /^[0-9]{4,8}$/, 'must be 4 to 8 digits').optional(),
  gateway: z.enum(['orchestrator', 'classic'], 'must be orchestrator or classic').default('orchestrator'),
  hashesEmptyValues: yesOrNo,
  acceptsUnnamedInquiry: yesOrNo,
  inquiryAfterSeconds: boundedText(4, undefined, inquiryRule)
    .refine((text) => readWholeNumber(text, 0, maxInquiryWait) !== null, inquiryRule)
    .default('600')
    .transform(Number),
});

/** The paths of one generation of JazzCash's gateway, after the base URL. */
export interface GatewayPaths {
  create: string;
  inquiry: string;
  refund: string;
}

const gatewayPaths: Record<'orchestrator' | 'classic', GatewayPaths> = {
  orchestrator: {
    create: '/payment-orchestrator/api/v2/rest/payments/m-wallet',
    inquiry: '/payment-orchestrator/api/v2/rest/payments/status/inquiry',
    refund: '/payment-orchestrator/api/v1/rest/payments/m-wallet/refund',
  },
  classic: {
    create: '/ApplicationAPI/API/2.0/Purchase/DoMWalletTransaction',
    inquiry: '/ApplicationAPI/API/PaymentInquiry/Inquire',
    refund: '/ApplicationAPI/API/Purchase/domwalletrefundtransaction',
  },
};

export interface JazzCashSettings {
  channelId: string;
  baseUrl: string;
  paths: GatewayPaths;
  /** The orchestrator also wants the version and the type of a transaction. */
  isOrchestrator: boolean;
  merchantId: string;
  password: string;
  merchantMpin: string | undefined;
  /** Signs requests; the first one of `keys`. */
  key: HashKey;
  /** All keys that may have signed what JazzCash sends. */
  keys: readonly HashKey[];
  acceptsUnnamedInquiry: boolean;
  inquiryAfterMs: number;
  memory: ChannelMemory;
}

/** Throws `UnusableSettings` for settings that cannot be used. */
export function readSettings(settings: ChannelSettings): JazzCashSettings {
  const { channelId, memory } = settings;
  const { baseUrl, entered } = readParts(settings, credentials, secureUrl);
  const { merchantId, password, merchantMpin, integritySalt, previousIntegritySalt, ...rest } = entered;
  const key = { integritySalt, hashesEmptyValues: rest.hashesEmptyValues };
  return {
    channelId,
    memory,
    baseUrl,
    merchantId,
    password,
    merchantMpin,
    key,
    isOrchestrator: rest.gateway === 'orchestrator',
    paths: gatewayPaths[rest.gateway],
    keys: previousIntegritySalt === undefined ? [key] : [key, { ...key, integritySalt: previousIntegritySalt }],
    acceptsUnnamedInquiry: rest.acceptsUnnamedInquiry,
    inquiryAfterMs: rest.inquiryAfterSeconds * 1_000,
  };
}
