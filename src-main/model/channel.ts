/** A named series with a unit from one source, as the source declares it. */
export interface ChannelDeclaration {
  /** 1 to 255 characters, unique within its source. */
  readonly name: string;
  /** What is measured: `temperature`, `pressure`, `flux`, ...; empty when not known. */
  readonly quantity: string;
  /** Unit as the instrument or log states it (`Torr`, `°C`); empty when not known or none. */
  readonly unit: string;
  /** Where the values come from: file and column, or instrument, port and address. */
  readonly origin: string;
  /** Milliseconds between two points, when declared; null when not known or logged on change. */
  readonly expectedIntervalMs: number | null;
}

/** Longest channel name that the service takes, characters. Source: public documentation of the service. */
export const CHANNEL_NAME_MAX = 255;

/** The limits of a channel; null: none of this level. */
export interface ChannelLimit {
  readonly sourceId: string;
  readonly channel: string;
  readonly hihi: number | null;
  readonly hi: number | null;
  readonly lo: number | null;
  readonly lolo: number | null;
  /** A value is within again only this far inside of the limit, in the unit of the channel; 0 or more. */
  readonly deadband: number;
  /** For so long without a break a value is beyond, or within again, before that counts, milliseconds. */
  readonly onDelayMs: number;
  readonly offDelayMs: number;
  /** False: only while a growth is under way. */
  readonly isAlways: boolean;
  /** What a person does then. */
  readonly guidance: string;
}
