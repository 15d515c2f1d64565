import { fateOf, fromCents } from '../../fake-provider/index.ts';
import {
  type Context,
  type Input,
  page,
  parameter,
  problemOfFields,
  query,
  readInput,
  recordOf,
  recordsOf,
  refuse,
  seconds,
} from './context.ts';
import { firstStatus, movePayout, startPayout } from './payout-course.ts';
import { makeId, type Payout } from './records.ts';
import { viewOfPayout } from './views.ts';

const fields = [
  'account_number',
  'fund_account_id',
  'amount',
  'currency',
  'mode',
  'purpose',
  'queue_if_low_balance',
  'reference_id',
  'narration',
  'notes',
];
const purposes = ['refund', 'cashback', 'payout', 'salary', 'utility bill', 'vendor bill'];
const lakh = 100_000_00;

export function addPayoutRoutes(context: Context): void {
  const { app } = context.server;
  app.post('/v1/payouts', async (request, reply) => {
    const input = readInput(request);
    if (input === null) return refuse(reply, 'The request body is not JSON');
    const key = request.headers['x-payout-idempotency'];
    if (typeof key !== 'string')
      return refuse(
        reply,
        'Idempotency key is missing. Include idempotency header and key in the request.',
        'X-Payout-Idempotency',
      );
    if (!/^[A-Za-z0-9_ -]{4,36}$/.test(key)) return refuse(reply, 'The idempotency key is invalid.');
    const requestText = JSON.stringify(input);
    const known = recordsOf(context, 'payout').find((one) => one.key === key);
    if (known && known.request !== requestText)
      return refuse(reply, 'Different request with the same idempotency key has already been processed.');
    if (known) return viewOfPayout(known);
    const problem = problemOfPayout(context, input);
    if (problem) return refuse(reply, problem.words, problem.field);
    const payout = makePayout(context, input, key, requestText);
    context.store.put(payout.id, payout);
    startPayout(context, payout);
    return viewOfPayout(payout);
  });
  app.get('/v1/payouts', async (request, reply) => {
    const accountNumber = query(request, 'account_number');
    if (!isOurs(context, accountNumber)) return refuse(reply, 'The account number is invalid', 'account_number');
    const reference = query(request, 'reference_id');
    const all = recordsOf(context, 'payout').filter(
      (one) => one.accountNumber === accountNumber && (reference === undefined || one.reference === reference),
    );
    const items = page(request, all).map(viewOfPayout);
    return { entity: 'collection', count: items.length, items };
  });
  app.get('/v1/payouts/:id', async (request, reply) => {
    const payout = recordOf(context, 'payout', parameter(request, 'id'));
    return payout ? viewOfPayout(payout) : refuse(reply, 'The id provided does not exist');
  });
  app.post('/v1/payouts/:id/cancel', async (request, reply) => {
    const payout = recordOf(context, 'payout', parameter(request, 'id'));
    if (!payout) return refuse(reply, 'The id provided does not exist');
    if (payout.status !== 'queued') return refuse(reply, 'Payout cannot be cancelled in its current state');
    movePayout(context, payout.id, 'cancelled', null);
    return viewOfPayout(recordOf(context, 'payout', payout.id) ?? payout);
  });
}

/** A business may have several accounts at RazorpayX, which one key pair reaches. */
export function isOurs({ account }: Context, accountNumber: unknown): boolean {
  return [account.accountNumber, account.otherAccountNumber].some((one) => one !== undefined && one === accountNumber);
}

function problemOfPayout(context: Context, input: Input): { words: string; field: string | null } | null {
  const extra = problemOfFields(input, fields);
  if (extra) return { words: extra, field: null };
  const { amount, mode, narration, reference_id: reference } = input;
  const fundAccount = recordOf(context, 'fund_account', String(input.fund_account_id));
  const paise = Number.isSafeInteger(amount) ? Number(amount) : 0;
  const rules: [isBroken: boolean, words: string, field: string][] = [
    [!isOurs(context, input.account_number), 'The account number is invalid', 'account_number'],
    [!fundAccount, 'The id provided does not exist', 'fund_account_id'],
    [paise < 100, 'Minimum transaction amount should be 100 paise', 'amount'],
    [input.currency !== 'INR', 'Currency is not supported', 'currency'],
    [!purposes.includes(String(input.purpose)), 'Invalid purpose', 'purpose'],
    [fundAccount?.vpa ? mode !== 'UPI' : !['IMPS', 'NEFT', 'RTGS'].includes(String(mode)), 'Invalid mode', 'mode'],
    [mode === 'IMPS' && paise > 5 * lakh, 'The amount exceeds the limit of IMPS', 'amount'],
    [mode === 'RTGS' && paise < 2 * lakh, 'The amount is too small for RTGS', 'amount'],
    [mode === 'UPI' && paise >= lakh, 'The amount exceeds the limit of UPI', 'amount'],
    [!/^[A-Za-z0-9 ]{0,30}$/.test(String(narration ?? '')), 'The narration is invalid', 'narration'],
    [String(reference ?? '').length > 40, 'The reference id may not be greater than 40 characters.', 'reference_id'],
    [fateOf(fromCents(paise)) === 'refused', 'Payouts to this fund account are not allowed', 'fund_account_id'],
  ];
  const broken = rules.find(([isBroken]) => isBroken);
  return broken ? { words: broken[1], field: broken[2] } : null;
}

function makePayout(context: Context, input: Input, key: string, request: string): Payout {
  const amount = Number(input.amount);
  return {
    type: 'payout',
    id: makeId('pout'),
    key,
    request,
    amount,
    ...firstStatus(amount),
    accountNumber: String(input.account_number),
    debitAccountNumber: null,
    fundAccountId: String(input.fund_account_id),
    mode: String(input.mode),
    purpose: String(input.purpose),
    reference: typeof input.reference_id === 'string' ? input.reference_id : null,
    narration: String(input.narration ?? ''),
    createdAt: seconds(context),
    notes: (input.notes as Record<string, string> | undefined) ?? null,
  };
}
