import { addOperation, addOperationForTwo } from '../approval/operation-field.ts';
import { MerchantType } from './merchant-type.ts';

const description = 'The merchant after the operation.';

for (const name of ['createMerchant', 'disableMerchant', 'enableMerchant'] as const)
  addOperation(name, (t) => ({
    merchant: t.field({ type: MerchantType, description, resolve: ({ value }) => value.merchantId }),
  }));

addOperationForTwo('setMerchant', (t) => ({
  merchant: t.field({
    type: MerchantType,
    nullable: true,
    description,
    resolve: ({ value }) => value?.merchantId ?? null,
  }),
}));

for (const name of ['setRoute', 'removeRoute'] as const)
  addOperationForTwo(name, (t) => ({
    merchant: t.field({
      type: MerchantType,
      nullable: true,
      description,
      resolve: ({ value }) => value?.merchantId ?? null,
    }),
    routeNo: t.int({
      nullable: true,
      description: 'Number of the route.',
      resolve: ({ value }) => value?.routeNo ?? null,
    }),
  }));

for (const name of ['setFeeRule', 'removeFeeRule', 'addMerchantKey', 'retireMerchantKey'] as const)
  addOperationForTwo(name, (t) => ({
    merchant: t.field({
      type: MerchantType,
      nullable: true,
      description,
      resolve: ({ value }) => value?.merchantId ?? null,
    }),
    ...(!name.endsWith('FeeRule') && {
      keyId: t.string({
        nullable: true,
        description: 'Key id.',
        resolve: ({ value }) => (value && 'keyId' in value ? value.keyId : null),
      }),
    }),
  }));
