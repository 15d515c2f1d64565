import type { MoneyCase, Order, WalletEntry } from '@tidegate/domain';
import { filesOf, type WalletRecord } from '@tidegate/domain/lists';
import {
  type Approval,
  type AttachedFile,
  type FileOwner,
  maxFiles,
  mediaTypes,
  ownerOfApproval,
} from '@tidegate/domain/operators';
import DataLoader from 'dataloader';
import { ApprovalType } from '../approval/approval-type.ts';
import { CaseType } from '../case/case-type.ts';
import { builder } from '../graphql/builder.ts';
import type { ApiContext } from '../graphql/context.ts';
import { scopeOf } from '../graphql/paging.ts';
import { personal } from '../graphql/personal.ts';
import { OrderInterface } from '../order/order-type.ts';
import { WalletEntryType } from '../wallet/wallet-entry-type.ts';
import { WalletType } from '../wallet/wallet-type.ts';
import { pathOfFile } from './file-id.ts';

const FileType = builder.objectRef<AttachedFile>('AttachedFile').implement({
  description: `A file about an order, a case or a booking: ${mediaTypes.join(', ')}. It is not scanned for malware.`,
  fields: (t) => ({
    fileNo: t.exposeInt('fileNo', { description: 'Number of the file: 1, 2, 3 …' }),
    name: t.exposeString('name', {
      nullable: true,
      authScopes: personal,
      description: 'Name of the file, as it was uploaded. Hidden from viewers.',
    }),
    mediaType: t.exposeString('mediaType', { description: 'Media type, by the content of the file.' }),
    size: t.exposeInt('size', { description: 'Size in bytes.' }),
    sha256: t.exposeString('sha256', { description: 'SHA-256 of the content, in hexadecimal digits.' }),
    uploadedBy: t.exposeString('uploadedBy', { description: 'Id of the operator who uploaded it.' }),
    uploadedAt: t.expose('uploadedAt', { type: 'DateTime', description: 'Time of the upload.' }),
    path: t.string({
      description: 'Path of the download at this API, with the same credentials. Each download is in the audit log.',
      resolve: pathOfFile,
    }),
  }),
});

const loaders = new WeakMap<ApiContext, DataLoader<FileOwner, AttachedFile[]>>();

/** Nothing is kept: another field of the same request may have come after an upload. */
function loaderOf(context: ApiContext): DataLoader<FileOwner, AttachedFile[]> {
  const known = loaders.get(context);
  if (known) return known;
  const loader = new DataLoader<FileOwner, AttachedFile[]>(
    (owners) => filesOf(context.domain, scopeOf(context), owners),
    { cache: false, maxBatchSize: 1_000 },
  );
  loaders.set(context, loader);
  return loader;
}

const description = `Files about it, oldest first, at most ${maxFiles}. Upload: POST /files?on=<id>&name=<file name>.`;

function filesAbout<Row>(ownerOf: (row: Row) => FileOwner | null) {
  return {
    type: [FileType] as [typeof FileType],
    description,
    resolve: async (row: Row, _args: object, context: ApiContext) => {
      const owner = ownerOf(row);
      return owner ? loaderOf(context).load(owner) : [];
    },
  };
}

builder.interfaceField(OrderInterface, 'files', (t) =>
  t.field(filesAbout(({ merchantId, orderNo }: Order) => ({ type: 'order', merchantId, orderNo }))),
);
builder.objectField(CaseType, 'files', (t) =>
  t.field(filesAbout(({ merchantId, caseNo }: MoneyCase) => ({ type: 'case', merchantId, caseNo }))),
);
builder.objectField(WalletEntryType, 'files', (t) =>
  t.field(
    filesAbout(({ merchantId, bookingNo }: WalletEntry) =>
      bookingNo === null ? null : { type: 'booking', merchantId, bookingNo },
    ),
  ),
);
builder.objectField(ApprovalType, 'files', (t) =>
  t.field(filesAbout((approval: Approval) => ownerOfApproval(approval))),
);
builder.objectField(WalletType, 'files', (t) =>
  t.field({
    type: [FileType],
    description: `Files about a booking, oldest first, at most ${maxFiles}. Upload: POST /files?on=<id>&bookingNo=<number>&name=<file name>.`,
    args: {
      bookingNo: t.arg.string({ required: true, description: 'Booking number, also of one that is not booked yet.' }),
    },
    resolve: ({ merchantId }: WalletRecord, { bookingNo }, context) =>
      loaderOf(context).load({ type: 'booking', merchantId, bookingNo: findable(bookingNo) }),
  }),
);

/** What PostgreSQL cannot hold finds nothing. */
function findable(text: string): string {
  return text.includes('\u0000') || !text.isWellFormed() ? '' : text;
}
