// The settings that a run goes by now. They may change while it runs; a source that is ended for that still hands over what
// it had read, by the rule under which it ran.
import { isDeepStrictEqual } from 'node:util';
import type { Settings, SourceSettings } from '../../settings/settings.ts';

/** How the streams of a source are cut. */
type StreamRule = Settings['streamDefaults'];

export class SettingsInForce {
  #now: Settings;
  /** What each source runs by, or ran by last. */
  readonly #sources: Map<string, SourceSettings>;

  constructor(settings: Settings) {
    this.#now = settings;
    this.#sources = new Map(settings.sources.map((source) => [source.id, source]));
  }

  get now(): Settings {
    return this.#now;
  }

  /**
   * Say whether a run can go over to other settings without a stop: where nothing changed but sources, limits, alarms and what only a
   * later act looks at, and no counter of RHEED frames among the sources, whose sessions are open at the service.
   */
  canTake(settings: Settings): boolean {
    const standing = ({
      sources: _s,
      limits: _l,
      alarm: _m,
      updates: _u,
      growth: { after: _a, ...growth },
      ...rest
    }: Settings) => {
      return { ...rest, growth };
    };
    const counters = (of: Settings) => of.sources.filter(({ kind }) => kind === 'rheed');
    return (
      isDeepStrictEqual(standing(this.#now), standing(settings)) &&
      isDeepStrictEqual(counters(this.#now), counters(settings))
    );
  }

  take(settings: Settings): void {
    this.#now = settings;
  }

  /** A source begins to run by these. */
  begin(source: SourceSettings): void {
    this.#sources.set(source.id, source);
  }

  /** How the streams of a source are cut. */
  readonly ruleOf = (sourceId: string): StreamRule => this.#sources.get(sourceId) ?? this.#now.streamDefaults;
}
