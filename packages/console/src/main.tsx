import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import 'virtual:mantine-theme.css';
import './app/tokens.css';
import { makeClient } from './graphql/client.ts';
import { colorSchemes } from './preferences/color-scheme.ts';
import { router } from './router.ts';
import { session } from './session/session.ts';
import { useStore } from './state/store.ts';
import { theme } from './theme.ts';

function App() {
  const operatorId = useStore(session)?.operator?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another operator gets an empty cache.
  const client = useMemo(makeClient, [operatorId]);
  return (
    <Provider value={client}>
      <RouterProvider router={router} />
    </Provider>
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <App />
    </MantineProvider>
  </StrictMode>,
);
