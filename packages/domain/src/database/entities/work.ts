import { defineEntity, p } from '@mikro-orm/core';

// Notes, assignments and files: about an order, a case, a merchant or a booking. `subject` is its name in audit records.

export const NoteRow = defineEntity({
  name: 'NoteRow',
  tableName: 'note',
  properties: {
    merchantId: p.text().primary(),
    subject: p.text().primary(),
    noteNo: p.integer().primary(),
    author: p.text(),
    text: p.text(),
    createdAt: p.datetime(3),
  },
});

export const AssignmentRow = defineEntity({
  name: 'AssignmentRow',
  tableName: 'assignment',
  properties: {
    merchantId: p.text().primary(),
    subject: p.text().primary(),
    assignee: p.text(),
    assignedBy: p.text(),
    assignedAt: p.datetime(3),
  },
});

export const AttachedFileRow = defineEntity({
  name: 'AttachedFileRow',
  tableName: 'attached_file',
  properties: {
    merchantId: p.text().primary(),
    subject: p.text().primary(),
    fileNo: p.integer().primary(),
    sha256: p.text(),
    name: p.text(),
    mediaType: p.text(),
    size: p.integer(),
    uploadedBy: p.text(),
    uploadedAt: p.datetime(3),
  },
});

export const FileContentRow = defineEntity({
  name: 'FileContentRow',
  tableName: 'file_content',
  properties: {
    merchantId: p.text().primary(),
    sha256: p.text().primary(),
    content: p.blob().hidden(),
    storedAt: p.datetime(3),
  },
});
