import type { Values } from './hash.ts';
import type { Account, Refused } from './requests.ts';
import type { PaymentCode, Transaction } from './transactions.ts';

const outcomes: Record<PaymentCode, { status: string; message: string }> = {
  '157': { status: 'Pending', message: 'Transaction is pending.' },
  '121': { status: 'Completed', message: 'Transaction has been marked confirmed by Merchant.' },
  '112': { status: 'Failed', message: 'Transaction Cancelled by User.' },
  '116': { status: 'Failed', message: 'Transaction Expired' },
  '131': { status: 'Completed', message: 'Transaction is Refunded' },
};
const thanks = 'Thank you for Using JazzCash, your transaction was successful.';

/** The fields that an answer to a create takes over from its request. */
const echoed = [
  'pp_BillReference',
  'pp_CNIC',
  'pp_DiscountedAmount',
  'pp_Language',
  'pp_MerchantID',
  'pp_MobileNumber',
  'pp_SubMerchantID',
  'pp_TxnCurrency',
  'pp_TxnDateTime',
  'pp_TxnRefNo',
  'ppmpf_1',
  'ppmpf_2',
  'ppmpf_3',
  'ppmpf_4',
  'ppmpf_5',
];

export function createdAnswer({ request, code, paid, retrievalNo, authCode }: Transaction): Values {
  const isPaid = code === '121';
  return {
    ...echo(request),
    pp_Version: '2.0',
    pp_TxnType: 'MWALLET',
    pp_Amount: paid,
    pp_AuthCode: isPaid ? authCode : '',
    pp_RetreivalReferenceNo: retrievalNo,
    pp_ResponseCode: isPaid ? '000' : code,
    pp_ResponseMessage: isPaid ? thanks : outcomes[code].message,
  };
}

/** A create that took no effect. */
export function refusedAnswer(request: Values, { code, message }: Refused): Values {
  return {
    ...echo(request),
    pp_Amount: request.pp_Amount ?? '',
    pp_AuthCode: '',
    pp_RetreivalReferenceNo: '',
    pp_ResponseCode: code,
    pp_ResponseMessage: message,
  };
}

function echo(request: Values): Values {
  return Object.fromEntries(echoed.map((name) => [name, request[name] ?? '']));
}

/** Version 2.0 of the inquiry names order, account and amount; version 1.1 does not. */
export function inquiredAnswer(account: Account, transaction: Transaction, isOrchestrator: boolean): Values {
  const { request, code, paid, retrievalNo, authCode } = transaction;
  const { status, message } = outcomes[code];
  const common = {
    pp_ResponseCode: '000',
    pp_ResponseMessage: 'Your operation was processed successfully.',
    pp_PaymentResponseCode: code,
    pp_PaymentResponseMessage: message,
    pp_Status: status,
    pp_RetrievalReferenceNo: retrievalNo,
    pp_AuthCode: authCode,
    pp_SettlementDate: '',
  };
  if (!isOrchestrator) return { ...common, pp_SettlementExpiry: '', pp_BankID: '', pp_ProductID: '' };
  return {
    ...common,
    pp_MerchantID: account.merchantId,
    pp_TxnRefNo: request.pp_TxnRefNo ?? '',
    pp_TxnType: 'MWALLET',
    pp_Amount: paid,
    pp_TxnDateTime: request.pp_TxnDateTime ?? '',
    pp_BillReference: request.pp_BillReference ?? '',
  };
}

/** The notification of the guide for merchants: it has neither amount nor merchant ID nor the merchant's own fields. */
export function notification(account: Account, { request, code, retrievalNo, authCode }: Transaction): Values {
  return {
    pp_Version: '2.0',
    pp_TxnType: 'MWALLET',
    pp_BankID: '',
    pp_ProductID: null,
    pp_Password: account.password,
    pp_TxnRefNo: request.pp_TxnRefNo ?? '',
    pp_TxnDateTime: request.pp_TxnDateTime ?? '',
    pp_ResponseCode: code,
    pp_ResponseMessage: outcomes[code].message,
    pp_AuthCode: authCode,
    pp_SettlementExpiry: null,
    pp_RetreivalReferenceNo: retrievalNo,
  };
}
