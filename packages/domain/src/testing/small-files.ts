import { crc32 } from 'node:zlib';

// The smallest files of each type that can be attached.

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** A PNG with this text in it, so that each is another one. */
export function aPng(text = 'a'): Buffer {
  const header = Buffer.from('0000000100000001080000000000', 'hex').subarray(0, 13);
  const image = Buffer.from('789c6360000000020001', 'hex');
  const chunks = [
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(text)),
    chunk('IDAT', image),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

export function aJpeg(): Buffer {
  return Buffer.from('ffd8ffe000044a46ffda0004010011ff00d2ffd022ffd9', 'hex');
}

export function aPdf(): Buffer {
  return Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\nstartxref\n9\n%%EOF\n', 'latin1');
}
