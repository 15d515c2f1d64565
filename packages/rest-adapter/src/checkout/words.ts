import { type CheckoutWords, countryDefinitions } from '@tidegate/domain';
import type { Language } from './choose-language.ts';

const en: CheckoutWords = {
  pay: 'Pay {name}',
  amount: 'Amount',
  paidSoFar: 'Paid so far',
  rest: 'Left to pay',
  order: 'Order',
  payBefore: 'Pay before',
  timeLeft: 'Time left',
  qr: 'QR code for your payment',
  toBank: 'Continue to your bank',
  lookAgain: 'Check the payment again',
  back: 'Back to {name}',
  copyAmount: 'Copy the amount',
  copied: 'Copied',
  states: {
    preparing: { title: 'Preparing your payment', advice: 'This takes a moment. The way to pay will appear here.' },
    waiting: { title: 'Waiting for your payment', advice: 'This page changes by itself once your payment arrives.' },
    part_paid: { title: 'Partly paid', advice: 'Please pay the rest: {amount}. Check the amount in your banking app.' },
    part_paid_no_way: {
      title: 'Partly paid',
      advice:
        'Please transfer the rest, {amount}, to the same recipient as before. Do not scan the earlier QR code again: it asks for the whole amount.',
    },
    late: {
      title: 'The time to pay is over',
      advice: 'Please do not pay any more. If you have paid, we are checking it.',
    },
    paid: { title: 'Paid', advice: 'Thank you. Your payment has arrived.' },
    failed: {
      title: 'Payment failed',
      advice:
        'If you have paid, do not pay again: ask {name} and give the order number. If you have not, please go back to the shop and try again.',
    },
    expired: {
      title: 'Payment expired',
      advice:
        'Please do not pay any more. If you have not paid, you can order again at the shop. If you have paid, ask {name} and give the order number.',
    },
    cancelled: {
      title: 'Payment cancelled',
      advice:
        'Please do not pay any more. If you have not paid, you can order again at the shop. If you have paid, ask {name} and give the order number.',
    },
  },
  asking: {
    received_less: 'Less than the amount has arrived',
    received_all: 'Your money has arrived',
    received_more: 'More than the amount has arrived',
    paid_more: 'Paid, and more than the amount has arrived',
    sent_back: 'Your money was sent back',
  },
  sentences: {
    arrived: 'We received {amount}.',
    asked: 'The order asks for {amount}.',
    held: 'We hold {amount}, which is not credited yet.',
    credited_otherwise: '{amount} was credited to {name} in another way.',
    returning: '{amount} is being sent back to you.',
    returned: '{amount} was sent back to you.',
    do_not_pay: 'Please do not pay again.',
    ask_merchant: 'Ask {name} about it and give the order number.',
  },
  notFound: { title: 'Payment not found', advice: 'Please check the address of this page.' },
  notAvailable: { title: 'This page is not available now', advice: 'Please try again in a moment.' },
};

const words = new Map([
  ['en', en],
  ...countryDefinitions.map(({ checkout }) => [checkout.language, checkout.words] as const),
]);

/** The texts of the page in English or in a country's language. */
export function wordsOf(language: Language): CheckoutWords {
  return words.get(language) ?? en;
}

/** Arabic, Hebrew, Persian, Urdu and others (CLDR's character order). */
export function isRightToLeft(language: Language): boolean {
  return new Intl.Locale(language).getTextInfo?.().direction === 'rtl';
}
