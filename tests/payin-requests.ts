/** What each country's merchant sends to create a payin (contract "Create payin"). */
export const payinRequest: Record<string, (merchantOrderNo: string, amount: string, notifyUrl: string) => object> = {
  CN: (merchantOrderNo, amount, notifyUrl) => ({
    merchantOrderNo,
    countryCode: 'CN',
    currency: 'CNY',
    amount,
    notifyUrl,
  }),
  TH: (merchantOrderNo, amount, notifyUrl) => ({
    merchantOrderNo,
    amount,
    notifyUrl,
    bankCode: 'QR',
    extJson: { accountNo: '1234567890' },
  }),
  IN: (merchantOrderNo, amount, notifyUrl) => ({
    merchantOrderNo,
    countryCode: 'IN',
    currency: 'INR',
    amount,
    notifyUrl,
    metadata: { payerName: 'Asha Rao', payerMobile: '9876543210' },
  }),
  PK: (merchantOrderNo, amount, notifyUrl) => ({ merchantOrderNo, amount, payer_mobile: '03001234567', notifyUrl }),
};
