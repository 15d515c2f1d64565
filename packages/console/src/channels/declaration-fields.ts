/** What two operators declare about an account whose key and host do not show what it is for. */
export const declarationFields = [
  {
    name: 'declaredMode',
    label: 'Declared as, if key and host do not show it',
    kind: 'choice',
    options: [
      { value: '', label: 'nothing' },
      { value: 'LIVE', label: 'a live account, for real money' },
      { value: 'TEST', label: 'a test account' },
    ],
  },
  { name: 'modeEvidence', label: 'How you know it', placeholder: 'for example a letter of the provider' },
] as const;
