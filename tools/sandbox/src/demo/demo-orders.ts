import { countryDefinitions } from '@tidegate/domain';
import type { SandboxFile } from '../sandbox-file.ts';
import { type Answer, type MerchantClient, merchantClient } from './merchant-client.ts';
import type { OperatorClient } from './operator-client.ts';

/** Work that the demo leaves for an operator. */
export interface OpenWork {
  /** URL of its page in the operators' console. */
  where: string;
  what: string;
  orderNo: string;
}

/** The sandbox, and two of its operators. */
export interface Demo {
  sandbox: SandboxFile;
  admin: OperatorClient;
  approver: OperatorClient;
}

let count = 0;
const merchantOrderNo = (): string => `DEMO-OPEN-${Date.now().toString(36).toUpperCase()}-${++count}`;

/** Creates a payin of a country's first merchant. Returns its order number. */
export async function createPayin(sandbox: SandboxFile, country: string, change: object, query = ''): Promise<string> {
  const { client, merchantNo } = merchantOf(sandbox, country, 0);
  const notifyUrl = `${sandbox.receiverUrl}/notify/${merchantNo}${query}`;
  const body = { merchantOrderNo: merchantOrderNo(), ...demoOf(country).payin(notifyUrl), ...change };
  return orderNoOf(await client.post('/payin/create', body));
}

/** Creates a payout of a country's merchant. Returns its order number. */
export async function createPayout(
  sandbox: SandboxFile,
  country: string,
  nth: number,
  amount: string,
): Promise<string> {
  const { client } = merchantOf(sandbox, country, nth);
  const body = { merchantOrderNo: merchantOrderNo(), amount, ...demoOf(country).payout };
  return orderNoOf(await client.post('/payout/create', body));
}

function demoOf(country: string) {
  const found = countryDefinitions.find(({ code }) => code === country);
  if (!found) throw new Error(`no country ${country}`);
  return found.demo;
}

/** A country's n-th merchant with a client that signs its requests. */
export function merchantOf(
  sandbox: SandboxFile,
  country: string,
  nth: number,
): { client: MerchantClient; merchantNo: string } {
  const merchant = sandbox.merchants.filter((one) => one.country === country)[nth];
  if (!merchant) throw new Error(`sandbox.json names no merchant ${nth + 1} of ${country}`);
  return {
    client: merchantClient(sandbox.restUrl, merchant.merchantNo, merchant.privateKeyPem),
    merchantNo: merchant.merchantNo,
  };
}

function orderNoOf({ code, msg, data, requestId }: Answer): string {
  if (code !== 0 || typeof data?.orderNo !== 'string') throw new Error(`${code} ${msg} (request ${requestId})`);
  return data.orderNo;
}
