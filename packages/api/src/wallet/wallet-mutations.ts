import { addOperationForTwo } from '../approval/operation-field.ts';
import { WalletType } from './wallet-type.ts';

const description = 'The wallet after the operation.';
const alreadyBooked = 'True if this booking number was recorded before. Then nothing was changed.';

for (const name of ['topUpWallet', 'settleWallet', 'adjustWallet'] as const)
  addOperationForTwo(name, (t) => ({
    wallet: t.field({
      type: WalletType,
      nullable: true,
      description,
      resolve: ({ value }) => value?.merchantId ?? null,
    }),
    alreadyBooked: t.boolean({
      nullable: true,
      description: alreadyBooked,
      resolve: ({ value }) => value?.alreadyBooked ?? null,
    }),
  }));

for (const name of ['reverseBooking', 'releaseWithheld'] as const)
  addOperationForTwo(name, (t) => ({
    wallet: t.field({
      type: WalletType,
      nullable: true,
      description,
      resolve: ({ value }) => value?.merchantId ?? null,
    }),
  }));
