/** A bank file of settlements. Amounts are decimal text, days `YYYY-MM-DD`. */
export interface SettlementFile {
  /** The platform's tenant of the country. */
  merchantId: string;
  /** `SF`, the country, and its sequence there. */
  fileNo: string;
  /** `open`: settlements are still claimed for it. `ready`: it can be downloaded. */
  state: 'open' | 'ready';
  currency: string;
  /** The account that pays. */
  accountId: string;
  executionDay: string;
  settlements: number;
  total: string;
  /** Of its content; null as long as it is open. */
  sha256: string | null;
  /** The first download, Unix ms. From then on its content never changes. Null: there was none. */
  downloadedAt: number | null;
  createdBy: string;
  createdAt: number;
}
