import { Button, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './app.module.css';
import { ConnectForm } from './features/first-run/connect-form.tsx';
import { FirstRunPage } from './features/first-run/first-run-page.tsx';
import { SentenceBanner } from './features/status/sentence-banner.tsx';
import { StatusPage } from './features/status/status-page.tsx';
import { useContact } from './state/contact.ts';

/** The whole page: what it belongs to at the top, the sentence of truth, and the screen of the agent's phase. */
export function App() {
  const { state, snapshot } = useContact();
  const [wantsConnect, setWantsConnect] = useState(false);
  const isFirstRun = snapshot?.phase === 'first-run';
  const isConnecting = wantsConnect && snapshot?.isTrial === true;
  const title = state === 'live' && snapshot && !isFirstRun ? `${snapshot.sentence.text} · Epistream` : 'Epistream';
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <header className={classes.header}>
        <span className={classes.brand}>
          <Logo />
          Epistream
        </span>
        {snapshot?.toolName && <bdi className={classes.tool}>{snapshot.toolName}</bdi>}
        {snapshot?.isTrial && <span className={classes.badge}>Trial: simulated tool, nothing leaves this PC</span>}
        {snapshot?.isTrial && !isConnecting && (
          <Button variant="default" size="sm" onClick={() => setWantsConnect(true)}>
            Connect your tool
          </Button>
        )}
        {snapshot && <span className={classes.version}>Version {snapshot.version}</span>}
      </header>
      <main className={classes.main}>
        {snapshot === null && state === 'connecting' && (
          <p className={classes.waiting}>
            <Loader size="sm" aria-hidden="true" /> Looking for the agent.
          </p>
        )}
        {state !== 'connecting' && (!isFirstRun || state !== 'live') && <SentenceBanner />}
        {isFirstRun && <FirstRunPage />}
        {isConnecting && <ConnectForm onBack={() => setWantsConnect(false)} />}
        {snapshot !== null && !isFirstRun && !isConnecting && <StatusPage snapshot={snapshot} />}
      </main>
    </>
  );
}

/** Three points on their way, each further than the one before. */
function Logo() {
  return (
    <svg width={30} height={22} viewBox="0 0 30 22" aria-hidden="true" className={classes.logo}>
      <path d="M3 18C11 18 11 4 27 4" fill="none" stroke="currentColor" strokeWidth={2.4} strokeLinecap="round" />
      <circle cx={4} cy={18} r={3.2} fill="currentColor" />
      <circle cx={15} cy={10.6} r={3.2} fill="currentColor" />
      <circle cx={26} cy={4} r={3.2} fill="currentColor" />
    </svg>
  );
}
