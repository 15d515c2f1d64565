import { testTamperings } from '../../test/audit-tampered-ledger.ts';

testTamperings({ areOfLedger: true });
