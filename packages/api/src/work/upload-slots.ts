import type { ServerResponse } from 'node:http';

/** Uploads at once in this process: each holds up to 2 MB. */
const mostUploads = 8;

export interface UploadSlots {
  /** Whether the operator may upload now. The slot is held until the response is closed. */
  take(operatorId: string, response: Pick<ServerResponse, 'once' | 'destroyed'>): boolean;
}

/** One upload at a time for each operator, and a few for all. */
export function openUploadSlots(): UploadSlots {
  const uploading = new Set<string>();
  return {
    take: (operatorId, response) => {
      // Of a response that is closed already no end would be seen.
      if (response.destroyed || uploading.has(operatorId) || uploading.size >= mostUploads) return false;
      uploading.add(operatorId);
      // Also when the client leaves, or is cut off.
      response.once('close', () => void uploading.delete(operatorId));
      return true;
    },
  };
}
