import { changeConfiguration, mapBank, platformTenant } from '@tidegate/domain';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, required } from '../fields.ts';
import { bankCode, channelId, kind, reference } from '../readers.ts';

export const mapBankCommand = defineCommand({
  name: 'map-bank',
  group: 'Channels',
  summary: 'say what a channel calls one of our bank codes',
  kind: 'change',
  role: 'admin',
  fields: {
    channelId: argument('<channel>', 'its id', channelId),
    kind: required('--kind <kind>', 'payin or payout', kind),
    bankCode: required('--bank-code <code>', 'our code', bankCode),
    channelBankCode: required('--channel-bank-code <code>', "the channel's own code", reference),
  },
  async run({ domain, by }, mapping) {
    const { channelId, kind, bankCode, channelBankCode } = mapping;
    const subject = `${channelId} ${kind} ${bankCode}`;
    const change = { merchantId: platformTenant, change: 'mapBank', subject, settings: { channelBankCode } };
    await changeConfiguration(domain, change, by, async () => {
      await mapBank(domain, mapping);
      return true;
    });
    return done(`${channelId} calls ${bankCode} ${channelBankCode} in ${kind}s.`, mapping);
  },
});
