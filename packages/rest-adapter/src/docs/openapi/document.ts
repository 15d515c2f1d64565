import { fileURLToPath } from 'node:url';
import { SIGNATURE_HEADERS } from '../../request-headers.ts';
import { failureSchema } from './failure-responses.ts';
import { operations } from './operations.ts';
import { requestSchemas } from './request-schemas.ts';
import { orderSchemas, walletSchemas } from './response-schemas.ts';
import type { Schema } from './schema.ts';
import { webhooks } from './webhooks.ts';

const PREFIX = '/api/v1/merchant';

/** Where the document is kept printed. */
export const openApiFile = fileURLToPath(new URL('../../../openapi.json', import.meta.url));

/** The document as it is kept and served. */
export function printOpenApi(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

/** The merchant interface as OpenAPI 3.1, made from the forms that validate, the views, and the tables of errors and notifications. */
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
      { name: 'Wallet', description: 'What a merchant has, and how it came about.' },
      { name: 'Notifications', description: 'What the service tells merchants of.' },
      { name: 'Keys', description: 'What notifications are verified with.' },
    ],
    paths: { ...paths, '/.well-known/jwks.json': { get: readKeys } },
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        RSA2: {
          ...{ type: 'apiKey', in: 'header', name: 'X-Sign' },
          description: 'RSASSA-PKCS1-v1_5 with SHA-256 over the signed content, in standard base64 with padding.',
        },
      },
      parameters: { ...headerParameters(), KeyId: keyIdParameter },
      headers: {
        RequestId: { description: 'Names this request to the support.', schema: { type: 'string' } },
        RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
      },
      schemas: { ...requestSchemas(), ...orderSchemas(), ...walletSchemas, Failure: failureSchema },
    },
  };
}

/** X-Sign is the security scheme, the others are parameters. */
function headerParameters(): Schema {
  const parameters: Schema = {};
  for (const { field, name, form, is } of SIGNATURE_HEADERS) {
    if (field === 'signature') continue;
    parameters[name.slice(2).replace('-', '')] = {
      ...{
        in: 'header',
        name,
        required: true,
        description: `${is}.`,
        schema: { type: 'string', pattern: form.source },
      },
    };
  }
  return parameters;
}

const keyIdParameter: Schema = {
  ...{ in: 'header', name: 'X-Key-Id', required: true, schema: { type: 'string' } },
  description: 'The `kid` of the key that signed.',
};

const readKeys: Schema = {
  operationId: 'readKeys',
  tags: ['Keys'],
  summary: "The service's public keys",
  description: 'A JSON Web Key Set (RFC 7517), without the envelope. It may be cached for a minute.',
  security: [],
  responses: {
    200: {
      description: 'The keys that notifications may be signed with.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { keys: { type: 'array', items: { type: 'object' }, description: 'RSA keys.' } },
            required: ['keys'],
          },
        },
      },
    },
    405: { description: 'The path has only GET and HEAD.' },
    503: { description: 'The keys cannot be read now.' },
  },
};
