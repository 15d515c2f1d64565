import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import {
  DisableMerchantDocument,
  EnableMerchantDocument,
  PauseNotificationsDocument,
  ReleasePayoutsDocument,
  ResumeNotificationsDocument,
  SetMerchantDocument,
} from '../generated/documents.generated.ts';
import { Status } from '../parts/status.tsx';
import { changedSettings, shownSettings } from './changed-settings.ts';
import type { MerchantDetail } from './merchant-detail.ts';
import { merchantStatusWords } from './merchant-words.ts';

/** What can be done with a merchant as a whole. Keys, fees and routes have their own buttons. */
export function merchantActions(merchant: MerchantDetail): Action[] {
  return [
    settings(merchant),
    limits(merchant),
    merchant.notificationsPaused ? resume(merchant) : pause(merchant),
    merchant.status === 'ACTIVE' ? disable(merchant) : enable(merchant),
  ];
}

const whatItIs = ({ name, merchantId, status }: MerchantDetail) => (
  <Before values={{ Merchant: name, Number: merchantId, Status: <Status word={merchantStatusWords[status]} /> }} />
);

/** Lets payouts that a finding of the audit stopped go on. */
export function releasePayouts(merchant: MerchantDetail): Action {
  const { merchantId } = merchant;
  return defineAction({
    operation: 'releasePayouts',
    document: ReleasePayoutsDocument,
    label: 'Release payouts',
    subject: `payouts of ${merchantId}`,
    before: whatItIs(merchant),
    fields: [],
    toInput: () => ({ merchantId }),
    after: () => 'The payouts are released. Those that waited are sent within a minute.',
  });
}

const yesNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

function settings(merchant: MerchantDetail): Action {
  const { merchantId } = merchant;
  const shown = shownSettings(merchant);
  return defineAction({
    operation: 'setMerchant',
    document: SetMerchantDocument,
    label: 'Change settings',
    subject: merchantId,
    before: whatItIs(merchant),
    expectedVersion: merchant.version,
    fields: [
      { name: 'name', label: 'Name', initial: shown.name },
      { name: 'defaultNotifyUrl', label: 'Notification address', initial: shown.defaultNotifyUrl },
      { name: 'ipAllowList', label: 'Calls allowed from', initial: shown.ipAllowList, placeholder: 'Any address' },
      { name: 'requestsPerSecond', label: 'Requests per second', initial: shown.requestsPerSecond },
      { name: 'requestBurst', label: 'Requests at once', initial: shown.requestBurst },
    ],
    toInput: (values) => ({ merchantId, ...changedSettings(merchant, values) }),
    after: () => 'The settings are changed. Every process has them within five seconds.',
  });
}

function limits(merchant: MerchantDetail): Action {
  const { merchantId, currency } = merchant;
  const shown = shownSettings(merchant);
  return defineAction({
    operation: 'setMerchant',
    document: SetMerchantDocument,
    label: 'Change limits',
    subject: merchantId,
    before: whatItIs(merchant),
    expectedVersion: merchant.version,
    fields: [
      { name: 'payinEnabled', label: 'Payins', kind: 'choice', options: yesNo, initial: shown.payinEnabled },
      { name: 'payinMin', label: `Smallest payin (${currency})`, initial: shown.payinMin },
      { name: 'payinMax', label: `Largest payin (${currency})`, initial: shown.payinMax },
      { name: 'payoutEnabled', label: 'Payouts', kind: 'choice', options: yesNo, initial: shown.payoutEnabled },
      { name: 'payoutMin', label: `Smallest payout (${currency})`, initial: shown.payoutMin },
      { name: 'payoutMax', label: `Largest payout (${currency})`, initial: shown.payoutMax },
    ],
    toInput: (values) => ({ merchantId, ...changedSettings(merchant, values) }),
    after: () => 'The limits are changed. New orders keep them within five seconds.',
  });
}

function disable(merchant: MerchantDetail): Action {
  return defineAction({
    operation: 'disableMerchant',
    document: DisableMerchantDocument,
    label: 'Disable the merchant',
    isDangerous: true,
    subject: merchant.merchantId,
    before: whatItIs(merchant),
    expectedVersion: merchant.version,
    toInput: () => ({ merchantId: merchant.merchantId }),
    after: () => 'The merchant is disabled: its requests are refused. Orders that exist are carried out.',
  });
}

function enable(merchant: MerchantDetail): Action {
  return defineAction({
    operation: 'enableMerchant',
    document: EnableMerchantDocument,
    label: 'Enable the merchant',
    subject: merchant.merchantId,
    before: whatItIs(merchant),
    expectedVersion: merchant.version,
    toInput: () => ({ merchantId: merchant.merchantId }),
    after: () => 'The merchant may call the API again.',
  });
}

function pause(merchant: MerchantDetail): Action {
  return defineAction({
    operation: 'pauseNotifications',
    document: PauseNotificationsDocument,
    label: 'Pause notifications',
    subject: merchant.merchantId,
    before: whatItIs(merchant),
    expectedVersion: merchant.version,
    toInput: () => ({ merchantId: merchant.merchantId }),
    after: () => 'Notifications are kept, and sent once they are resumed.',
  });
}

function resume(merchant: MerchantDetail): Action {
  return defineAction({
    operation: 'resumeNotifications',
    document: ResumeNotificationsDocument,
    label: 'Resume notifications',
    subject: merchant.merchantId,
    before: whatItIs(merchant),
    expectedVersion: merchant.version,
    toInput: () => ({ merchantId: merchant.merchantId }),
    after: () => 'Notifications are sent again, those that were kept first.',
  });
}
