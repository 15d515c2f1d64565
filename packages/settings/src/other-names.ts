/** Names that begin like ours and are read by others: the merchants' client, which stands alone, and our tests. */
export const otherNames = [
  'TIDEGATE_BASE_URL',
  'TIDEGATE_COUNTRY',
  'TIDEGATE_MERCHANT_NO',
  'TIDEGATE_PRIVATE_KEY',
  'TIDEGATE_PRIVATE_KEY_FILE',
  'TIDEGATE_SETTINGS',
  'TIDEGATE_NODE_20',
  'TIDEGATE_TEST_COUNT_FILE',
];
