/** Listens on no port, and ignores SIGTERM. */
process.on('SIGTERM', () => {});
setInterval(() => {}, 60_000);
