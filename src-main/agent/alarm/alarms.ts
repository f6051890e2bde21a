// Alarms that leave this PC: looks at the snapshot once a second and sends what has changed, by each way that the settings
// name. Nothing waits for it: capture, upload and the stop of the agent go on whatever a webhook or a mail server does.
import { isDeepStrictEqual } from 'node:util';
import type { JournalEntry, Snapshot } from '../../contract/snapshot.ts';
import type { Value } from '../../contract/table.ts';
import type { FindProxy } from '../../delivery/client/proxy.ts';
import { refuse } from '../../model/agent-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { MAIL_PASSWORD_VARIABLE } from '../../platform/secrets.ts';
import type { AlarmSettings, MailSettings } from '../../settings/settings.ts';
import { findProxyBy } from '../service-link/find-proxy.ts';
import type { AlarmFault } from '../status/facts.ts';
import { AlarmWatch, testMessage } from './alarm-watch.ts';
import { AlarmWay, type AlarmWayOptions } from './alarm-way.ts';
import { MAIL_MS, sendMail } from './send-mail.ts';
import { sendWebhook, WEBHOOK_MS } from './send-webhook.ts';

const LOOK_MS = 1000;

export interface AlarmsOptions {
  readonly clock: Clock;
  /** Password for the mail server; null: none was given. */
  readonly password: string | null;
  /** How the desktop finds its proxy; left out: by the environment alone. */
  readonly systemProxy?: FindProxy | undefined;
  readonly snapshot: () => Snapshot;
  readonly tell: (event: Omit<JournalEntry, 'id' | 'atMs'>, about: string) => void;
  /** The faults have changed. */
  readonly onChange: () => void;
}

/** Where alarms go, and the proxy on the way (`service.proxy`). */
interface Wanted {
  readonly alarm: AlarmSettings;
  readonly proxy: string;
}

export class Alarms {
  readonly #options: AlarmsOptions;
  #watch = new AlarmWatch();
  #wanted: Wanted | null = null;
  #ways: AlarmWay[] = [];
  #stop: AbortController | null = null;
  #testing: Promise<Value<'alarm', 'test'>> | null = null;
  /** The one mail server that gets the password: that of the settings with which the program began. */
  #passwordFor: string | null = null;

  constructor(options: AlarmsOptions) {
    this.#options = options;
  }

  /** The ways by which alarms cannot be sent. */
  get faults(): readonly AlarmFault[] {
    return this.#ways.flatMap(({ fault }) => fault ?? []);
  }

  /** Send by these settings from now on; null: the run ends, and what is not sent waits for the next one. */
  follow(wanted: Wanted | null): void {
    this.#stop?.abort();
    this.#stop = null;
    if (wanted === null) return;
    if (!isDeepStrictEqual(wanted, this.#wanted)) this.#takeWays(wanted);
    this.#stop = new AbortController();
    void this.#run(this.#stop.signal);
  }

  /**
   * Send a test alarm by every way.
   *
   * @returns for each way whether it was sent; empty: the settings name none.
   */
  test(): Promise<Value<'alarm', 'test'>> {
    const signal = this.#stop?.signal ?? AbortSignal.abort();
    this.#testing ??= Promise.all(this.#ways.map((way) => way.test(testMessage(this.#options.snapshot()), signal)));
    return this.#testing.finally(() => {
      this.#testing = null;
      this.#options.onChange();
    });
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, snapshot } = this.#options;
    const nowMs = () => clock.monotonicMs();
    while (!signal.aborted && this.#ways.length > 0) {
      const message = this.#watch.look(snapshot(), nowMs());
      for (const way of this.#ways) {
        if (message) way.put(message);
        way.tick(nowMs, signal);
      }
      await clock.sleep(LOOK_MS, signal);
    }
  }

  #takeWays(wanted: Wanted): void {
    this.#wanted = wanted;
    const { webhook, mail } = wanted.alarm;
    if (mail && mail.user !== null) this.#passwordFor ??= serverOf(mail);
    // A corrected way sends the message that failed before.
    const waiting = new Map(this.#ways.map(({ name, waiting }) => [name, waiting]));
    this.#ways = [];
    if (webhook !== null) {
      const findProxy = findProxyBy(wanted.proxy, this.#options.systemProxy);
      this.#add('webhook', new URL(webhook).host, WEBHOOK_MS, (message, signal) =>
        sendWebhook(webhook, findProxy, message, signal),
      );
    }
    if (mail) {
      this.#add('e-mail', mail.to.join(', '), MAIL_MS, async (message, signal) =>
        sendMail(mail, this.#passwordOf(mail), message, signal),
      );
    }
    for (const way of this.#ways) {
      const message = waiting.get(way.name);
      if (message) way.put(message);
    }
    if (this.#ways.length === 0) this.#watch = new AlarmWatch();
    this.#options.onChange();
  }

  #add(name: AlarmFault['way'], to: string, limitMs: number, send: AlarmWayOptions['send']): void {
    const { tell, onChange } = this.#options;
    const onSent: AlarmWayOptions['onSent'] = ({ headline, at }) => {
      tell({ level: 'info', code: 'alarm.sent', message: `Sent by ${name}: ${headline}`, hint: '' }, `${name} ${at}`);
      onChange();
    };
    const onFault: AlarmWayOptions['onFault'] = ({ message, hint }) => {
      const told = `Alarms cannot be sent by ${name}: ${message}`;
      tell({ level: 'warning', code: 'alarm.not-sent', message: told, hint }, name);
      onChange();
    };
    this.#ways.push(new AlarmWay({ name, to, limitMs, send, onSent, onFault }));
  }

  #passwordOf(mail: MailSettings): string {
    const { password } = this.#options;
    if (mail.user === null) return '';
    const hint = `Start Epistream again with the password in ${MAIL_PASSWORD_VARIABLE}.`;
    if (password === null) throw refuse('alarm.no-password', 'There is no password for the mail server.', hint);
    if (serverOf(mail) === this.#passwordFor) return password;
    const message = `The password was given for ${this.#passwordFor} and is not sent to ${serverOf(mail)}.`;
    throw refuse('alarm.other-server', message, hint);
  }
}

const serverOf = ({ host, port }: MailSettings) => `${host}:${port}`;
