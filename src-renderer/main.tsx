import '@mantine/core/styles.css';
import './ui/theme.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { isUnasked } from './state/ask.ts';
import { schemeManager } from './state/theme.ts';
import { resolveVariables, theme } from './ui/theme.ts';

/** Until a question that did not reach the agent is asked again, milliseconds. */
const ASK_AGAIN_MS = 1_000;
/** Answers come from the same PC: a failed call is shown, not tried again behind the screen. One that got nowhere is no answer. */
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: (_, thrown) => isUnasked(thrown), retryDelay: ASK_AGAIN_MS, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

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
