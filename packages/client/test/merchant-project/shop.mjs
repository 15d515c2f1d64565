// A merchant's first program, with the client as npm installs it: `node shop.mjs SANDBOX_FILE`. Its last line is JSON.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createClient, diagnose, expressHandler, memoryNonceStore, serviceKeys } from '@tidegate/client';

const sandbox = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const payins = {
  CN: {},
  TH: { bankCode: 'QR', extJson: { accountNo: '1234567890' } },
  IN: { metadata: { payerName: 'Asha Rao', payerMobile: '9876543210' } },
  PK: { payer_mobile: '03001234567' },
};
const payouts = {
  IN: { receiverName: 'Asha Rao', receiverAccount: '12345678901', metadata: { ifsc: 'HDFC0001234' } },
  PK: { bankCode: 'JAZZCASH', payee_realname: 'Ali Khan', payee_account: '03001234567', payee_mobile: '03001234567' },
};
const keys = serviceKeys({ baseUrl: sandbox.restUrl });

async function shop(country) {
  const { merchantNo, privateKeyPem: privateKey } = sandbox.merchants.find((merchant) => merchant.country === country);
  const client = createClient({ country, merchantNo, privateKey, baseUrl: sandbox.restUrl });
  const waiting = new Map();
  const received = (merchantOrderNo) => new Promise((resolve) => waiting.set(merchantOrderNo, resolve));
  const onNotification = (notification) => waiting.get(notification.merchantOrderNo)?.(notification);
  const handler = expressHandler({ merchantNo, keys, nonces: memoryNonceStore(), onNotification });
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const notifyUrl = `http://127.0.0.1:${server.address().port}/notify`;
  const follow = async (calls, order) => {
    const notified = received(order.merchantOrderNo);
    const created = await calls.create({ ...order, amount: '120', notifyUrl });
    const { orderType, status, amount } = await notified;
    const { status: state } = await calls.query({ orderNo: created.orderNo });
    return { created: created.status, recovered: created.recovered, orderType, status, amount, state };
  };
  const results = [
    await follow(client.payin, { merchantOrderNo: `SHOP-${country}-${Date.now()}`, ...payins[country] }),
  ];
  if (client.payout && payouts[country])
    results.push(
      await follow(client.payout, { merchantOrderNo: `SHOP-OUT-${country}-${Date.now()}`, ...payouts[country] }),
    );
  const { currency } = await client.wallet.balance();
  const { list } = await client.wallet.transactions({ pageSize: 5 });
  server.close();
  server.closeAllConnections();
  return { country, currency, results, types: list.map(({ type }) => type) };
}

const stories = await Promise.all(Object.keys(payins).map(shop));
const findings = await diagnose({ body: '{"amount":"1"}', signedText: 'timestamp=1790000000&nonce=abcdefgh&amount=1' });
console.log(JSON.stringify({ node: process.versions.node, stories, doctor: findings.map(({ step }) => step) }));
