/** Labels of fields whose name cannot simply be split into words. */
const labels: Readonly<Record<string, string>> = {
  merchantId: 'Merchant number',
  merchantIds: 'Merchants',
  toMerchantId: 'Credited merchant',
  ownerId: 'Owner',
  alsoCaseNos: 'Further cases',
  way: 'Way back',
  provedAt: 'Time of the proof',
  defaultNotifyUrl: 'Default notification URL',
  credentialNames: 'Credentials',
  credentialsSet: 'Credentials set again',
  externalId: 'Identity',
  endsAt: 'Valid until',
  expiresAt: 'Valid until',
  from: 'Applies from',
};

const words: Readonly<Record<string, string>> = {
  ip: 'IP',
  url: 'URL',
  id: 'ID',
  no: 'number',
  nos: 'numbers',
  min: 'minimum',
  max: 'maximum',
};

/** The label of a field on a screen: */
export function labelOf(field: string): string {
  const known = labels[field];
  if (known !== undefined) return known;
  const parts = field.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`).split(' ');
  const text = parts.map((part) => words[part] ?? part).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
