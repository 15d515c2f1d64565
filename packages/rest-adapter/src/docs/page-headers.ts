const others = {
  // Documents change with a release only; an hour is how long an old one may be shown after it.
  'cache-control': 'public, max-age=3600',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
};

const closed = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/** What pages and files of the documentation are sent with: everything is ours and from here, and nothing is sent anywhere. */
export const docsHeaders = {
  'content-security-policy': [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", 'img-src data:', ...closed],
  ].join('; '),
  ...others,
};

/** The reference's renderer fetches the document, and writes its styles into the page. */
export const referenceHeaders = {
  'content-security-policy': [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:"],
    ...["connect-src 'self'", ...closed],
  ].join('; '),
  ...others,
};
