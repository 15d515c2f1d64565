const notifications = 'an ended order has exactly its notifications';
const sums = 'a balance is the sum of its transfers';
const last = 'a balance is what the last entry left';
const chain = 'entries are numbered without gaps and chain';
const entryCount = 'the wallet knows how many entries it has';
const transferCount = 'transfers are numbered without gaps';
const accounts = 'a transfer moves between the accounts of its cause';
const brought = 'a payin moves exactly what its payments brought';
const ofNoOrder = 'money of no order moves at the channel of its payment or case';
const left = 'a completed payout left through its channel once, and no other';
const credited = 'a completed payin is credited once, and no other';
const moved = 'a payout moves with its channels exactly what was reported';
const fee = 'a completed order paid its fee once, and no other';
const suspense = 'suspense holds what open cases and open parts are about';
const payout = 'a payout is frozen once, and settled or released once when it ends';
const held = 'frozen is what open payouts hold';
const history = 'the transitions of an order lead from one to the next, and to its status';
const there = 'an order that is named is there';
const priced = 'fee and net amount follow from the terms kept on the order';
const sharedKey = 'a public key belongs to one merchant';
const unusableKey = 'a public key has a size and exponent that are allowed';
const decisionCount = 'decisions are numbered without gaps';
const withheld = 'what is withheld is what is still held of all channels';

const refunded = 'a refund moved the money of its case once';
const returning = 'a case whose money is being sent back has its refund';

const chained = 'ledger batches match their hashes';
const covered = 'every row is in the ledger batch that it names';
const batchCount = 'ledger batches are numbered without gaps';
const lastBatch = 'the wallet knows the last ledger batch';

const settled = 'a settlement moved its amount once, and back once if it failed';
const ofSettlement = 'an entry with a settlement number is of that settlement';
const proven = 'a line of a statement proves a settlement of its amount';
const provenFile = 'a line that proves a bank file is over its sum, and all of it was paid';
const failedCase = 'a failed settlement has its case';
const byChannel = 'a settlement that a channel pays moved its money at the channel once';
const paidByChannel = 'what a channel pays for a settlement is of that settlement';

/**
 * Manual changes of the rows of tampered-ledger.ts ($name is replaced by that order's number), and the rules that they
 * break.
 */
// biome-ignore format: a table is read by its columns
export const tamperings: [what: string, table: string, sql: string, rules: string[]][] = [
  ['a key that another merchant had first', 'public_key_owner', "update public_key_owner set owner = 'CN-OTHER' where owner like 'IN-%'", [sharedKey]],
  ['an invalid key', 'merchant_key', "update merchant_key set public_key_pem = 'AAAA' where merchant_id like 'IN-%'", [unusableKey]],
  ['more available', 'wallet', "update wallet set available = available + 1 where merchant_id like 'TH%'", [sums, last]],
  ['more frozen', 'wallet', "update wallet set frozen = frozen + 1 where merchant_id like 'IN%'", [sums, last, held]],
  ['a last entry that is not there', 'wallet', "update wallet set last_entry_no = last_entry_no + 1 where merchant_id like 'IN%'", [entryCount, last]],
  ['a last transfer that is not there', 'wallet', "update wallet set last_transfer_no = last_transfer_no + 1 where merchant_id like 'IN%'", [transferCount]],
  ['nothing withheld of what is held', 'wallet', "update wallet set withheld = withheld + 1 where merchant_id like 'TH%'", [withheld]],
  ['forgotten decisions', 'wallet', "update wallet set last_audit_no = 0 where merchant_id like 'IN-%'", [decisionCount]],
  ['a larger credit', 'wallet_entry', 'update wallet_entry set available_change = available_change + 1, available_after = available_after + 1 where order_no = $again', [chained, credited, last]],
  ['a changed remark', 'wallet_entry', "update wallet_entry set remark = 'x' where order_no = $paid", [chained]],
  ['another time', 'wallet_entry', "update wallet_entry set created_at = created_at + interval '1 ms' where order_no = $paid", [chained]],
  ['an entry deleted in the middle', 'wallet_entry', 'delete from wallet_entry where order_no = $paid', [chain, entryCount, credited, chained]],
  ['the last entry deleted', 'wallet_entry', 'delete from wallet_entry where order_no = $again', [entryCount, last, credited, chained]],
  ['a freeze deleted', 'wallet_entry', 'delete from wallet_entry where order_no = $held', [payout, chain, chained]],
  ['an entry of another order', 'wallet_entry', "update wallet_entry set order_no = 'PI0NOWHERE' where order_no = $paid", [there, chained, credited]],
  ['a settlement turned into a release', 'wallet_entry',
    "update wallet_entry set type = 'PAYOUT_RELEASE', available_change = -frozen_change, available_after = available_before - frozen_change where order_no = $settled and type = 'PAYOUT'", [payout, chained, chain]],
  ['an entry of another batch', 'wallet_entry', 'update wallet_entry set batch_no = batch_no + 1 where order_no = $paid', [chained, covered]],
  ['an entry inserted', 'wallet_entry', `insert into wallet_entry select (jsonb_populate_record(t, '{"entry_no": 99, "order_no": "PI0NEW"}')).* from wallet_entry t where order_no = $paid`, [chain, entryCount, covered]],
  ['a larger transfer', 'transfer', "update transfer set amount = amount + 1 where order_no = $paid and cause = 'payin'", [sums, brought]],
  ['a transfer deleted', 'transfer', "delete from transfer where order_no = $paid and cause = 'payin_fee'", [transferCount, fee, brought]],
  ['a fee led elsewhere', 'transfer', "update transfer set credit = 'external' where order_no = $paid and cause = 'payin_fee'", [fee, accounts]],
  ['a part taken out of suspense', 'transfer', "update transfer set credit = 'external' where order_no = $part", [suspense, accounts]],
  ['a top-up from the fees', 'transfer', "update transfer set debit = 'fee_revenue' where cause = 'top_up' and transfer_no = 1", [accounts]],
  ['a payout led elsewhere', 'transfer', "update transfer set credit = 'external', cause = 'settlement' where order_no = $settled and cause = 'payout_settle'", [left, accounts]],
  ['a transfer of another order', 'transfer', "update transfer set order_no = 'PI0NOWHERE' where order_no = $paid and cause = 'payin'", [there, brought]],
  ['a payment deleted', 'payment', 'delete from payment where order_no = $paid', [brought]],
  ['a larger payment', 'payment', 'update payment set amount = amount + 1 where order_no = $late', [brought]],
  ["a payout's payment deleted", 'payment', 'delete from payment where order_no = $settled', [moved]],
  ["a larger payment of a payout", 'payment', 'update payment set amount = amount + 1 where order_no = $settled', [moved]],
  ['a payment said to be returned', 'payment', "update payment set use = 'returned', direction = 'back' where order_no = $settled", [moved]],
  ['a payment said to be what operators saw, on a payout that is open', 'payment', `insert into payment select (jsonb_populate_record(t, '{"order_no": "POHELD", "use": "evidence", "reference": null}')).* from payment t where order_no = $settled`, [moved, covered]],
  ['a payout that left through another channel', 'transfer', "update transfer set credit = 'channel:other' where order_no = $settled and cause = 'payout_settle'", [moved]],
  ['a payin from another channel', 'transfer', "update transfer set debit = 'channel:other' where order_no = $paid and debit = 'channel:fake'", [brought]],
  ['a payin from a channel without a name', 'transfer', "update transfer set debit = 'channel:' where order_no = $paid and debit = 'channel:fake'", [brought, accounts]],
  ['a fee of a payin from another channel', 'transfer', "update transfer set debit = 'channel:other' where order_no = $paid and cause = 'payin_fee'", [brought]],
  ['a late payment from another channel', 'transfer', "update transfer set debit = 'channel:other' where order_no = $late and cause = 'suspense_in'", [brought]],
  ['a refund through another channel', 'transfer', "update transfer set credit = 'channel:other' where order_no = $back and cause = 'suspense_out'", [brought, refunded]],
  ['money of no order from another channel', 'transfer', "update transfer set debit = 'channel:other' where merchant_id = 'PLATFORM-IN'", [ofNoOrder]],
  ['a case of no order at another channel', 'money_case', "update money_case set channel_id = 'other' where merchant_id = 'PLATFORM-IN'", [ofNoOrder, chained]],
  ['a payment of no order at another channel', 'payment', "update payment set channel_id = 'other' where merchant_id = 'PLATFORM-IN'", [ofNoOrder, chained]],
  ['a posting to what another channel differs', 'transfer', "update transfer set debit = 'channel:fake', credit = 'variance:other', cause = 'reconciliation' where merchant_id = 'PLATFORM-IN'", [accounts]],
  ['a case deleted', 'money_case', 'delete from money_case where order_no = $late', [suspense]],
  ['a smaller case', 'money_case', 'update money_case set amount = amount - 1 where order_no = $timeout', [suspense]],
  ['a case closed by hand', 'money_case', "update money_case set state = 'returned', closed_at = now() where order_no = $late", [suspense]],
  ['an order completed by hand', 'orders', "update orders set status = 'completed', completed_at = now() where order_no = $open", [credited, history, fee]],
  ['a completed order failed by hand', 'orders', "update orders set status = 'failed', completed_at = null where order_no = $paid", [credited, history]],
  ['a payout failed by hand', 'orders', "update orders set status = 'failed' where order_no = $held", [held, payout, history]],
  ['a smaller order', 'orders', 'update orders set amount = amount - 1, net_amount = net_amount - 1, paid_amount = paid_amount - 1 where order_no = $paid', [credited]],
  ['a smaller fee and a larger net amount', 'orders', 'update orders set fee_amount = fee_amount - 0.01, net_amount = net_amount + 0.01 where order_no = $open', [priced]],
  ['a larger fee of a payout', 'orders', 'update orders set fee_amount = fee_amount + 0.01, net_amount = net_amount + 0.01 where order_no = $held', [priced]],
  ['other terms', 'orders', `update orders set fee_terms = fee_terms || '{"percent": "0.1"}' where order_no = $open`, [priced]],
  ['terms that cannot be computed', 'orders', `update orders set fee_terms = fee_terms || '{"percent": "much"}' where order_no = $open`, [priced]],
  ['a part forgotten', 'orders', 'update orders set paid_amount = 0 where order_no = $part', [suspense]],
  ['an order deleted', 'orders', 'delete from orders where order_no = $paid', [there]],
  ['an order deleted that has no money', 'orders', 'delete from orders where order_no = $open', [there]],
  ['a transition deleted', 'order_transition', 'delete from order_transition where order_no = $late and "to" = \'failed\'', [history, notifications]],
  ['a notification missing', 'notification', 'delete from notification where order_no = $paid', [notifications]],
  ['a notification of another status', 'notification', "update notification set status = 'failed' where order_no = $paid", [notifications]],
  ['a transfer at another time', 'transfer', "update transfer set created_at = created_at + interval '1 ms' where order_no = $paid and cause = 'payin'", [chained]],
  ['a transfer inserted', 'transfer', `insert into transfer select (jsonb_populate_record(t, '{"transfer_no": 99}')).* from transfer t where order_no = $held`, [transferCount, covered]],
  ['two transfers that change places', 'transfer',
    'update transfer t set debit = s.debit, credit = s.credit, amount = s.amount, cause = s.cause from transfer s where t.order_no = $paid and s.order_no = $paid and s.transfer_no <> t.transfer_no', [chained]],
  ['a transfer outside the chain', 'transfer', 'update transfer set batch_no = 0 where order_no = $held', [chained, covered]],
  ['a payment at another time', 'payment', "update payment set received_at = received_at + interval '1 ms' where order_no = $paid", [chained]],
  ['a payment inserted', 'payment', `insert into payment select (jsonb_populate_record(t, '{"seq": 9, "reference": "P9"}')).* from payment t where order_no = $paid`, [brought, covered]],
  ['two payments that change places', 'payment', 'update payment t set amount = s.amount from payment s where t.order_no = $again and s.order_no = $again and s.reference <> t.reference', [chained]],
  ['a payment of another batch', 'payment', 'update payment set batch_no = batch_no + 1 where order_no = $paid', [chained, covered]],
  ['another actor of a transition', 'order_transition', "update order_transition set actor = 'eve' where order_no = $paid and seq = 1", [chained]],
  ['the first transition deleted', 'order_transition', 'delete from order_transition where order_no = $paid and seq = 1', [history, chained]],
  ['a transition inserted', 'order_transition', `insert into order_transition select (jsonb_populate_record(t, '{"seq": 99}')).* from order_transition t where order_no = $held and seq = 1`, [history, covered]],
  ['a transition that begins elsewhere', 'order_transition', "update order_transition set \"from\" = 'failed' where order_no = $paid and seq = 2", [history, chained]],
  ['two transitions that change places', 'order_transition',
    'update order_transition t set trigger = s.trigger, actor = s.actor from order_transition s where t.order_no = $paid and s.order_no = $paid and t.seq + s.seq = 3', [chained]],
  ['a refund of another transfer', 'refund', "update refund set transfer_no = 1 where refund_no = 'RFBACK'", [refunded]],
  ['a smaller refund', 'refund', "update refund set amount = amount - 1 where refund_no = 'RFBACK'", [refunded]],
  ['a returned case of another refund', 'money_case', "update money_case set refund_no = 'RFGOING' where order_no = $back", [refunded]],
  ['a missing refund under way', 'refund', "delete from refund where refund_no = 'RFGOING'", [returning]],
  ['a refund under way said to be refunded', 'refund', "update refund set state = 'refunded', transfer_no = 2, next_action = null, next_action_at = null, ended_at = now() where refund_no = 'RFGOING'", [returning]],
  ['a case returned without its refund', 'money_case', "update money_case set state = 'returned', closed_at = now() where order_no = $going", [suspense]],
  ['two cases that change places', 'money_case', 'update money_case t set amount = s.amount from money_case s where t.order_no in ($late, $timeout) and s.order_no in ($late, $timeout) and s.case_no <> t.case_no', [chained]],
  ['a case of another order', 'money_case', 'update money_case set order_no = $paid where order_no = $late', [chained]],
  ['a case that was returned inserted', 'money_case', `insert into money_case select (jsonb_populate_record(t, '{"case_no": 99, "state": "returned", "closed_at": "2026-01-01"}')).* from money_case t where order_no = $late`, [covered]],
  ['another payee', 'orders', `update orders set details = '{"party": {"account": "1"}}' where order_no = $held`, [chained]],
  ['another address of notifications', 'orders', "update orders set notify_url = 'https://eve.test/n' where order_no = $held", [chained]],
  ['two orders that change names', 'orders',
    "update orders t set merchant_order_no = s.merchant_order_no || '2' from orders s where t.order_no in ($held, $settled) and s.order_no in ($held, $settled) and s.order_no <> t.order_no", [chained]],
  ['another hash of a batch', 'ledger_batch', "update ledger_batch set hash = repeat('1', 64) where batch_no = 2", [chained]],
  ['another time of a batch', 'ledger_batch', "update ledger_batch set at = at + interval '1 ms' where batch_no = 2", [chained]],
  ['a batch that forgets its transitions', 'ledger_batch', "update ledger_batch set rows = array['o:' || $open || ':0'] where rows[1] like 'o:' || $open || ':%'", [chained, covered]],
  ['a batch deleted', 'ledger_batch', 'delete from ledger_batch where batch_no = 2', [batchCount, chained]],
  ['the last batch deleted', 'ledger_batch', "delete from ledger_batch b where merchant_id like 'IN%' and not exists (select from ledger_batch c where c.merchant_id = b.merchant_id and c.batch_no > b.batch_no)", [batchCount, lastBatch]],
  ['a batch inserted', 'ledger_batch', "insert into ledger_batch select (jsonb_populate_record(b, jsonb_build_object('batch_no', 999))).* from ledger_batch b where batch_no = 1", [batchCount, chained]],
  ['forgotten batches', 'wallet', "update wallet set last_batch_no = 0, last_batch_hash = repeat('0', 64) where merchant_id like 'IN%'", [batchCount]],
  ['another last hash of batches', 'wallet', "update wallet set last_batch_hash = repeat('1', 64) where merchant_id like 'IN%'", [lastBatch]],
  ['another reason of a decision', 'audit_record', "update audit_record set reason = 'x' where audit_no = 1 and merchant_id like 'IN-%'", [chained]],
  ['a decision of another batch', 'audit_record', "update audit_record set batch_no = batch_no + 1 where audit_no = 1 and merchant_id like 'IN-%'", [chained, covered]],
  ['a decision inserted', 'audit_record', `insert into audit_record select (jsonb_populate_record(t, '{"audit_no": 99, "command_id": null}')).* from audit_record t where audit_no = 1 and merchant_id like 'IN-%'`, [decisionCount, covered]],
  ['a decision deleted', 'audit_record', "delete from audit_record where audit_no = 1 and merchant_id like 'IN-%'", [decisionCount, chained]],
  ['the last decision deleted', 'audit_record', "delete from audit_record where audit_no = 2 and merchant_id like 'IN-%'", [decisionCount, chained]],
  ['a settlement deleted', 'settlement', 'delete from settlement where seq = 2', [ofSettlement]],
  ['a larger settlement', 'settlement', 'update settlement set amount = amount + 1 where seq = 2', [settled, ofSettlement]],
  ['a settlement said to be a draft again', 'settlement', "update settlement set state = 'draft', approved_at = null where seq = 2", [settled, ofSettlement]],
  ['a settlement said to have failed', 'settlement', "update settlement set state = 'failed', failed_at = now(), case_no = 1 where seq = 2", [settled, failedCase]],
  ['a failed settlement said to be paid', 'settlement', "update settlement set state = 'paid', failed_at = null, case_no = null where seq = 1", [settled, ofSettlement]],
  ['a settlement inserted', 'settlement', `insert into settlement select (jsonb_populate_record(t, '{"seq": 3, "settlement_no": "STNONE000003"}')).* from settlement t where seq = 2`, [settled]],
  ['a line that is not there', 'settlement', "update settlement set debit_line = '9/9/0', state = 'confirmed' where seq = 2", [proven]],
  ['a return of what did not come back', 'settlement', "update settlement set return_line = '9/9/0' where seq = 2", [proven]],
  ['a settlement in a bank file that a missing line proves', 'settlement', "update settlement set file_no = 'SFPK000001' where seq = 2", [provenFile]],
  ['a settlement said to be paid by a channel', 'settlement', "update settlement set channel_id = 'fake', payment_no = 'SPNONE1', state = 'confirmed' where seq = 2", [byChannel]],
  ['a transfer said to pay a settlement through a channel', 'transfer', "update transfer set cause = 'settlement_paid', debit = 'external', credit = 'channel:fake' where order_no = $settled and cause = 'payout_settle'", [paidByChannel]],
  ['the case of a failed settlement deleted', 'money_case', "delete from money_case where kind = 'settlement_failed'", [failedCase]],
  ['an entry that leaves its settlement', 'wallet_entry', "update wallet_entry set booking_no = 'B-9' where type = 'SETTLEMENT' and booking_no like '%2'", [settled, chained]],
];
