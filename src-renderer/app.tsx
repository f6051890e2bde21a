import { Button, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import type { Snapshot } from '../src-main/contract/snapshot.ts';
import classes from './app.module.css';
import { ConnectForm } from './features/first-run/connect-form.tsx';
import { FirstRunPage } from './features/first-run/first-run-page.tsx';
import { WallPage } from './features/now/wall-page.tsx';
import { Header } from './frame/header.tsx';
import { Navigation } from './frame/navigation.tsx';
import { SentenceBanner } from './frame/sentence-banner.tsx';
import { useShortcuts } from './frame/shortcuts.ts';
import { PAGE_ID, SkipLink } from './frame/skip-link.tsx';
import { pages } from './pages.tsx';
import { useAlarmSound } from './state/alarm-sound.ts';
import { useContact } from './state/contact.ts';
import { useTimeZone } from './state/time-zone.ts';
import { Panel } from './ui/panel.tsx';
import { WALL } from './ui/shortcut-keys.ts';
import { TallLink } from './ui/tall-link.tsx';

/** The whole screen: what it belongs to at the top, the sentence of truth, and the page of the agent's phase. */
export function App() {
  const { state, snapshot } = useContact();
  // Every time on the page is drawn again when the zone changes.
  useTimeZone();
  useAlarmSound(snapshot);
  const [wantsConnect, setWantsConnect] = useState(false);
  const isFirstRun = snapshot?.phase === 'first-run';
  const isConnecting = wantsConnect && snapshot?.isTrial === true;
  const title = state === 'live' && snapshot && !isFirstRun ? `${snapshot.sentence.text} · Epistream` : 'Epistream';
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <Router hook={useHashLocation}>
      <SkipLink />
      <Header snapshot={snapshot}>
        {snapshot?.isTrial && !isConnecting && (
          <Button variant="default" size="sm" onClick={() => setWantsConnect(true)}>
            Connect your tool
          </Button>
        )}
      </Header>
      <main className={classes.main}>
        {snapshot === null && state === 'connecting' && (
          <p className={classes.waiting}>
            <Loader size="sm" aria-hidden="true" /> Looking for the agent.
          </p>
        )}
        {state !== 'connecting' && (!isFirstRun || state !== 'live') && <SentenceBanner />}
        {isFirstRun && <FirstRunPage />}
        {isConnecting && <ConnectForm onBack={() => setWantsConnect(false)} />}
        {snapshot !== null && !isFirstRun && !isConnecting && <Pages snapshot={snapshot} isOld={state !== 'live'} />}
      </main>
    </Router>
  );
}

/**
 * @param options - what was heard last of the agent, and whether that is old: the page then fades under the sentence that says
 *   so.
 */
function Pages({ snapshot, isOld }: { snapshot: Snapshot; isOld: boolean }) {
  const [place, go] = useLocation();
  useShortcuts(go);
  // Another page begins at its top, the first one after "Go" too.
  const page = place.split('/')[1];
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [page]);
  if (place === WALL) return <WallPage snapshot={snapshot} isOld={isOld} />;
  return (
    <div className={classes.pages} data-old={isOld}>
      <Navigation places={pages} />
      <div className={classes.page} id={PAGE_ID} tabIndex={-1}>
        <Switch>
          {pages.map(({ path, Content }) => (
            <Route key={path} path={path === '/' ? path : `${path}/*?`}>
              <Content snapshot={snapshot} />
            </Route>
          ))}
          <Route path="/compare/*?">{({ '*': word }) => <Redirect to={`/plots/${word ?? ''}`} replace />}</Route>
          <Route>
            <Panel title="There is no such page">
              <TallLink href="/">Open Now</TallLink>
            </Panel>
          </Route>
        </Switch>
      </div>
    </div>
  );
}
