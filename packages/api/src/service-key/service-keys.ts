import { addOperationForTwo } from '../approval/operation-field.ts';
import { MerchantType } from '../merchant/merchant-type.ts';

addOperationForTwo('rotateServiceKey', (t) => ({
  merchant: t.field({
    type: MerchantType,
    nullable: true,
    description: 'The merchant and its keys after the operation.',
    resolve: ({ value }) => value?.merchantId ?? null,
  }),
  keyId: t.string({
    nullable: true,
    description: 'Key id of the current key.',
    resolve: ({ value }) => value?.keyId ?? null,
  }),
  publicKeyPem: t.string({
    nullable: true,
    description: 'Public key as PEM (SPKI), for the merchant.',
    resolve: ({ value }) => value?.publicKeyPem ?? null,
  }),
}));
