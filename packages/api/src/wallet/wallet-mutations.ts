import { addOperationForTwo } from '../operation/operation-field.ts';
import { WalletType } from './wallet-type.ts';

const description = 'The wallet as it is then.';
const alreadyBooked = 'It was booked before, by the same booking number, and has changed nothing now.';

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
