import type { OrderKind } from '@tidegate/domain';
import { MERCHANT_ORDER_NO, ORDER_NO } from '../../v1/order-number.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../v1/wallet-transactions.ts';
import { failureResponses, type OperationId } from './failure-responses.ts';
import { nameOfKind, offers, orderName, requestName } from './request-schemas.ts';
import { ref, type Schema } from './schema.ts';

/** The operations of the merchant interface, by path below `/api/v1/merchant` and method. */
export function operations(): Record<string, Schema> {
  return {
    '/payin/create': { post: create('payin', 'createPayin') },
    '/payin/query': { get: query('payin', 'queryPayin') },
    '/payout/create': { post: create('payout', 'createPayout') },
    '/payout/query': { get: query('payout', 'queryPayout') },
    '/wallet': {
      get: operation('readWallet', 'Wallet', 'Read the wallet', ref('schemas', 'Wallet')),
    },
    '/wallet/transactions': {
      get: operation(
        'readWalletTransactions',
        'Wallet',
        "Read the wallet's transactions, newest first",
        ref('schemas', 'WalletTransactions'),
        {
          parameters: [
            queryParameter('page', 'Which page; 1 is the newest.', { type: 'integer', minimum: 1, default: 1 }),
            queryParameter('pageSize', 'How many on a page.', {
              type: 'integer',
              minimum: 1,
              maximum: MAX_PAGE_SIZE,
              default: DEFAULT_PAGE_SIZE,
            }),
          ],
        },
      ),
    },
  };
}

function create(kind: OrderKind, id: OperationId): Schema {
  const summary = kind === 'payin' ? 'Collect money: create a payin' : 'Send money: create a payout';
  const offered = offers.filter((offer) => offer.kind === kind);
  return operation(
    id,
    `${nameOfKind(kind)}s`,
    summary,
    anyOf(offered.map(({ country }) => orderName(kind, 'created', country))),
    {
      description:
        "The merchant's country decides which schema applies. If the answer was lost, query the order by merchantOrderNo.",
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: anyOf(offered.map(({ country }) => requestName(kind, country))),
            examples: Object.fromEntries(
              offered.map(({ country, rules }) => [country, { summary: country, value: rules.example }]),
            ),
          },
        },
      },
    },
  );
}

function query(kind: OrderKind, id: OperationId): Schema {
  const names = offers.flatMap((offer) => (offer.kind === kind ? orderName(kind, 'found', offer.country) : []));
  return operation(id, `${nameOfKind(kind)}s`, `Query a ${kind} by exactly one of its numbers`, anyOf(names), {
    parameters: [
      queryParameter('orderNo', "The service's order number.", { type: 'string', pattern: ORDER_NO.source }),
      queryParameter('merchantOrderNo', "The merchant's own order number.", {
        type: 'string',
        pattern: MERCHANT_ORDER_NO.source,
      }),
    ],
  });
}

function operation(id: OperationId, tag: string, summary: string, data: Schema, more: Schema = {}): Schema {
  const { parameters = [], ...rest } = more;
  const headers = ['MerchantNo', 'Timestamp', 'Nonce'].map((name) => ref('parameters', name));
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...rest,
    parameters: [...headers, ...(parameters as Schema[])],
    responses: {
      200: {
        description: 'Success.',
        headers: { 'X-Request-Id': ref('headers', 'RequestId') },
        content: { 'application/json': { schema: envelopeOf(data) } },
      },
      ...failureResponses(id),
    },
  };
}

/** The envelope of a success around its data (decisions 1). */
function envelopeOf(data: Schema): Schema {
  const code = { type: 'integer', const: 0, description: '0 means success.' };
  const msg = { type: 'string', const: 'success', description: 'Short text.' };
  return { type: 'object', properties: { code, msg, data }, required: ['code', 'msg', 'data'] };
}

function anyOf(names: readonly string[]): Schema {
  return { anyOf: names.map((name) => ref('schemas', name)) };
}

function queryParameter(name: string, description: string, schema: Schema): Schema {
  return { in: 'query', name, required: false, description: `${description} Signed.`, schema };
}
