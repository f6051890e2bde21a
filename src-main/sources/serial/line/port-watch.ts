// Notices that the device behind an open port is gone, whatever the library says. A device that goes away during a read gives
// "0 bytes" from then on, on Linux: the binding reads again at once, for ever, and reports nothing. On Windows the library's
// "close" may never come (node-serialport #2351), and a driver may keep its closing for ever.
//
// The rule: a sign that once said "it is there" is believed when it says otherwise. One that never said so cannot tell on this
// system and is not asked again; one that fails says nothing. A sign is asked again only after it has answered: one that never
// answers holds one thread of the process and stops nobody.

/** Something that can tell whether a device is there. */
export interface PortSign {
  /** From an answer to the next question, milliseconds. */
  readonly everyMs: number;
  /** Whether the device is there; rejects where that could not be learnt this time. */
  isThere(): Promise<boolean>;
}

/**
 * Watch an open port.
 *
 * @param signs what is asked; the first time at once, while the device is there.
 * @param onGone called once, when a sign that could tell says that the device is gone.
 * @returns ends the watch; may be called again.
 */
export function watchPort(signs: readonly PortSign[], onGone: () => void): () => void {
  const timers = new Set<NodeJS.Timeout>();
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    for (const timer of timers) clearTimeout(timer);
  };
  const askLater = (sign: PortSign) => {
    if (hasEnded) return;
    const timer = setTimeout(async () => {
      timers.delete(timer);
      const isThere = await sign.isThere().catch(() => true);
      if (isThere) askLater(sign);
      else if (!hasEnded) {
        end();
        onGone();
      }
    }, sign.everyMs);
    timers.add(timer);
  };
  for (const sign of signs)
    void sign.isThere().then(
      (isThere) => isThere && askLater(sign),
      // It cannot tell here.
      () => undefined,
    );
  return end;
}
