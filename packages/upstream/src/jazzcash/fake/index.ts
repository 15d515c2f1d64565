import { randomBytes, randomInt } from 'node:crypto';
import { type FakeOptions, openFakeServer, type ProviderFake, type RunningFake } from '../../fake-provider/index.ts';
import { createdAnswer, inquiredAnswer, notification, refusedAnswer } from './answers.ts';
import { hashOf, type Values, withHash } from './hash.ts';
import { type Account, checkCreate, checkInquiry, checkRefund, invalid, type Refused, readJson } from './requests.ts';
import { openTransactions, type PaymentCode, type Transaction, type Transactions } from './transactions.ts';

/**
 * JazzCash as its public documentation describes it, for one account. Controls besides the common ones:
 * - `transactions` lists them. `payer` ({ confirmSeconds, answerSeconds }) sets how long the next payers take.
 * - `state` ({ reference, code, notify? }) changes a payment, also backwards.
 * - `notify` ({ reference, salt?, password? }) sends a notification again, also as another account would sign it.
 * - `rotate` ({ integritySalt?, password? }) changes the secrets at once.
 */
export const jazzcashFake: ProviderFake = {
  provider: 'jazzcash',
  carries: [{ country: 'PK', kind: 'payin' }],
  makeAccount() {
    const account = {
      merchantId: `MC${randomInt(10_000, 99_999)}`,
      password: randomBytes(5).toString('hex'),
      integritySalt: randomBytes(5).toString('hex'),
      merchantMpin: String(randomInt(1_000, 9_999)),
    };
    // The fake knows no in-flight payments whose inquiry would be wrong, so it may be asked at once.
    return { credentials: { ...account, inquiryAfterSeconds: '0' }, account };
  },
  start,
};

async function start(options: FakeOptions): Promise<RunningFake> {
  const { merchantId = '', password = '', integritySalt = '', merchantMpin = '' } = options.account;
  const account: Account = { merchantId, password, integritySalt, merchantMpin };
  const server = openFakeServer(options);
  const notify = (transaction: Transaction, as: Partial<Account> = {}) => {
    if (options.webhookUrl === undefined) return;
    const sender = { ...account, ...as };
    server.webhooks.send({
      about: transaction.request.pp_TxnRefNo ?? '',
      url: options.webhookUrl,
      write: () => ({
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(withHash(notification(sender, transaction), sender.integritySalt)),
      }),
      isAcknowledged: (status, body) => status === 200 && isAcknowledgement(account, body),
    });
  };
  const transactions = openTransactions(server, options.stateFile, notify);

  /** Answers a request in JSON: HTTP 200 also for refusals, as JazzCash does. */
  const route = (path: string, answer: (values: Values) => Promise<Values> | Values) =>
    server.app.post(path, async (request, reply) => {
      const values = readJson(request.headers['content-type'], request.body);
      const answered = values === null ? refusedAnswer({}, invalid('request')) : await answer(values);
      return reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(withHash(answered, account.integritySalt)));
    });
  for (const isOrchestrator of [true, false]) {
    const paths = isOrchestrator ? orchestrator : classic;
    route(paths.create, async (values) => {
      const refused =
        checkCreate(account, values, isOrchestrator, server.clock.now()) ?? refusalOf(transactions, values);
      return refused ? refusedAnswer(values, refused) : createdAnswer(await transactions.begin(values));
    });
    route(paths.inquiry, (values) => {
      const refused = checkInquiry(account, values);
      if (refused) return failure(refused);
      const found = transactions.find(values.pp_TxnRefNo ?? '');
      return found
        ? inquiredAnswer(account, found, isOrchestrator)
        : { ...failure({ code: '109', message: 'Transaction does not exist' }), pp_Status: '' };
    });
    route(paths.refund, (values) => failure(checkRefund(account, values) ?? refundIn(transactions, values)));
  }
  addControls(server, account, transactions, notify);
  await server.listen();
  return { url: server.url(), close: () => server.close(transactions) };
}

const orchestrator = {
  create: '/payment-orchestrator/api/v2/rest/payments/m-wallet',
  inquiry: '/payment-orchestrator/api/v2/rest/payments/status/inquiry',
  refund: '/payment-orchestrator/api/v1/rest/payments/m-wallet/refund',
};
const classic = {
  create: '/ApplicationAPI/API/2.0/Purchase/DoMWalletTransaction',
  inquiry: '/ApplicationAPI/API/PaymentInquiry/Inquire',
  refund: '/ApplicationAPI/API/Purchase/domwalletrefundtransaction',
};

const failure = ({ code, message }: Refused): Values => ({ pp_ResponseCode: code, pp_ResponseMessage: message });

/** A reference is used once. Amounts that end in .11 are above the merchant's limit. */
function refusalOf(transactions: Transactions, values: Values): Refused | null {
  if (transactions.find(values.pp_TxnRefNo ?? '')) return invalid('pp_TxnRefNo');
  if (!values.pp_Amount?.endsWith('11')) return null;
  return { code: '105', message: 'Transaction exceeds merchant per transaction limit.' };
}

/** One refund of the whole amount, once. */
function refundIn(transactions: Transactions, { pp_TxnRefNo: reference, pp_Amount: amount }: Values): Refused {
  const found = transactions.find(reference ?? '');
  if (!found) return { code: '109', message: 'Transaction does not exist' };
  if (found.code !== '121') return { code: '452', message: 'Transaction is not eligible for refund.' };
  if (amount !== found.paid) return { code: '454', message: 'Partial refund is not allowed.' };
  transactions.change(reference ?? '', '131');
  return { code: '000', message: 'Thank you for Using JazzCash, your transaction was successful.' };
}

function isAcknowledgement(account: Account, body: string): boolean {
  try {
    const values = JSON.parse(body) as Values;
    return values.pp_ResponseCode === '000' && values.pp_SecureHash === hashOf(values, account.integritySalt);
  } catch {
    return false;
  }
}

const paymentCodes: readonly string[] = ['157', '121', '112', '116', '131'];

function addControls(
  server: ReturnType<typeof openFakeServer>,
  account: Account,
  transactions: Transactions,
  notify: (transaction: Transaction, as?: Partial<Account>) => void,
): void {
  const find = (reference: unknown): Transaction => {
    const found = transactions.find(String(reference));
    if (!found) throw new Error('no such transaction');
    return found;
  };
  server.addControl('transactions', () => ({
    transactions: transactions.all().map(({ request, code, paid }) => ({ reference: request.pp_TxnRefNo, code, paid })),
  }));
  server.addControl('payer', ({ confirmSeconds, answerSeconds }) => {
    transactions.payer.confirmSeconds = Number(confirmSeconds ?? 2);
    transactions.payer.answerSeconds = Number(answerSeconds ?? 0);
  });
  server.addControl('state', ({ reference, code, notify: isNotified }) => {
    if (!paymentCodes.includes(String(code))) throw new Error(`code is one of ${paymentCodes.join(', ')}`);
    const changed = transactions.change(String(reference), code as PaymentCode);
    if (isNotified === true) notify(changed);
  });
  server.addControl('notify', ({ reference, salt, password }) => {
    const as = { ...(salt !== undefined && { integritySalt: String(salt) }) };
    notify(find(reference), { ...as, ...(password !== undefined && { password: String(password) }) });
  });
  server.addControl('rotate', ({ integritySalt, password }) => {
    if (integritySalt !== undefined) account.integritySalt = String(integritySalt);
    if (password !== undefined) account.password = String(password);
  });
}
