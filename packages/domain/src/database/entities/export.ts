import { defineEntity, p } from '@mikro-orm/core';

// Exports of operators. Written by `packages/domain/src/exports`.

const bigint = () => p.bigint('number');

export const DataExportRow = defineEntity({
  name: 'DataExportRow',
  tableName: 'data_export',
  properties: {
    exportId: p.text().primary(),
    kind: p.text(),
    format: p.text(),
    state: p.text().default('waiting'),
    tenant: p.text(),
    requestedBy: p.text(),
    countries: p.array().nullable(),
    merchantIds: p.array().nullable(),
    input: p.json<object>().hidden(),
    inFlight: p.array().nullable(),
    name: p.text(),
    rowsWritten: p.integer().default(0),
    rowsExpected: p.integer().nullable(),
    size: bigint().default(0),
    sha256: p.text().nullable(),
    failure: p.text().nullable(),
    runNo: p.integer().default(0),
    leasedUntil: p.datetime(3).nullable(),
    requestedAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    endedAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
  },
});

export const DataExportChunkRow = defineEntity({
  name: 'DataExportChunkRow',
  tableName: 'data_export_chunk',
  properties: {
    exportId: p.text().primary(),
    chunkNo: p.integer().primary(),
    content: p.blob().hidden(),
  },
});
