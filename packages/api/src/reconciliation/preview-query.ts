import { type Country, currencyOf } from '@tidegate/domain';
import {
  findContent,
  mayAccess,
  openContent,
  operations,
  previewStatement,
  proposeFormatsOf,
  type StatementPreview,
  type StoredContent,
} from '@tidegate/domain/operators';
import { openFairSlots } from '@tidegate/domain/sharing';
import { CountryEnum, CurrencyEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { type ApiContext, operatorOf } from '../graphql/context.ts';
import { inputTypeOf, withoutNulls } from '../operation/input-type.ts';
import { problemOf, problemTypes } from '../operation/problems.ts';
import { StatementLineType } from './break-type.ts';

/** The largest file that is previewed here, in bytes. Larger ones are previewed on the command line. */
const largestPreview = 16 * 1024 * 1024;
/** How long a preview waits for its turn. Together with the time for reading it is below the limit of an execution. */
const maxWaitMs = 8_000;

/** How many previews of one operator are read or wait, for example of two tabs. */
const mostOfOperator = 3;
/** One thread reads, so there is one preview at a time. A second one of its operator waits, too. */
const slots = openFairSlots({ pool: 'previews', slots: 1, slotsPerOwner: mostOfOperator });
const openOf = new Map<string, number>();

const roles = [...new Set([...operations.importStatement.roles, ...operations.setCsvProfile.roles])];

const UnreadableRowType = builder.objectRef<StatementPreview['unparsed'][number]>('UnreadableRow').implement({
  description: 'A row of a file that would be set aside.',
  fields: (t) => ({
    lineNo: t.exposeInt('lineNo', { description: 'Row of the file, from 1.' }),
    reason: t.exposeString('reason', { description: 'Why it cannot be read.' }),
  }),
});

const PreviewType = builder.objectRef<StatementPreview>('StatementPreview').implement({
  description: 'How a file would be read. Nothing of it is stored.',
  fields: (t) => ({
    currency: t.field({
      type: CurrencyEnum,
      description: 'Currency of the amounts.',
      resolve: ({ country }) => currencyOf[country],
    }),
    rows: t.field({
      type: [StatementLineType],
      description: 'The first lines, at most 200.',
      resolve: ({ rows }) => [...rows],
    }),
    unparsed: t.field({
      type: [UnreadableRowType],
      description: 'Every row that would be set aside, at most 1,000.',
      resolve: ({ unparsed }) => [...unparsed],
    }),
    lines: t.exposeInt('lines', { description: 'Number of lines, also of those that are not shown.' }),
    firstDay: t.exposeString('firstDay', { nullable: true, description: 'First day that it covers.' }),
    lastDay: t.exposeString('lastDay', { nullable: true, description: 'Last day that it covers.' }),
    totalIn: t.expose('totalIn', { type: 'Decimal', description: 'Net amount that came in, in `currency`.' }),
    totalOut: t.expose('totalOut', { type: 'Decimal', description: 'Net amount that left, in `currency`.' }),
    opening: t.expose('opening', {
      type: 'Decimal',
      nullable: true,
      description: 'Opening balance, in `currency`, if it names one.',
    }),
    closing: t.expose('closing', {
      type: 'Decimal',
      nullable: true,
      description: 'Closing balance, in `currency`, if it names one.',
    }),
    accounts: t.stringList({
      description: 'Accounts that it names.',
      resolve: ({ accounts }) => accounts.slice(0, 10),
    }),
    refusal: t.exposeString('refusal', {
      nullable: true,
      description: 'Why the whole file would be refused. Null: it would be imported.',
    }),
  }),
});

const file = {
  country: { type: CountryEnum, required: true, description: 'Country of the statement.' },
  fileNo: { required: true, description: 'Number that the upload answered with.' },
} as const;

builder.queryField('proposedFormats', (t) =>
  t.stringList({
    nullable: true,
    description:
      'Formats that an uploaded file can have, judged by its first bytes. Null if there is no such file, or if its bytes were deleted.',
    authScopes: { roles },
    args: { country: t.arg(file.country), fileNo: t.arg.int(file.fileNo) },
    resolve: async (_root, { country, fileNo }, context) => {
      const content = await contentIn(context, country, fileNo);
      return content && proposeFormatsOf(context.domain, content);
    },
  }),
);

builder.queryField('statementPreview', (t) =>
  t.field({
    type: PreviewType,
    description:
      'Reads an uploaded file of at most 16 MiB as its import would: in a format, or by a profile that is not stored yet. One preview is read at a time.',
    authScopes: { roles },
    args: {
      country: t.arg(file.country),
      fileNo: t.arg.int(file.fileNo),
      channelId: t.arg.string({
        description: 'Channel of the statement. Default: account and first day are not compared.',
      }),
      format: t.arg.string({ description: 'Format. Either this or `profile`.' }),
      profile: t.arg({
        type: inputTypeOf('SetCsvProfile', operations.setCsvProfile.input),
        description: 'Profile that is not stored yet.',
      }),
    },
    errors: {
      types: problemTypes,
      directResult: true,
      union: { name: 'StatementPreviewResult', description: 'The preview, or why there is none.' },
    },
    resolve: async (_root, { country, fileNo, channelId = null, ...given }, context) => {
      const content = await contentIn(context, country, fileNo);
      if (!content) throw problemOf({ rejection: 'statement_not_found' });
      if (content.size > largestPreview)
        throw notPossible(`it has more than ${largestPreview / 1024 ** 2} MiB: preview it on the command line`);
      const as = previewedAs(given);
      return whenFree(operatorOf(context).operatorId, context.signal, async () => {
        const done = await previewStatement(
          context.domain,
          { country, channelId, as },
          openContent(context.domain, content),
        );
        if (!done.ok) throw problemOf(done);
        return done.value;
      });
    },
  }),
);

function previewedAs({ format, profile }: { format?: string | null | undefined; profile?: object | null | undefined }) {
  if (format != null && profile == null) return { format };
  if (format != null || profile == null) throw invalid([{ path: 'format', reason: 'or profile is needed, not both' }]);
  const { input } = operations.setCsvProfile;
  const read = input.safeParse(withoutNulls(input, profile));
  if (read.success) return { profile: read.data };
  throw invalid(read.error.issues.map(({ path, message }) => ({ path: path.join('.'), reason: message })));
}

function invalid(fields: { path: string; reason: string }[]): Error {
  return problemOf({ rejection: 'invalid_input', fields });
}

function notPossible(detail: string): Error {
  return problemOf({ rejection: 'preview_not_possible', detail });
}

/** The uploaded file; null: there is none, or the operator may not see it. */
async function contentIn(context: ApiContext, country: Country, fileNo: number): Promise<StoredContent | null> {
  const mayRead = mayAccess(operatorOf(context), { merchantId: `PLATFORM-${country}`, country });
  return mayRead ? findContent(context.domain, country, fileNo) : null;
}

/** Runs it when it is the operator's turn. An operator whose previews wait already is refused. */
async function whenFree<T>(operatorId: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  const open = openOf.get(operatorId) ?? 0;
  if (open >= mostOfOperator) throw notPossible(`${open} previews of yours are running: wait for them`);
  openOf.set(operatorId, open + 1);
  try {
    const taken = await slots.take({ owner: operatorId, priority: 'create', maxWaitMs, isPatient: true, signal });
    if (!taken.ok) throw notPossible('other previews are running: try again');
    try {
      return await run();
    } finally {
      taken.release();
    }
  } finally {
    const left = (openOf.get(operatorId) ?? 1) - 1;
    if (left > 0) openOf.set(operatorId, left);
    else openOf.delete(operatorId);
  }
}
