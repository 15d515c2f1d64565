import type { ChannelMemory, ChannelSettings, CredentialField } from '@tidegate/domain/channels';
import { z } from 'zod';
import { secureUrl } from '../read-base-url.ts';
import { readParts } from '../read-parts.ts';
import type { HashKey } from './signing.ts';

const yesNo = ['yes', 'no'] as const;

/** What an operator enters for a JazzCash channel. */
export const credentialFields: readonly CredentialField[] = [
  {
    name: 'merchantId',
    label: 'Merchant ID',
    isSecret: false,
    isRequired: true,
    help: 'In the JazzCash merchant portal under Integration, Credentials, for example MC12345.',
  },
  {
    name: 'password',
    label: 'Password',
    isSecret: true,
    isRequired: true,
    help: 'Made by the portal under Integration, Credentials. It is not the password of the portal.',
  },
  {
    name: 'integritySalt',
    label: 'Integrity salt',
    isSecret: true,
    isRequired: true,
    help: 'Made by the portal together with the password; also called hash key.',
  },
  {
    name: 'previousIntegritySalt',
    label: 'Previous integrity salt',
    isSecret: true,
    isRequired: false,
    help: 'The salt before the last change, as long as JazzCash may still sign with it.',
  },
  {
    name: 'merchantMpin',
    label: 'Merchant MPIN',
    isSecret: true,
    isRequired: false,
    help: 'The PIN of the merchant account, from JazzCash. Without it the channel makes no refunds.',
  },
  {
    name: 'gateway',
    label: 'Gateway',
    isSecret: false,
    isRequired: false,
    choices: ['orchestrator', 'classic'],
    help: 'classic: for accounts at payments.jazzcash.com.pk. Default: orchestrator, for onlinepayments.jazzcash.com.pk.',
  },
  {
    name: 'hashesEmptyValues',
    label: 'Hash empty values',
    isSecret: false,
    isRequired: false,
    choices: yesNo,
    help: 'yes: empty values are part of the hash, as older documentation says. Default: no.',
  },
  {
    name: 'acceptsUnnamedInquiry',
    label: 'Accept unnamed inquiry answers',
    isSecret: false,
    isRequired: false,
    choices: yesNo,
    help: 'yes: believe inquiry answers without order and amount, as older gateways send them. Default: no.',
  },
  {
    name: 'inquiryAfterSeconds',
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
const secret = z.string().min(1, 'is missing').max(200, 'must have at most 200 characters');

/** Seconds. With a longer wait, open orders would end before the first inquiry. */
const maxInquiryWait = 3_600;
const inquiryRule = `must be a number of seconds, at most ${maxInquiryWait}`;

const credentials = z.object({
  merchantId: z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be 1 to 40 letters, digits or _ -'),
  password: secret,
  integritySalt: secret,
  previousIntegritySalt: secret.optional(),
  merchantMpin: z
    .string()
    .regex(/^[0-9]{4,8}$/, 'must be 4 to 8 digits')
    .optional(),
  gateway: z.enum(['orchestrator', 'classic'], 'must be orchestrator or classic').default('orchestrator'),
  hashesEmptyValues: yesOrNo,
  acceptsUnnamedInquiry: yesOrNo,
  inquiryAfterSeconds: z
    .string()
    .regex(/^[0-9]{1,4}$/, inquiryRule)
    .refine((text) => Number(text) <= maxInquiryWait, inquiryRule)
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
