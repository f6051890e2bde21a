import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { agent } from '../../bridge.ts';
import { ask, toCallError } from '../../state/ask.ts';
import { Notice } from '../../ui/notice.tsx';
import { ConnectForm } from './connect-form.tsx';
import classes from './first-run.module.css';

/** The first look at Epistream: try it with a simulated tool, or connect the real one. */
export function FirstRunPage() {
  const [isConnecting, setConnecting] = useState(false);
  if (isConnecting) return <ConnectForm onBack={() => setConnecting(false)} />;
  return (
    <div className={classes.page}>
      <h1 className={classes.welcome}>Record your growth tool. Lose nothing.</h1>
      <p className={classes.lead}>
        Epistream reads the logs and instruments of a growth tool, keeps every point on this PC and delivers it to your
        data service, in order, also after days without a network.
      </p>
      <div className={classes.choices}>
        <TryCard />
        <section className={classes.choice} aria-labelledby="connect-title">
          <h2 id="connect-title">Connect your tool</h2>
          <p>
            Name a folder in which your tool writes its logs and see at once what Epistream reads there. Your files are
            only read, never changed.
          </p>
          <Button size="lg" variant="default" onClick={() => setConnecting(true)}>
            Connect your tool
          </Button>
        </section>
      </div>
    </div>
  );
}

function TryCard() {
  const trial = useMutation({ mutationFn: () => ask(agent.trial.start(null)) });
  // Once the agent has said yes, the next snapshot brings the status page; the button stays busy until then.
  const isStarting = trial.isPending || trial.isSuccess;
  return (
    <section className={classes.choice} aria-labelledby="try-title">
      <h2 id="try-title">Try it</h2>
      <p>
        A simulated MBE growth streams into a data service inside this program. It runs in seconds, needs nothing, and
        nothing leaves this PC.
      </p>
      <Button size="lg" loading={isStarting} onClick={() => trial.mutate()}>
        Try it
      </Button>
      {trial.error && <Notice tone="attention" isUrgent {...toCallError(trial.error)} />}
    </section>
  );
}
