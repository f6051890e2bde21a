// The key of the service, bound to the one address that it was given for. The caller names the address; for any other
// one there is no key. The first address is the one in the settings with which the program began: a person wrote both.
// Keys of former addresses stay in memory until the program ends, each for its address alone: what waits for a former
// service can go there.
import { AgentError } from '../model/agent-error.ts';
import type { ApiKeyStore } from './secrets.ts';

/** Scheme, host and port; null for the embedded service and for what is no address. */
const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null);

export class BoundKey {
  readonly #keys: ApiKeyStore;
  #origin: string | null = null;
  readonly #formerKeys = new Map<string, string>();

  constructor(keys: ApiKeyStore) {
    this.#keys = keys;
  }

  /** Scheme, host and port for which a key is kept; null: none is kept, or for no address yet. */
  get origin(): string | null {
    return this.#keys.read() === null ? null : this.#origin;
  }

  /** The key that is kept, whatever it is for: to keep it out of texts, never to send it. */
  get forHiding(): string | null {
    return this.#keys.read();
  }

  /** What the place of the key has to say to a person; empty: nothing. */
  get warning(): string {
    return this.#keys.warning ?? '';
  }

  /** Bind a kept key that is bound to no address yet; nothing happens to one that is. */
  begin(address: string): void {
    this.#origin ??= originOf(address);
  }

  /** Read the key for an address; null when none is known that may go there. */
  readFor(address: string): string | null {
    const origin = originOf(address);
    return origin !== null && origin === this.#origin ? this.#keys.read() : null;
  }

  /**
   * Keep a key that a person typed for an address.
   *
   * @returns what puts back the one before, where there was one.
   * @throws `key.malformed`.
   */
  async keep(key: string, address: string): Promise<() => Promise<void>> {
    const former = { key: this.#keys.read(), origin: this.#origin };
    await this.#keys.keep(key);
    this.#origin = originOf(address);
    if (former.origin !== null && former.key !== null) this.#formerKeys.set(former.origin, former.key);
    return async () => {
      if (former.key === null) return;
      await this.#keys.keep(former.key);
      this.#origin = former.origin;
    };
  }

  /** Read the key for a service that the settings no longer name; null when none is remembered. */
  readFormer(address: string): string | null {
    return this.readFor(address) ?? this.#formerKeys.get(originOf(address) ?? '') ?? null;
  }

  /** Remember a key for a service that the settings no longer name, until the program ends. */
  rememberFormer(key: string, address: string): void {
    const origin = originOf(address);
    if (origin !== null && origin !== this.#origin) this.#formerKeys.set(origin, key);
  }

  /**
   * Refuse to go on with the kept key at another address.
   *
   * @throws `key.other-address`. Nothing is wrong while no key is kept: the upload then asks for one.
   */
  expectFor(address: string): void {
    if (this.#keys.read() === null || originOf(address) === null || this.readFor(address) !== null) return;
    const { message, hint } = otherAddress(this.#origin);
    throw new AgentError({ code: 'key.other-address', message, hint, retry: 'after-human' });
  }
}

/**
 * Say why the kept key is not sent to an address that was asked for.
 *
 * @param origin - the one that it is for; null: none.
 */
export function otherAddress(origin: string | null): { message: string; hint: string } {
  const message = `The key that is kept goes to ${origin ?? 'the address that it was given for'} alone.`;
  return { message, hint: 'Type in the key of this service.' };
}
