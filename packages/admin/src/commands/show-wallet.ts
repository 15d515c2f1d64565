import { readWallet, readWalletPage } from '@tidegate/domain';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument, optional } from '../line/fields.ts';
import { findMerchant, noMerchant } from '../line/lookups.ts';
import { count, limit, merchantNo } from '../line/readers.ts';
import { entryRow, timeText } from '../line/views.ts';

export const showWallet = defineCommand({
  name: 'show-wallet',
  group: 'Wallets',
  summary: "show a merchant's wallet and its newest entries",
  kind: 'read',
  roles: null,
  respectsRestrictions: true,
  fields: {
    merchant: argument('<merchant>', 'its merchant number', merchantNo),
    page: optional('--page <n>', '1 (default) is the newest', count),
    pageSize: optional('--page-size <n>', 'entries of a page (default 20)', limit),
  },
  async run({ domain, operator }, { merchant, page = 1, pageSize = 20 }) {
    if (!(await findMerchant(domain, operator, merchant))) return noMerchant(merchant);
    const wallet = await readWallet(domain, merchant);
    const { total, entries } = await readWalletPage(domain, merchant, page, pageSize);
    return done(`Wallet of ${merchant}`, {
      ...wallet,
      updatedAt: timeText(wallet.updatedAt * 1000),
      entryCount: total,
      entries: entries.map(entryRow),
    });
  },
});
