/** What each country's merchant sends to create a payout (contract "Create payout"). */
export const payoutRequest: Record<string, (merchantOrderNo: string, amount: string, notifyUrl?: string) => object> = {
  IN: (merchantOrderNo, amount, notifyUrl) => ({
    merchantOrderNo,
    countryCode: 'IN',
    currency: 'INR',
    amount,
    notifyUrl,
    receiverName: 'Asha Rao',
    receiverAccount: '12345678901',
    metadata: { ifsc: 'HDFC0001234' },
  }),
  PK: (merchantOrderNo, amount, notifyUrl) => ({
    merchantOrderNo,
    amount,
    notifyUrl,
    bankCode: 'JAZZCASH',
    payee_realname: 'Ali Khan',
    payee_account: '03001234567',
    payee_mobile: '03001234567',
  }),
};
