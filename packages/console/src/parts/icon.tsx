/** Outlines on a square of 24. */
const PATHS = {
  search: 'M11 19a8 8 0 1 1 0-16 8 8 0 0 1 0 16zm10 2-4.3-4.3',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  left: 'M15 6l-6 6 6 6',
  right: 'M9 6l6 6-6 6',
  down: 'M6 9l6 6 6-6',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  columns: 'M4 5h16v14H4zM10 5v14M15 5v14',
  download: 'M12 4v11m-5-5 5 5 5-5M5 20h14',
  refresh: 'M20 11a8 8 0 1 0-.9 4.8M20 5v6h-6',
  orders: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  cases: 'M4 8h16v11H4zM9 8V5h6v3M4 13h16',
  tasks: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  stuck: 'M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM12 7v5l3 2',
  approvals: 'M9 12l2 2 4-4M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z',
  notifications: 'M4 6h16v12H4zM4 7l8 6 8-6',
  merchants: 'M4 10h16v10H4zM3 10l2-6h14l2 6M10 20v-5h4v5',
  wallets: 'M4 6h14v3h2v10H4zM20 12h-4v3h4',
  channels: 'M5 8h14M5 16h14M8 5l-3 3 3 3M16 13l3 3-3 3',
  audit: 'M6 3h9l4 4v14H6zM9 12h6M9 16h6M14 3v5h5',
  operators: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6',
  bell: 'M6 10a6 6 0 1 1 12 0c0 6 2 7 2 7H4s2-1 2-7M10 20h4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  moon: 'M20 14a8 8 0 1 1-10-10 7 7 0 0 0 10 10z',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  external: 'M14 4h6v6M20 4l-9 9M18 13v6H5V6h6',
  info: 'M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM12 11v5M12 8h.01',
  alert: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  keyboard: 'M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8',
  clock: 'M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM12 7v5l3 2',
  reconciliation: 'M4 7h11l-3-3M20 17H9l3 3',
  settlements: 'M3 10l9-6 9 6zM5 10v8M10 10v8M14 10v8M19 10v8M3 20h18',
  bookmark: 'M6 4h12v16l-6-4-6 4z',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon in the colour of its text. The control around it has the name. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.8}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
