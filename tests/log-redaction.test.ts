import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDomain } from '../packages/domain/src/index.ts';
import { takeKeyPair } from '../packages/domain/src/testing/key-pool.ts';
import { testKeys } from '../packages/domain/src/testing/keys.ts';
import { parsePrivateKey, signedHeaders } from '../packages/signature/src/index.ts';
import { waitUntil } from '../tools/sandbox/src/wait-until.ts';
import { type RunningSandbox, startSandbox } from './running-sandbox.ts';

// Sends all input, valid and invalid, to real processes with verbose logs. No log may contain a secret or personal data.

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ scale: 0.05, logLevel: 'debug', ownStores: true });
}, 180_000);
afterAll(() => sandbox?.stop(), 60_000);

/** Texts that must not be logged, each with what it is. */
const needles = new Map<string, string>();
const secret = (what: string, text: string): string => {
  needles.set(text, what);
  return text;
};
/** Ids of requests whose log lines must be written before the logs are checked. */
const requestIds: string[] = [];

/** Values that occur only in the requests below. */
const people = {
  name: secret('a name', 'Zebulon Quatermain'),
  mobilePk: secret('a mobile number', '03127654321'),
  mobileIn: secret('a mobile number', '9812345670'),
  email: secret('an e-mail address', 'zebulon.q@people.example'),
  id: secret('an identity number', '4210198765432'),
  accountIn: secret('an account', '50100098765432'),
  accountPk: secret('an account', 'PK36SCBL0000001123456702'),
  accountTh: secret('an account', '8765432109'),
  remark: secret('a remark', 'for the twins birthday'),
};

const merchantOf = (country: string) => {
  const found = sandbox.file.merchants.find((one) => one.country === country);
  if (!found) throw new Error(`no merchant of ${country}`);
  return found;
};

/** URL of the notifications; its path and query are the merchant's secret. */
const notifyUrl = (country: string, answer?: string): string => {
  const { merchantNo } = merchantOf(country);
  const key = secret('a secret of a notifyUrl', `sesame-${randomUUID()}`);
  return `${sandbox.file.receiverUrl}/notify/${merchantNo}?${answer ? `answer=${answer}&` : ''}key=${key}`;
};

type Fields = Record<string, unknown>;
const payer = { payer_realname: people.name, payer_email: people.email, payer_id_no: people.id, remark: people.remark };
const inCountry = (countryCode: string, currency: string, amount: string, answer?: string): Fields => ({
  countryCode,
  currency,
  amount,
  notifyUrl: notifyUrl(countryCode, answer),
});
const payins: Record<string, (amount: string, answer?: string) => Fields> = {
  CN: (amount, answer) => ({
    ...inCountry('CN', 'CNY', amount, answer),
    metadata: { payerName: people.name, payerMobile: people.mobileIn },
  }),
  TH: (amount, answer) => ({
    amount,
    notifyUrl: notifyUrl('TH', answer),
    bankCode: 'QR',
    ...payer,
    payer_mobile: people.mobileIn,
    extJson: { accountNo: people.accountTh },
  }),
  IN: (amount, answer) => ({
    ...inCountry('IN', 'INR', amount, answer),
    metadata: { payerName: people.name, payerMobile: people.mobileIn, returnUrl: 'https://shop.example/back' },
  }),
  PK: (amount, answer) => ({ amount, notifyUrl: notifyUrl('PK', answer), payer_mobile: people.mobilePk, ...payer }),
};
const payouts: Record<string, (amount: string, answer?: string) => Fields> = {
  IN: (amount, answer) => ({
    ...inCountry('IN', 'INR', amount, answer),
    receiverName: people.name,
    receiverAccount: people.accountIn,
    receiverPhone: people.mobileIn,
    metadata: { ifsc: 'HDFC0001234', recipientEmail: people.email, recipientContact: people.mobileIn },
  }),
  PK: (amount, answer) => ({
    amount,
    notifyUrl: notifyUrl('PK', answer),
    bankCode: 'HBL',
    payee_realname: people.name,
    payee_account: people.accountPk,
    payee_mobile: people.mobilePk,
    payee_email: people.email,
    payee_id_no: people.id,
  }),
};

interface Sending {
  merchantNo?: string;
  privateKeyPem?: string;
  /** Sent in place of the signed body. */
  sent?: string;
}

async function send(country: string, method: 'GET' | 'POST', path: string, content: string, sending: Sending = {}) {
  const { merchantNo, privateKeyPem } = { ...merchantOf(country), ...sending };
  const what = method === 'POST' ? { body: content } : { query: content };
  const signed = await signedHeaders({ merchantNo, key: parsePrivateKey(privateKeyPem), ...what });
  secret('a signature', signed['X-Sign'] ?? '');
  const url = `${sandbox.file.restUrl}/api/v1/merchant${path}`;
  const headers = { ...signed, 'Content-Type': 'application/json' };
  const response =
    method === 'POST'
      ? await fetch(url, { method, headers, body: sending.sent ?? content })
      : await fetch(`${url}?${sending.sent ?? content}`, { headers });
  requestIds.push(response.headers.get('x-request-id') ?? '');
  const answer = (await response.json()) as { code: number; data: Fields | null };
  const payUrl = String(answer.data?.payUrl ?? '');
  if (payUrl !== '') secret('a checkout token', payUrl.slice(payUrl.lastIndexOf('/') + 1));
  return answer;
}

let count = 0;
async function create(country: string, kind: 'payin' | 'payout', fields: Fields, sending: Sending = {}) {
  count += 1;
  const merchantOrderNo = `L-${count}`;
  const body = JSON.stringify({ merchantOrderNo, ...fields });
  return { merchantOrderNo, ...(await send(country, 'POST', `/${kind}/create`, body, sending)) };
}

async function ordersThatEnd(): Promise<string[]> {
  const orderNos: string[] = [];
  for (const [kind, bodies] of Object.entries({ payin: payins, payout: payouts } as const)) {
    for (const [country, bodyOf] of Object.entries(bodies)) {
      // Paid, refused, failed, timed out, notified twice, answered after two HTTP 500; endpoints that answer in every way.
      const ends = [
        ['10.00'],
        ['10.11'],
        ['10.21'],
        ['10.22'],
        ['10.25', '500'],
        ['10.14', 'wrong'],
        ['10.41'],
      ] as const;
      for (const [amount, answer] of ends) {
        const { code, data, merchantOrderNo } = await create(country, kind as 'payin', bodyOf(amount, answer));
        expect([0, 50201]).toContain(code);
        if (code !== 0) continue;
        orderNos.push(String(data?.orderNo));
        expect((await send(country, 'GET', `/${kind}/query`, `merchantOrderNo=${merchantOrderNo}`)).code).toBe(0);
      }
    }
  }
  return orderNos;
}

async function requestsThatFail(usedByPk: string): Promise<void> {
  const unknownKey = takeKeyPair().privateKey;
  const privateKeyPem = unknownKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const good = payins.PK?.('10.00') ?? {};
  const codes = [
    (await create('PK', 'payin', { ...good, payer_mobile: `${people.mobilePk}0`, payer_email: people.name })).code,
    (await create('PK', 'payin', { ...good, amount: people.id })).code,
    (await create('PK', 'payout', { ...payouts.PK?.('10.00'), bankCode: 'NOSUCHBANK' })).code,
    (await create('IN', 'payout', payouts.IN?.('999999999.00') ?? {})).code,
    (await create('PK', 'payin', { ...good, merchantOrderNo: usedByPk })).code,
    (await create('PK', 'payin', good, { privateKeyPem })).code,
    (await create('PK', 'payin', good, { merchantNo: 'NOBODY', privateKeyPem })).code,
    (await create('PK', 'payin', good, { sent: `{"payer_realname":"${people.name}",` })).code,
    (await create('PK', 'payin', good, { sent: JSON.stringify({ [`${people.name}.`]: 1 }) })).code,
    (await send('PK', 'GET', '/payin/query', `orderNo=${people.id}`)).code,
    (await send('PK', 'GET', '/payin/query', `name=${encodeURIComponent(people.name)}`)).code,
    (await send('PK', 'GET', `/nowhere/${encodeURIComponent(people.name)}/${people.accountPk}`, '')).code,
    (await send('IN', 'GET', '/wallet', '')).code,
    (await send('IN', 'GET', '/wallet/transactions', 'page=1&pageSize=100')).code,
  ];
  const refused = [40001, 40001, 42202, 42201, 40901, 40101, 40101, 40000, 40000, 40401, 40001, 40400];
  expect(codes).toEqual([...refused, 0, 0]);
}

/** Payers, channels and operators, with and without the right to come in. */
async function othersThatAsk(): Promise<void> {
  const { restUrl, graphqlUrl, adminToken, approverToken } = sandbox.file;
  const tokens = [...needles].flatMap(([text, what]) => (what === 'a checkout token' ? [text] : []));
  const [token = ''] = tokens;
  expect(token).not.toBe('');
  const guess = secret('an invalid checkout token', `${token.slice(0, -4)}zzzz`);
  for (const text of [...tokens, guess, guess.repeat(3)]) await fetch(`${restUrl}/checkout/${text}`);
  const callback = { orderNo: 'PI1', payer: people.name, account: people.accountPk, mobile: people.mobilePk };
  const signature = secret("a channel's signature", randomUUID().replaceAll('-', '').repeat(2));
  const callbacks: [channel: string, body: string][] = [
    ['sandbox', JSON.stringify(callback)],
    ['sandbox', `{"payer":"${people.name}`],
    [people.accountIn, JSON.stringify(callback)],
  ];
  for (const [channel, body] of callbacks) {
    const headers = { 'X-Sandbox-Signature': signature, 'Content-Type': 'application/json' };
    const { status } = await fetch(`${restUrl}/upstream/${channel}/callback`, { method: 'POST', headers, body });
    expect(status).not.toBe(200);
  }
  const wrong = secret('an invalid token', `${adminToken.slice(0, -6)}zzzzzz`);
  for (const token of [adminToken, approverToken, wrong]) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    for (const query of ['{ __typename }', `{ nothing(name: "${people.name}") }`, `{ "${people.email}"`]) {
      const body = JSON.stringify({ query, variables: { account: people.accountPk } });
      await fetch(graphqlUrl, { method: 'POST', headers, body });
    }
    await fetch(`${graphqlUrl}?token=${token}&name=${encodeURIComponent(people.name)}`, { headers });
  }
}

/** A database that refuses rows, as PostgreSQL does it: with the whole row in the error. And a Redis that hangs. */
async function dependenciesThatFail(): Promise<void> {
  const domain = await openDomain({
    databaseUrl: sandbox.file.databaseUrl,
    keys: testKeys,
    adapters: {},
    publicBaseUrl: 'http://pay.test',
    wakeUp: () => undefined,
    log: console,
    connections: 2,
  });
  const { pool } = domain.database;
  await pool.query(`alter table orders add constraint no_more check (merchant_order_no !~ '^BROKEN') not valid`);
  for (const country of ['IN', 'PK']) {
    const payin = { ...payins[country]?.('10.00'), merchantOrderNo: `BROKEN-IN-${country}` };
    const payout = { ...payouts[country]?.('10.00'), merchantOrderNo: `BROKEN-OUT-${country}` };
    expect((await create(country, 'payin', payin)).code).toBe(50000);
    expect((await create(country, 'payout', payout)).code).toBe(50000);
  }
  await pool.query('alter table orders drop constraint no_more');
  await pool.query('alter table notification_attempt add constraint no_attempts check (false) not valid');
  const { data } = await create('PK', 'payin', payins.PK?.('10.00') ?? {});
  await waitUntil('an attempt that cannot be recorded', async () => sandbox.logs().includes('"no_attempts'), {
    timeoutMs: 30_000,
  });
  await pool.query('alter table notification_attempt drop constraint no_attempts');
  expect(data?.orderNo).toMatch(/^PI/);
  await domain.close();
  const redis = sandbox.pidOf('redis');
  process.kill(redis, 'SIGSTOP');
  try {
    expect((await create('PK', 'payin', payins.PK?.('10.00') ?? {})).code).toBe(50300);
  } finally {
    process.kill(redis, 'SIGCONT');
  }
}

test('no log contains a signature, key, secret, token, account or personal data', async () => {
  const { merchants, adminToken, approverToken, supportToken } = sandbox.file;
  secret("an operator's token", adminToken);
  secret("an operator's token", supportToken);
  secret("an operator's token", approverToken);
  const keys = merchants.flatMap(({ privateKeyPem, servicePublicKeyPem }) => [privateKeyPem, servicePublicKeyPem]);
  for (const line of keys.flatMap((pem) => pem.split('\n'))) {
    // All RSA keys begin alike: those lines are not secret.
    if (line.length > 60 && !line.startsWith('-') && !/^MII/.test(line)) secret('a line of a key', line);
  }
  const orderNos = await ordersThatEnd();
  const { merchantOrderNo } = await create('PK', 'payin', payins.PK?.('10.00') ?? {});
  await requestsThatFail(merchantOrderNo);
  await othersThatAsk();
  await dependenciesThatFail();
  await waitUntil(
    'notifications of all that ended, delivered and refused',
    async () => {
      const response = await fetch(`${sandbox.file.receiverUrl}/received`);
      const received = (await response.json()) as {
        answered: number;
        attempt: number;
        headers: Record<string, string>;
      }[];
      for (const { headers } of received) secret("the service's signature", headers['x-sign'] ?? '');
      const failed = received.filter(({ answered, attempt }) => answered === 500 && attempt > 1);
      return failed.length > 0 && received.length >= orderNos.length / 2;
    },
    { timeoutMs: 60_000 },
  );
  await waitUntil(
    'a line of log for every request',
    async () => requestIds.every((id) => sandbox.logs().includes(id)),
    {
      timeoutMs: 10_000,
    },
  );

  const logs = sandbox.logs();
  const plain = logs.replaceAll('\\/', '/').replaceAll('\\n', '\n');
  const found = [...needles].filter(([text]) =>
    [text, encodeURIComponent(text)].some((form) => form !== '' && (logs.includes(form) || plain.includes(form))),
  );
  console.info(`${needles.size} texts looked for in ${logs.length} bytes of log about ${requestIds.length} requests`);
  expect(found.map(([text, what]) => `${what}: ${text}`)).toEqual([]);
  // The failures of the dependencies are in the logs, without the values.
  const delivered = ['"msg":"a request crashed"', '"message":"new row for relation \\"orders\\" violates'];
  expect(delivered.filter((text) => !logs.includes(text))).toEqual([]);
  expect([needles.has(''), needles.size > 150, requestIds.length > 60]).toEqual([false, true, true]);
}, 180_000);
