// What makes the page live. Without it the page renews itself; it says the same either way, since all of it is rendered
// by the server and put in place of the old.
(() => {
  const lookEveryMs = 5_000;
  const silentMs = 40_000;
  const announcement = document.querySelector('#announcement');
  let source = null;
  let lastWordAt = performance.now();
  let looking = false;
  let endsAt = null;
  let lookedAtEnd = false;
  const shown = () => document.querySelector('main');
  const isOpen = () => shown().dataset.events !== undefined;

  const begin = () => {
    const left = shown().querySelector('[data-left-ms]');
    endsAt = left ? performance.now() + Number(left.dataset.leftMs) : null;
    lookedAtEnd = false;
    if (!isOpen()) source?.close();
    offerCopy();
    tick();
  };

  const offerCopy = () => {
    const button = shown().querySelector('[data-copy]');
    if (!button || !navigator.clipboard) return;
    button.hidden = false;
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy);
        button.textContent = button.dataset.copied;
        announcement.textContent = button.dataset.copied;
      } catch {
        // The amount can still be read and copied by hand.
      }
    });
  };

  const put = (next) => {
    const old = shown();
    const main = next.querySelector('main');
    if (!main || main.dataset.mark === undefined || main.dataset.mark === old.dataset.mark) return;
    const hadFocus = old.contains(document.activeElement);
    const buttons = document.querySelector('.sandbox');
    const newButtons = next.querySelector('.sandbox');
    buttons?.remove();
    old.replaceWith(document.adoptNode(main));
    if (newButtons) main.after(document.adoptNode(newButtons));
    document.title = next.title;
    announcement.textContent = main.dataset.said;
    if (hadFocus) main.querySelector('h1').focus();
    begin();
  };

  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      const response = await fetch(location.href, { cache: 'no-store', signal: AbortSignal.timeout(10_000) });
      if (response.ok) put(new DOMParser().parseFromString(await response.text(), 'text/html'));
    } catch {
      // It is looked again.
    }
    looking = false;
  };

  const tick = () => {
    const left = shown().querySelector('[data-left-ms]');
    if (!left || endsAt === null) return;
    const seconds = Math.max(0, Math.ceil((endsAt - performance.now()) / 1_000));
    const two = (number) => String(number).padStart(2, '0');
    const hours = Math.floor(seconds / 3_600);
    const minutes = Math.floor(seconds / 60) % 60;
    left.textContent = `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
    left.parentElement.hidden = false;
    if (seconds > 0 || lookedAtEnd) return;
    lookedAtEnd = true;
    setTimeout(look, 1_000);
  };

  const listen = () => {
    if (!isOpen() || !window.EventSource) return;
    source = new EventSource(shown().dataset.events);
    source.addEventListener('status', ({ data }) => {
      lastWordAt = performance.now();
      if (data !== shown().dataset.mark) look();
    });
    source.addEventListener('beat', () => {
      lastWordAt = performance.now();
    });
  };

  begin();
  listen();
  setInterval(tick, 1_000);
  setInterval(() => {
    const isDeaf = source?.readyState !== 1 || performance.now() - lastWordAt > silentMs;
    if (isOpen() && isDeaf && !document.hidden) look();
  }, lookEveryMs);
  addEventListener('pageshow', (event) => event.persisted && look());
})();
