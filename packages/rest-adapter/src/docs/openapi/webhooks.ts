import { type Country, currencyOf, type OrderKind, type ShownField } from '@tidegate/domain';
import { nameOfKind, type Offer, offers } from './request-schemas.ts';
import { orderSchema } from './response-schemas.ts';
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

/** The bodies of all notifications. */
export function notificationSchemas(): Schema {
  return Object.fromEntries(
    offers.map((offer) => [notificationName(offer.kind, offer.country), notificationSchema(offer)]),
  );
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
function notificationSchema({ kind, country, rules }: Offer): Schema {
  const rule = rules.notifications;
  const base = orderSchema(kind, country, [...notificationFields, 'completedAt']);
  const extras: Record<(typeof rule.extraFields)[number], Schema> = {
    currency: { type: 'string', const: currencyOf[country], description: 'The currency of the merchant.' },
    countryCode: { type: 'string', const: country, description: 'The country of the merchant.' },
    failureReason: { type: 'string', description: 'Why it failed or timed out.' },
  };
  const needed = rule.extraFields.filter((field) => field !== 'failureReason');
  const { properties, required } = base as { properties: { [name: string]: Schema }; required: string[] };
  return {
    ...base,
    properties: {
      orderType: { type: 'string', const: kind, description: 'The kind of order.' },
      ...properties,
      status: { type: 'string', enum: rule.statuses, description: 'The new status.' },
      ...Object.fromEntries(rule.extraFields.map((field) => [field, extras[field]])),
    },
    required: ['orderType', ...required, ...needed],
  };
}
