import { addOperation } from '../approval/operation-field.ts';
import { MerchantType } from '../merchant/merchant-type.ts';

for (const name of ['resendNotification', 'resendNotifications'] as const)
  addOperation(name, (t) => ({
    matched: t.int({
      description: 'Number of notifications that match the request.',
      resolve: ({ value }) => value.matched,
    }),
    resent: t.int({
      description: 'Number of notifications that are sent again. The others are already being sent.',
      resolve: ({ value }) => value.resent,
    }),
    repeated: t.boolean({
      description: 'True if the request key was used before. Then nothing was done.',
      resolve: ({ value }) => value.repeated,
    }),
  }));

for (const name of ['pauseNotifications', 'resumeNotifications'] as const)
  addOperation(name, (t) => ({
    merchant: t.field({
      type: MerchantType,
      description: 'The merchant after the operation.',
      resolve: ({ value }) => value.merchantId,
    }),
  }));
