import { type Country, currencyOf, type OrderKind, type ShownField } from '@tidegate/domain';
import * as z from 'zod';
import { orderSchema, text } from '../../v1/answer-schemas.ts';
import { nameOfKind, type Offer, offers } from './request-schemas.ts';
import { ref, type Schema } from './schema.ts';

const notificationFields: readonly ShownField[] = [
  'orderNo',
  'merchantOrderNo',
  'status',
  'amount',
  'feeAmount',
  'netAmount',
];

/** The notifications of each country's rule, by name, e.g. `payinTH` (decisions 7). */
export function webhooks(): Schema {
  return Object.fromEntries(offers.map((offer) => [`${offer.kind}${offer.country}`, { post: webhook(offer) }]));
}

/** E.g. `PayinNotificationTH`. */
export function notificationName(kind: OrderKind, country: Country): string {
  return `${nameOfKind(kind)}Notification${country}`;
}

function webhook({ kind, country, rules }: Offer): Schema {
  const { statuses } = rules.notifications;
  return {
    operationId: `notify${nameOfKind(kind)}${country}`,
    tags: ['Notifications'],
    summary: `A ${kind} of ${country} is ${statuses.join(', ').replace(/, (?=[^,]+$)/, ' or ')}`,
    description:
      'X-Key-Id has to begin with your merchant number. Verify X-Sign with that key (`/.well-known/keys/{keyId}`) over the body, X-Timestamp and X-Nonce, as requests are signed. The same notification may come again: apply it once. Anything but HTTP 200 with the text `OK` within 10 seconds is tried again, up to 16 attempts in about 24 hours.',
    security: [{ RSA2: [] }],
    parameters: ['MerchantNo', 'Timestamp', 'Nonce', 'KeyId'].map((name) => ref('parameters', name)),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref('schemas', notificationName(kind, country)) } },
    },
    responses: {
      200: {
        description: 'Acknowledged. White space around `OK` is ignored.',
        content: { 'text/plain': { schema: { type: 'string', const: 'OK' } } },
      },
      '4XX': { description: 'Not acknowledged. The service tries again.' },
    },
  };
}

/** The body of a notification. */
export function notificationSchema({ kind, country, rules: { notifications } }: Offer): z.ZodType {
  const { shape } = orderSchema(kind, country, [...notificationFields, 'completedAt']);
  const extras = {
    currency: z.literal(currencyOf[country]).describe('The currency of the merchant.'),
    countryCode: z.literal(country).describe('The country of the merchant.'),
    failureReason: text('Why it failed or timed out.').optional(),
  };
  return z
    .object({
      orderType: z.literal(kind).describe('The kind of order.'),
      ...shape,
      status: z.enum(notifications.statuses).describe('The new status.'),
      ...Object.fromEntries(notifications.extraFields.map((field) => [field, extras[field]])),
    })
    .meta({ title: `Fields of a ${kind} in ${country}` });
}
