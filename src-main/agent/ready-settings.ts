// Settings that nobody has to write: the trial's, and the first ones of a tool that is connected on the screen.
import type { Argument } from '../contract/table.ts';
import { AgentError } from '../model/agent-error.ts';
import type { SettingsChange } from '../settings/save-settings.ts';
import { UPLOAD_WINDOW_MAX } from '../settings/schema.ts';
import type { Settings } from '../settings/settings.ts';

/** The trial's simulated tool gives ten readings a second, and a chunk holds one second of them. */
const TRIAL_INTERVAL_MS = 100;
/** The trial's camera: its rate, and how many of its images (2 kB each) are kept. */
const TRIAL_FPS = 30;
const TRIAL_IMAGES = 300;
/** The source that the form makes. */
const FORM_SOURCE = 'tool-log';

/**
 * The settings of *Try it*: a simulated growth and a RHEED camera into the embedded service, acknowledged within seconds.
 *
 * @param cameraFolder - the folder of the camera, which belongs to it alone.
 */
export function trialSettings(cameraFolder: string): Settings {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const streams = { pointsPerChunk: 1000 / TRIAL_INTERVAL_MS, rollover: 'daily', closeAfterQuietMs: 60_000 } as const;
  return {
    version: 1,
    service: {
      url: 'embedded',
      caFile: null,
      proxy: 'none',
      resend: 'repeat',
      uploadWindow: UPLOAD_WINDOW_MAX,
      finalize: { toolState: null, rheed: null },
      paths: { ingestChunk: [], readTimeSeries: [] },
    },
    tool: { name: 'Simulated MBE', synthSourceId: null, timeZone },
    streamDefaults: streams,
    growth: { runFiles: null, after: [] },
    updates: { url: null, when: 'off' },
    alarm: { webhook: null, mail: null },
    limits: [],
    keepAwake: true,
    sources: [
      {
        id: 'growth',
        kind: 'simulator',
        seed: 1,
        speed: 1,
        intervalMs: TRIAL_INTERVAL_MS,
        ...streams,
        camera: { folder: cameraFolder, fps: TRIAL_FPS, keep: TRIAL_IMAGES },
      },
      {
        id: 'rheed-camera',
        kind: 'rheed',
        timeZone,
        rollsOverAt: null,
        stallAfterMs: 2000,
        counter: { type: 'images', path: cameraFolder, match: 'rheed_{frame}.bmp', timeFormat: null },
        fps: TRIAL_FPS,
        rotationRpm: 10,
        session: { start: 'by-counter', endAfterSilenceMs: 60_000, projectId: null },
        // A reading a second: a chunk in five.
        ...streams,
        pointsPerChunk: 5,
      },
    ],
  };
}

/**
 * The settings of a tool connected on the screen.
 *
 * @param form - what the form says.
 * @returns the change to the settings file; what stands there stays, except the source that the same form made before: then the
 *   recording could not start, and the form is filled in again.
 */
export function connectSettings(form: Argument<'tool', 'connect'>): SettingsChange {
  const { toolName, timeZone, folder, match, backfill, serviceUrl, timeFormat } = form;
  return (current) => ({
    ...current,
    version: 1,
    service: { ...current?.service, url: serviceUrl },
    tool: { ...current?.tool, name: toolName, time_zone: timeZone },
    sources: [
      ...(current?.sources ?? []).filter(({ id }) => id !== FORM_SOURCE),
      {
        id: FORM_SOURCE,
        kind: 'log',
        path: folder,
        match,
        backfill,
        ...(timeFormat === '' ? {} : { dialect: { time: { format: timeFormat } } }),
      },
    ],
  });
}

/** A trial is asked for while a real tool is connected. */
export function trialRefused(): AgentError {
  return new AgentError({
    code: 'agent.running',
    message: 'A real tool is connected; a trial would stop its recording.',
    hint: 'Start Epistream with another --data folder to try things beside it.',
  });
}

/** A tool is to be connected while one is. */
export function connectRefused(): AgentError {
  return new AgentError({
    code: 'agent.running',
    message: 'A tool is connected already.',
    hint: 'Edit the settings file to change what is recorded, then start again.',
  });
}
