import type { RestDomain } from '../request/rest-domain.ts';

type QrImage = NonNullable<Awaited<ReturnType<RestDomain['readQrImage']>>>;

/** How long an image is reused, in ms. The image does not change while its payin is open. */
const keptMs = 60_000;
/** The most images in memory. */
const most = 100;

/**
 * The images of QR codes by the token of their page. A channel is called once for an image, however often the page is
 * loaded.
 */
export interface QrImages {
  get(token: string): Promise<QrImage | null>;
}

export function openQrImages(
  read: (token: string) => Promise<QrImage | null>,
  clock: () => number = () => performance.now(),
): QrImages {
  const kept = new Map<string, { since: number; image: Promise<QrImage | null> }>();
  return {
    get(token) {
      const known = kept.get(token);
      if (known && clock() - known.since < keptMs) return known.image;
      kept.delete(token);
      const [oldest] = kept.keys();
      if (kept.size >= most && oldest !== undefined) kept.delete(oldest);
      const image = read(token);
      const entry = { since: clock(), image };
      kept.set(token, entry);
      // An image that did not come is requested again when the page is loaded again.
      const drop = (): void => {
        if (kept.get(token) === entry) kept.delete(token);
      };
      image.then((found) => found ?? drop(), drop);
      return image;
    },
  };
}
