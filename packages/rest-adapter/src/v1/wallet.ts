import type { Endpoint } from './endpoint.ts';

/** Wallet balance (contract "Wallet balance"; decisions 6). All four countries. */
export const wallet: Endpoint = {
  method: 'GET',
  path: '/wallet',
  answer: async (domain, { merchant }) => ({ ok: true, data: await domain.readWallet(merchant.merchantId) }),
};
