import { fileURLToPath } from 'node:url';
import type * as z from 'zod';
import { SIGNATURE_HEADERS } from '../../request/request-headers.ts';
import { orderSchema, transactionSchema, transactionsSchema, walletSchema } from '../../v1/answer-schemas.ts';
import { failureSchema } from './failure-responses.ts';
import { operations } from './operations.ts';
import { offers, orderName, requestName, requestSchema } from './request-schemas.ts';
import { componentsOf, type Schema } from './schema.ts';
import { notificationName, notificationSchema, webhooks } from './webhooks.ts';

const PREFIX = '/api/v1/merchant';

/** The file of the printed document. */
export const openApiFile = fileURLToPath(new URL('../../../openapi.json', import.meta.url));

/** The document as printed and served. */
export function printOpenApi(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

/**
 * The merchant interface as OpenAPI 3.1, made from the validation schemas, the views, and the tables of errors and
 * notifications.
 */
export function openApiDocument(): Schema {
  const paths = Object.fromEntries(Object.entries(operations()).map(([path, item]) => [`${PREFIX}${path}`, item]));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tidegate merchant interface',
      version: '1',
      summary: 'Payins, payouts, the wallet and notifications.',
      description:
        'Requests and responses are JSON in UTF-8. Every response has the envelope `code`, `msg`, `data`; code 0 means success. Every request is signed with RSA and SHA-256 over its fields, X-Timestamp and X-Nonce.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    security: [{ RSA2: [] }],
    tags: [
      { name: 'Payins', description: 'Money that is collected from payers: China, Thailand, India, Pakistan.' },
      { name: 'Payouts', description: 'Money that is sent to payees: India, Pakistan.' },
      { name: 'Wallet', description: 'Balance and transactions of a merchant.' },
      { name: 'Notifications', description: 'Status changes that the service reports to merchants.' },
      { name: 'Keys', description: 'Public keys that verify notifications.' },
    ],
    paths: {
      ...paths,
      '/.well-known/keys/{keyId}': { get: readKey },
    },
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        RSA2: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Sign',
          description: 'RSASSA-PKCS1-v1_5 with SHA-256 over the signed content, in standard base64 with padding.',
        },
      },
      parameters: { ...headerParameters(), KeyId: keyIdParameter },
      headers: {
        RequestId: { description: 'Id of this request, for the support.', schema: { type: 'string' } },
        RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
      },
      schemas: componentsOf(ownSchemas()),
    },
  };
}

/** What requests, answers and notifications have, by name: the schemas that check or type them. */
function ownSchemas(): Record<string, z.ZodType> {
  return Object.fromEntries([
    ...offers.map((offer) => [requestName(offer.kind, offer.country), requestSchema(offer)]),
    ...offers.flatMap(({ kind, country, rules }) => [
      [orderName(kind, 'created', country), orderSchema(kind, country, rules.createView.fields)],
      [orderName(kind, 'found', country), orderSchema(kind, country, rules.queryView.fields)],
    ]),
    ...offers.map((offer) => [notificationName(offer.kind, offer.country), notificationSchema(offer)]),
    ['Wallet', walletSchema],
    ['WalletTransaction', transactionSchema],
    ['WalletTransactions', transactionsSchema],
    ['Failure', failureSchema],
  ]);
}

/** X-Sign is the security scheme. The other headers are parameters. */
function headerParameters(): Schema {
  const parameters: Schema = {};
  for (const { field, name, form, is } of SIGNATURE_HEADERS) {
    if (field === 'signature') continue;
    parameters[name.slice(2).replace('-', '')] = {
      in: 'header',
      name,
      required: true,
      description: `${is}.`,
      schema: { type: 'string', pattern: form.source },
    };
  }
  return parameters;
}

const KEY_ID_PATTERN = '^[A-Z0-9-]{3,32}[.][A-Za-z0-9_-]{22}$';

const keyIdParameter: Schema = {
  in: 'header',
  name: 'X-Key-Id',
  required: true,
  schema: { type: 'string', pattern: KEY_ID_PATTERN },
  description: 'The id of the key that signed: your merchant number, a dot, and 22 characters of base64url.',
};

const readKey: Schema = {
  operationId: 'readKey',
  tags: ['Keys'],
  summary: 'A public key of the service',
  description:
    'The key that a notification is signed with, by its X-Key-Id: a JSON Web Key (RFC 7517), without the envelope. It may be cached for a minute.',
  security: [],
  parameters: [
    {
      in: 'path',
      name: 'keyId',
      required: true,
      schema: { type: 'string', pattern: KEY_ID_PATTERN },
      description: 'The X-Key-Id of a notification.',
    },
  ],
  responses: {
    200: {
      description: 'The key.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            description: 'An RSA key.',
            properties: {
              kty: { type: 'string', const: 'RSA', description: 'The kind of key.' },
              n: { type: 'string', description: 'The modulus, base64url.' },
              e: { type: 'string', description: 'The public exponent, base64url.' },
              kid: { type: 'string', description: 'The id.' },
              alg: { type: 'string', const: 'RS256', description: 'RSASSA-PKCS1-v1_5 with SHA-256.' },
              use: { type: 'string', const: 'sig', description: 'It verifies signatures.' },
            },
            required: ['kty', 'n', 'e', 'kid', 'alg', 'use'],
          },
        },
      },
    },
    404: { description: 'No such key is published.' },
    405: { description: 'The path has only GET and HEAD.' },
    503: { description: 'The key cannot be read now.' },
  },
};
