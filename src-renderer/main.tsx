import '@mantine/core/styles.css';
import './ui/theme.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { watchAccess } from './bridge.ts';
import { setZoneInForce } from './format/time-zone.ts';
import { isUnasked } from './state/ask.ts';
import { readContact, watchContact } from './state/contact.ts';
import { askGrowthsAgain } from './state/growth.ts';
import { schemeManager } from './state/theme.ts';
import { watchTimeZone } from './state/time-zone.ts';
import { resolveVariables, theme } from './ui/theme.ts';

/** Answers come from the same PC: a failed call is shown, not tried again behind the screen. */
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// What did not reach the agent is asked again as soon as there is a way to it.
watchAccess((access) => {
  if (access === 'known') void queries.refetchQueries({ predicate: ({ state }) => isUnasked(state.error) });
});

// Answers are about one tool, and those on growths about the growth that runs: they end with it.
let seen = readContact().snapshot;
watchContact(() => {
  const { snapshot } = readContact();
  if (seen !== null && seen.isTrial !== snapshot?.isTrial) void queries.resetQueries();
  else if (seen?.growth?.id !== snapshot?.growth?.id) void askGrowthsAgain(queries);
  seen = snapshot;
});

// Before the first component, which would hear of a zone first otherwise.
watchTimeZone(setZoneInForce);

/** The number that lets Mantine's style elements past the content security policy; new with each load. */
const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element named root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveVariables}
        colorSchemeManager={schemeManager}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <App />
      </MantineProvider>
    </QueryClientProvider>
  </StrictMode>,
);
