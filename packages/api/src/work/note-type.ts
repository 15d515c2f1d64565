import type { MoneyCase } from '@tidegate/domain';
import { type Break, type MerchantRecord, pagesOfNotes } from '@tidegate/domain/lists';
import { addNote, type Note, type WorkItem, workRoles } from '@tidegate/domain/operators';
import { CaseType } from '../case/case-type.ts';
import { builder } from '../graphql/builder.ts';
import { childPages } from '../graphql/child-pages.ts';
import { operatorOf } from '../graphql/context.ts';
import { MerchantType } from '../merchant/merchant-type.ts';
import { problemOf, problemTypes } from '../operation/problems.ts';
import { OrderInterface } from '../order/order-type.ts';
import { BreakType } from '../reconciliation/break-type.ts';
import { workItemOf } from './work-item.ts';

const NoteType = builder.objectRef<Note>('Note').implement({
  description: 'A note of an operator about an order, a case or a merchant. It is never changed or deleted.',
  fields: (t) => ({
    noteNo: t.exposeInt('noteNo', { description: 'Number of the note: 1, 2, 3 …' }),
    author: t.exposeString('author', { description: 'Id of the operator who wrote it.' }),
    text: t.exposeString('text', {
      description: 'Text. Everybody who may see the order, case or merchant can read it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of writing.' }),
  }),
});

const notesOf = <Row>(itemOf: (row: Row) => WorkItem) => ({
  type: NoteType,
  description: 'Notes of operators, newest first.',
  resolve: childPages('notes', pagesOfNotes, itemOf),
});

builder.interfaceField(OrderInterface, 'notes', (t) =>
  t.connection(
    notesOf(({ merchantId, orderNo }: typeof OrderInterface.$inferType) => ({ type: 'order', merchantId, orderNo })),
  ),
);
builder.objectField(CaseType, 'notes', (t) =>
  t.connection(notesOf(({ merchantId, caseNo }: MoneyCase) => ({ type: 'case', merchantId, caseNo }))),
);
builder.objectField(BreakType, 'notes', (t) =>
  t.connection(notesOf(({ merchantId, breakNo }: Break) => ({ type: 'break', merchantId, breakNo }))),
);
builder.objectField(MerchantType, 'notes', (t) =>
  t.connection(notesOf(({ merchantId }: MerchantRecord) => ({ type: 'merchant', merchantId }))),
);

builder.mutationField('addNote', (t) =>
  t.field({
    type: NoteType,
    description: `Add a note about an order, a case or a merchant. Do not write personal data or card data into it. Roles: ${workRoles.join(', ')}.`,
    authScopes: { roles: workRoles },
    args: {
      on: t.arg.globalID({ required: true, description: 'Global id of the order, the case or the merchant.' }),
      text: t.arg.string({
        required: true,
        description: 'Text of 1 to 2,000 characters. It cannot be changed later. No personal data, no card data.',
      }),
    },
    errors: {
      types: problemTypes,
      union: { name: 'AddNoteResult', description: 'The note, or the reason why it was refused.' },
    },
    resolve: async (_root, { on, text }, context) => {
      const done = await addNote(context.domain, operatorOf(context), workItemOf(on), text);
      if (!done.ok) throw problemOf(done);
      return done.value;
    },
  }),
);
