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
  basedOn: 'Version before',
  preambleRows: 'Rows before the column names',
  trailerRows: 'Rows after the last line',
  dateColumn: 'Column of the date',
  timeColumn: 'Column of the time',
  grossColumn: 'Column of the amount',
  feeColumn: 'Column of the fee',
  taxColumn: 'Column of the tax',
  netColumn: 'Column of the net amount',
  currencyColumn: 'Column of the currency',
  typeColumn: 'Column of the type',
  directionColumn: 'Column of the direction',
  balanceColumn: 'Column of the balance',
  textColumn: 'Column of a text with our order number',
  statusColumn: 'Column of the status',
  inColumn: 'Column of money in',
  outColumn: 'Column of money out',
  channelRefColumn: "Column of the channel's reference",
  bankRefColumn: "Column of the bank's reference",
  orderNoColumn: 'Column of our order number',
  settlementRefColumn: "Column of the settlement's reference",
  directionBy: 'Direction by',
  inWords: 'Words for money in',
  outWords: 'Words for money out',
  negative: 'A minus means',
  moneyWords: 'Status words for money',
  otherWords: 'Status words without money',
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

/** The label of a field on a screen: its name as words. */
export function labelOf(field: string): string {
  const known = Object.hasOwn(labels, field) ? labels[field] : undefined;
  if (known !== undefined) return known;
  const parts = field.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`).split(' ');
  const text = parts.map((part) => (Object.hasOwn(words, part) ? words[part] : part)).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Fields that say which object is changed, or that go with another one. */
const naming = ['merchantId', 'channelId', 'country', 'operatorId', 'modeEvidence', 'ending'];
/** More fields are counted. */
const MAX_NAMED = 3;

/** Names the fields that are changed. `otherwise`: there are none. */
export function changedSettings(input: object, otherwise = 'Keep all settings'): string {
  const labels = Object.entries(input)
    .filter(([field, value]) => value !== undefined && !naming.includes(field))
    .map(([field]) => uncapitalized(labelOf(field)))
    .sort();
  const more = labels.length - MAX_NAMED;
  const named = labels.slice(0, MAX_NAMED).join(', ');
  if (named === '') return otherwise;
  return more > 0 ? `Change ${named} and ${more} more` : `Change ${named}`;
}

/** Keeps abbreviations: `IP allow list`, but `payin maximum`. */
function uncapitalized(label: string): string {
  const start = label.slice(0, 2);
  return start === start.toUpperCase() ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}
