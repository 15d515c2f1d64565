import type { Country, OrderKind } from '@tidegate/domain';

// Requests as each country's merchant sends them. A test signs and sends every one to a running service.

const notifyUrl = 'https://shop.example/notify';

/** A create that works, by kind and country. */
export const requestExamples: Record<OrderKind, Partial<Record<Country, object>>> = {
  payin: {
    CN: {
      ...{ merchantOrderNo: 'M-10001', countryCode: 'CN', currency: 'CNY', amount: '88.00', notifyUrl },
      metadata: { payerName: 'Li Wei', returnUrl: 'https://shop.example/thanks' },
    },
    TH: {
      ...{ merchantOrderNo: 'M-10002', amount: '250.00', bankCode: 'QR', notifyUrl, remark: 'Order 10002' },
      ...{ payer_realname: 'Somchai Jaidee', extJson: { accountNo: '1234567890' } },
    },
    IN: {
      ...{ merchantOrderNo: 'M-10003', countryCode: 'IN', currency: 'INR', amount: '500.00', notifyUrl },
      metadata: { payerName: 'Asha Rao', payerMobile: '9876543210', returnUrl: 'https://shop.example/thanks' },
    },
    PK: {
      ...{ merchantOrderNo: 'M-10004', amount: '1500.00', bankCode: 'JAZZCASH', notifyUrl },
      ...{ payer_mobile: '03001234567', payer_realname: 'Ali Khan', payer_email: 'ali.khan@example.com' },
    },
  },
  payout: {
    IN: {
      ...{ merchantOrderNo: 'M-20001', countryCode: 'IN', currency: 'INR', amount: '100.00', notifyUrl },
      ...{ receiverName: 'Asha Rao', receiverAccount: '50100012345678', receiverPhone: '9876543210' },
      metadata: { ifsc: 'HDFC0001234' },
    },
    PK: {
      ...{ merchantOrderNo: 'M-20002', amount: '300.00', bankCode: 'JAZZCASH', notifyUrl },
      ...{ payee_realname: 'Ali Khan', payee_account: '03001234567', payee_mobile: '03001234567' },
    },
  },
};
