import { MerchantType } from '../merchant/merchant-type.ts';
import { addOperation } from '../operation/operation-field.ts';

for (const name of ['resendNotification', 'resendNotifications'] as const)
  addOperation(name, (t) => ({
    matched: t.int({ description: 'How many notifications the request named.', resolve: ({ value }) => value.matched }),
    putBack: t.int({
      description: 'For how many of them a new round of attempts begins; the others are on their way already.',
      resolve: ({ value }) => value.putBack,
    }),
    repeated: t.boolean({
      description: 'The request key had come before: nothing was done now.',
      resolve: ({ value }) => value.repeated,
    }),
  }));

for (const name of ['pauseNotifications', 'resumeNotifications'] as const)
  addOperation(name, (t) => ({
    merchant: t.field({
      type: MerchantType,
      description: 'The merchant as it is then.',
      resolve: ({ value }) => value.merchantId,
    }),
  }));
