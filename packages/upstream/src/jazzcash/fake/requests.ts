import { hashOf, type Values } from './hash.ts';

export interface Account {
  merchantId: string;
  password: string;
  integritySalt: string;
  merchantMpin: string;
}

export interface Refused {
  code: string;
  message: string;
}

const text = (pattern: RegExp) => (value: string) => pattern.test(value);
const optional = (pattern: RegExp) => (value: string) => value === '' || pattern.test(value);

/** The fields of API 2.0 with a CNIC; the length of a text is from the integration guide. */
const createFields: Record<string, (value: string) => boolean> = {
  pp_Language: text(/^EN$/),
  pp_MerchantID: text(/^.+$/),
  pp_SubMerchantID: optional(/^[A-Za-z0-9]{1,20}$/),
  pp_Password: text(/^.+$/),
  pp_TxnRefNo: text(/^[A-Za-z0-9]{1,20}$/),
  pp_MobileNumber: text(/^03[0-9]{9}$/),
  pp_CNIC: text(/^[0-9]{6}$/),
  pp_Amount: text(/^[1-9][0-9]{0,12}$/),
  pp_DiscountedAmount: optional(/^[1-9][0-9]{0,12}$/),
  pp_TxnCurrency: text(/^PKR$/),
  pp_TxnDateTime: isTime,
  pp_BillReference: text(/^[A-Za-z0-9]{1,20}$/),
  pp_Description: text(/^[^<>\\*=%/:'|"{}]{1,200}$/),
  pp_TxnExpiryDateTime: isTime,
  ppmpf_1: optional(/^[A-Za-z0-9 ]{1,255}$/),
  ppmpf_2: optional(/^[A-Za-z0-9 ]{1,255}$/),
  ppmpf_3: optional(/^[A-Za-z0-9 ]{1,255}$/),
  ppmpf_4: optional(/^[A-Za-z0-9 ]{1,255}$/),
  ppmpf_5: optional(/^[A-Za-z0-9 ]{1,255}$/),
};
const orchestratorFields = { pp_Version: text(/^2\.0$/), pp_TxnType: text(/^MWALLET$/) };
const inquiryFields = {
  pp_TxnRefNo: text(/^[A-Za-z0-9]{1,20}$/),
  pp_MerchantID: text(/^.+$/),
  pp_Password: text(/^.+$/),
};
const refundFields = {
  ...inquiryFields,
  pp_Amount: text(/^[1-9][0-9]{0,12}$/),
  pp_TxnCurrency: text(/^PKR$/),
  pp_MerchantMPIN: text(/^[0-9]{4,8}$/),
};

/** A JSON object of texts with a JSON content type; null for anything else. */
export function readJson(contentType: string | undefined, body: unknown): Values | null {
  if (!/^application\/json\s*(?:;|$)/.test(contentType ?? '') || !(body instanceof Buffer)) return null;
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
    return isObject && Object.values(json).every((value) => typeof value === 'string') ? (json as Values) : null;
  } catch {
    return null;
  }
}

export function checkCreate(account: Account, values: Values, isOrchestrator: boolean, now: number): Refused | null {
  const fields = isOrchestrator ? { ...createFields, ...orchestratorFields } : createFields;
  const refused = checkAll(account, values, fields);
  if (refused) return refused;
  const { pp_TxnDateTime: began, pp_TxnExpiryDateTime: ends } = values;
  if (unixTime(ends) <= Math.max(now, unixTime(began))) return invalid('pp_TxnExpiryDateTime');
  return null;
}

export const checkInquiry = (account: Account, values: Values) => checkAll(account, values, inquiryFields);

export function checkRefund(account: Account, values: Values): Refused | null {
  const refused = checkAll(account, values, refundFields);
  if (refused) return refused;
  return values.pp_MerchantMPIN === account.merchantMpin ? null : invalid('pp_MerchantMPIN');
}

function checkAll(
  account: Account,
  values: Values,
  fields: Record<string, (value: string) => boolean>,
): Refused | null {
  if (values.pp_MerchantID !== account.merchantId || values.pp_Password !== account.password)
    return { code: '101', message: 'Invalid merchant credentials.' };
  if (values.pp_SecureHash?.toUpperCase() !== hashOf(values, account.integritySalt))
    return { code: '115', message: 'Invalid hash received.' };
  const unknown = Object.keys(values).find((name) => name !== 'pp_SecureHash' && fields[name] === undefined);
  if (unknown !== undefined) return invalid(unknown);
  const bad = Object.entries(fields).find(
    ([name, isValid]) => values[name] === undefined || !isValid(values[name] ?? ''),
  );
  return bad ? invalid(bad[0]) : null;
}

export const invalid = (field: string): Refused => ({ code: '110', message: `Invalid value for ${field}.` });

function isTime(value: string): boolean {
  return /^[0-9]{14}$/.test(value) && !Number.isNaN(unixTime(value));
}

/** `yyyyMMddHHmmss` in Pakistan as Unix milliseconds. */
function unixTime(value: string | null | undefined): number {
  const [, ...parts] = /^(....)(..)(..)(..)(..)(..)$/.exec(value ?? '') ?? [];
  const [year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}+05:00`);
}
