// What other folders of the domain may import.

export { addMerchantKey } from './add-merchant-key.ts';
export { openBriefCache } from './brief-cache.ts';
export { createMerchant } from './create-merchant.ts';
export { createOperator, type OperatorInput } from './create-operator.ts';
export type { DirectoryAccess } from './directory.ts';
export { endCommonServiceKey } from './end-common-service-key.ts';
export { findOperator } from './find-operator.ts';
export { linkOperator, unlinkOperator } from './link-operator.ts';
export { ensureServiceKey, generateServiceKey } from './make-service-key.ts';
export { joinedMerchant, type MerchantWithWallet, type WantedMerchant } from './merchant-tables.ts';
export { externalIdOf } from './operator-of-identity.ts';
export type { OperatorsAccess } from './operators.ts';
export type { MerchantProfile } from './read-merchants.ts';
export { endInvitations, insertInvitation } from './redeem-invitation.ts';
export { removeFeeRule } from './remove-fee-rule.ts';
export { removeRoute } from './remove-route.ts';
export { retireMerchantKey } from './retire-merchant-key.ts';
export { revokeTokens } from './revoke-tokens.ts';
export { addFirstServiceKey, rotateServiceKey } from './rotate-service-key.ts';
export { setFeeRule } from './set-fee-rule.ts';
export { type MerchantSettings, setMerchant } from './set-merchant.ts';
export { type MerchantStatus, setMerchantStatus } from './set-merchant-status.ts';
export { setOperatorEnabled } from './set-operator-enabled.ts';
export { setRoute } from './set-route.ts';
export { tokenIdLength } from './statements.ts';
export { useOwnServiceKey } from './use-own-service-key.ts';
