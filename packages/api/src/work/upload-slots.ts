import { openTransferSlots, type TransferSlots } from '../transfer-slots.ts';

/** One upload at a time for each operator, and a few for all: each holds up to 2 MB. */
export function openUploadSlots(): TransferSlots {
  return openTransferSlots({ each: 1, all: 8 });
}
