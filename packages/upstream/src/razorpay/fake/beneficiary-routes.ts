import { type Context, problemOfFields, readInput, recordOf, recordsOf, refuse, seconds } from './context.ts';
import { type FundAccount, makeId } from './records.ts';
import { viewOfFundAccount } from './views.ts';

const name = /^[A-Za-z0-9 ’\-_/().]{2,}[A-Za-z0-9.]$/;
const types = ['vendor', 'customer', 'employee', 'self'];

/** Contacts and fund accounts. One that exists with exactly the same details is returned, not created again. */
export function addBeneficiaryRoutes(context: Context): void {
  const { app, clock } = context.server;
  app.post('/v1/contacts', async (request, reply) => {
    const input = readInput(request);
    if (input === null) return refuse(reply, 'The request body is not JSON');
    const extra = problemOfFields(input, ['name', 'email', 'contact', 'type', 'reference_id', 'notes']);
    if (extra) return refuse(reply, extra);
    if (typeof input.name !== 'string') return refuse(reply, 'The name field is required.', 'name');
    if (!name.test(input.name) || input.name.length > 50) return refuse(reply, 'The name field is invalid.', 'name');
    if (input.type !== undefined && !types.includes(String(input.type)))
      return refuse(reply, `Invalid type: ${String(input.type)}`, 'type');
    if (String(input.reference_id ?? '').length > 40)
      return refuse(reply, 'The reference id may not be greater than 40 characters.', 'reference_id');
    const details = JSON.stringify(input);
    const known = recordsOf(context, 'contact').find((one) => JSON.stringify(one.details) === details);
    const contact = known ?? {
      type: 'contact' as const,
      id: makeId('cont'),
      createdAt: Math.floor(clock.now() / 1_000),
      details: input as Record<string, string>,
    };
    if (!known) context.store.put(contact.id, contact);
    reply.code(known ? 200 : 201);
    const { id, createdAt } = contact;
    return {
      id,
      entity: 'contact',
      ...contact.details,
      batch_id: null,
      active: true,
      notes: [],
      created_at: createdAt,
    };
  });
  app.post('/v1/fund_accounts', async (request, reply) => {
    const input = readInput(request);
    if (input === null) return refuse(reply, 'The request body is not JSON');
    const extra = problemOfFields(input, ['contact_id', 'account_type', 'bank_account', 'vpa']);
    if (extra) return refuse(reply, extra);
    if (!recordOf(context, 'contact', String(input.contact_id)))
      return refuse(reply, 'The id provided does not exist', 'contact_id');
    const made = readFundAccount(context, input);
    if ('problem' in made) return refuse(reply, made.problem, made.field);
    const isSame = (one: FundAccount) => detailsOf(one) === detailsOf(made);
    const fundAccount = recordsOf(context, 'fund_account').find(isSame) ?? made;
    context.store.put(fundAccount.id, fundAccount);
    return viewOfFundAccount(fundAccount);
  });
}

function detailsOf({ contactId, bank, vpa }: FundAccount): string {
  return JSON.stringify([contactId, bank, vpa]);
}

function readFundAccount(
  context: Context,
  input: Record<string, unknown>,
): FundAccount | { problem: string; field: string } {
  const base = { type: 'fund_account' as const, id: makeId('fa'), contactId: String(input.contact_id) };
  const createdAt = seconds(context);
  if (input.account_type === 'vpa') {
    const { address } = (input.vpa ?? {}) as Record<string, unknown>;
    if (typeof address !== 'string' || !/^[A-Za-z0-9.-]{1,60}@[A-Za-z0-9.-]{1,39}$/.test(address))
      return { problem: 'Invalid VPA. Please enter a valid Virtual Payment Address', field: 'address' };
    return { ...base, createdAt, bank: null, vpa: { address } };
  }
  if (input.account_type !== 'bank_account') return { problem: 'Invalid account type', field: 'account_type' };
  const { name: holder, ifsc, account_number } = (input.bank_account ?? {}) as Record<string, unknown>;
  if (typeof holder !== 'string' || !name.test(holder) || holder.length > 120)
    return { problem: 'The name field is invalid.', field: 'name' };
  if (typeof ifsc !== 'string' || !/^[A-Z]{4}0[A-Z0-9]{6}$/.test(ifsc))
    return { problem: 'The ifsc must be 11 characters.', field: 'ifsc' };
  if (typeof account_number !== 'string' || !/^[A-Za-z0-9]{5,35}$/.test(account_number))
    return { problem: 'The account number format is invalid.', field: 'account_number' };
  return { ...base, createdAt, bank: { name: holder, ifsc, account_number }, vpa: null };
}
