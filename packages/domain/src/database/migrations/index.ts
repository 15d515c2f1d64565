import { MerchantsAndChannels } from './0001-merchants-and-channels.ts';
import { OrdersAndLedger } from './0002-orders-and-ledger.ts';
import { Guards } from './0003-guards.ts';
import { CheaperChecks } from './0004-cheaper-checks.ts';
import { Delivery } from './0005-delivery.ts';
import { AuditRuns } from './0006-audit-runs.ts';
import { Approvals } from './0007-approvals.ts';
import { ReadIndexes } from './0008-read-indexes.ts';
import { TraceContext } from './0009-trace-context.ts';
import { Retention } from './0010-retention.ts';
import { KeysOfMerchants } from './0011-keys-of-merchants.ts';
import { ConfigurationChanges } from './0012-configuration-changes.ts';
import { OperatorAccess } from './0013-operator-access.ts';
import { MoneyMovements } from './0014-money-movements.ts';
import { ProofReferences } from './0014-proof-references.ts';
import { CommandIds } from './0015-command-ids.ts';
import { RollUpOrder } from './0016-roll-up-order.ts';
import { LedgerChain } from './0017-ledger-chain.ts';
import { DueByChannel } from './0019-due-by-channel.ts';
import { FundsReferences } from './0020-funds-references.ts';
import { ProofReferencesAgain } from './0025-proof-references-again.ts';
import { CasesInTheChain } from './0026-cases-in-the-chain.ts';
import { Countries } from './0027-countries.ts';
import { ConfigurationVersions } from './0028-configuration-versions.ts';
import { ScheduledFeeRules } from './0029-scheduled-fee-rules.ts';
import { OrderSearch } from './0030-order-search.ts';
import { WorkOfOperators } from './0031-work-of-operators.ts';
import { ConsoleSettings } from './0032-console-settings.ts';
import { FinerFigures } from './0033-finer-figures.ts';
import { OperatorSessions } from './0034-operator-sessions.ts';
import { CasesByAmount } from './0037-cases-by-amount.ts';
import { SumsAndHealth } from './0039-sums-and-health.ts';
import { ChannelMemoryTable } from './0040-channel-memory.ts';
import { CredentialTimes } from './0041-credential-times.ts';
import { Refunds } from './0042-refunds.ts';

/**
 * The migrations in the order of their execution. A released migration never changes, nor does its name, which
 * databases store. Add the next one at the end, with the next number. Two have the number 0014 (`index.unit.test.ts`).
 */
export const migrations = [
  { name: '0001-merchants-and-channels', class: MerchantsAndChannels },
  { name: '0002-orders-and-ledger', class: OrdersAndLedger },
  { name: '0003-guards', class: Guards },
  { name: '0004-cheaper-checks', class: CheaperChecks },
  { name: '0005-delivery', class: Delivery },
  { name: '0006-audit-runs', class: AuditRuns },
  { name: '0007-approvals', class: Approvals },
  { name: '0008-read-indexes', class: ReadIndexes },
  { name: '0009-trace-context', class: TraceContext },
  { name: '0010-retention', class: Retention },
  { name: '0011-keys-of-merchants', class: KeysOfMerchants },
  { name: '0012-configuration-changes', class: ConfigurationChanges },
  { name: '0013-operator-access', class: OperatorAccess },
  { name: '0014-money-movements', class: MoneyMovements },
  { name: '0014-proof-references', class: ProofReferences },
  { name: '0015-command-ids', class: CommandIds },
  { name: '0016-roll-up-order', class: RollUpOrder },
  { name: '0017-ledger-chain', class: LedgerChain },
  { name: '0019-due-by-channel', class: DueByChannel },
  { name: '0020-funds-references', class: FundsReferences },
  { name: '0025-proof-references-again', class: ProofReferencesAgain },
  { name: '0026-cases-in-the-chain', class: CasesInTheChain },
  { name: '0027-countries', class: Countries },
  { name: '0028-configuration-versions', class: ConfigurationVersions },
  { name: '0029-scheduled-fee-rules', class: ScheduledFeeRules },
  { name: '0030-order-search', class: OrderSearch },
  { name: '0031-work-of-operators', class: WorkOfOperators },
  { name: '0032-console-settings', class: ConsoleSettings },
  { name: '0033-finer-figures', class: FinerFigures },
  { name: '0034-operator-sessions', class: OperatorSessions },
  { name: '0037-cases-by-amount', class: CasesByAmount },
  { name: '0039-sums-and-health', class: SumsAndHealth },
  { name: '0040-channel-memory', class: ChannelMemoryTable },
  { name: '0041-credential-times', class: CredentialTimes },
  { name: '0042-refunds', class: Refunds },
];
