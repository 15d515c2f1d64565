import * as z from 'zod';
import { type Failure, failures } from '../../request/errors.ts';
import { text, whole } from '../../v1/answer-schemas.ts';
import { errorMeanings } from '../error-meanings.ts';
import { ref, type Schema } from './schema.ts';

/** Failures of every signed request, before its operation runs. */
const ofEveryRequest: readonly Failure[] = [
  ...(['malformed_request', 'invalid_parameter', 'missing_header', 'signature_invalid'] as const),
  ...(['timestamp_out_of_range', 'nonce_used', 'merchant_disabled', 'ip_not_allowed', 'too_many_requests'] as const),
  ...(['internal_error', 'service_unavailable'] as const),
];

const ofEveryPost: readonly Failure[] = ['request_too_large', 'unsupported_media_type'];
const ofEveryCreate: readonly Failure[] = [
  ...ofEveryPost,
  ...(['operation_not_available', 'merchant_order_no_exists', 'amount_out_of_range', 'no_channel_available'] as const),
];

/** Further failures of each operation. */
export const failuresOf = {
  createPayin: [...ofEveryCreate, 'upstream_rejected', 'upstream_timeout'],
  queryPayin: ['order_not_found'],
  createPayout: [...ofEveryCreate, 'balance_insufficient', 'bank_mapping_not_found'],
  queryPayout: ['order_not_found', 'operation_not_available'],
  readWallet: [],
  readWalletTransactions: [],
} as const satisfies Record<string, readonly Failure[]>;

export type OperationId = keyof typeof failuresOf;

/** The failures of an operation, one response for each HTTP status, with an example for each code. */
export function failureResponses(operation: OperationId): Schema {
  const all = [...ofEveryRequest, ...failuresOf[operation]];
  const responses: Schema = {};
  for (const http of [...new Set(all.map((failure) => failures[failure].http))].sort())
    responses[http] = failureResponse(
      http,
      all.filter((failure) => failures[failure].http === http),
    );
  return responses;
}

function failureResponse(http: number, of: readonly Failure[]): Schema {
  const waits = http === 429 || http === 503;
  return {
    description: of.map((failure) => `**${failures[failure].code}** ${errorMeanings[failure]}`).join('\n\n'),
    headers: {
      'X-Request-Id': ref('headers', 'RequestId'),
      ...(waits && { 'Retry-After': ref('headers', 'RetryAfter') }),
    },
    content: {
      'application/json': {
        schema: {
          allOf: [ref('schemas', 'Failure'), { properties: { code: { enum: of.map((one) => failures[one].code) } } }],
        },
        examples: Object.fromEntries(
          of.map((failure) => {
            const { code, msg } = failures[failure];
            return [failure, { summary: `${code} ${msg}`, value: { code, msg, data: null } }];
          }),
        ),
      },
    },
  };
}

/** The envelope of a failure. */
export const failureSchema = z.object({
  code: whole('Never 0.'),
  msg: text('A fixed text, and after ": " the detail.'),
  data: z
    .union([z.null(), z.object({ signedContent: text('The text that the service derived from the request.') })])
    .describe('Null, except for 40101 in the sandbox.'),
});
