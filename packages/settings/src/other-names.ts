/** Variables with our prefix that other programs read: the merchants' client, the code snippets, and our tests. */
export const otherNames = [
  'TIDEGATE_BASE_URL',
  'TIDEGATE_COUNTRY',
  'TIDEGATE_MERCHANT_NO',
  'TIDEGATE_NONCE',
  'TIDEGATE_PRIVATE_KEY',
  'TIDEGATE_PRIVATE_KEY_FILE',
  'TIDEGATE_SETTINGS',
  'TIDEGATE_TIMESTAMP',
  'TIDEGATE_URL',
  'TIDEGATE_NODE_20',
  'TIDEGATE_TEST_DEPTH',
  'TIDEGATE_TEST_PROCESSES',
  'TIDEGATE_TEST_REPORT_FILE',
  'TIDEGATE_TEST_SPEED_FILE',
  'TIDEGATE_TEST_TIER',
];
