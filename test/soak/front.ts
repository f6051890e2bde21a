// The front of an instrument, where somebody sets its unit: what it tells of it, and what a reading is in it.

export interface FrontUnit {
  /** As the profile has it. */
  readonly unit: string;
  /** What the instrument answers when it is asked for it. */
  readonly told: string;
  /** A reading in the first unit, in this one. */
  readonly from: (inFirst: number) => number;
}

/** Three units at least: each turn is to one that the agent did not know last. */
export class Front {
  readonly name: string;
  readonly units: readonly FrontUnit[];
  turns = 0;
  #at = 0;

  constructor(name: string, units: readonly FrontUnit[]) {
    this.name = name;
    this.units = units;
  }

  get now(): FrontUnit {
    return this.units[this.#at] as FrontUnit;
  }

  /**
   * A number of a reading as this unit says it: its last digit is the unit's own, so that none is said under two units.
   *
   * @param inFirst - the reading in the first unit.
   * @param digits - how its digits are written.
   */
  write(inFirst: number, digits: (value: number) => { readonly number: string; readonly behind: string }): string {
    const { number, behind } = digits(this.now.from(inFirst));
    return `${number}${this.#at}${behind}`;
  }

  /**
   * Turn it to the next unit but the one that the agent knows: a unit that was changed and changed back before it was asked
   * for again cannot be noticed by anybody.
   */
  turn(known: string | undefined): void {
    do this.#at = (this.#at + 1) % this.units.length;
    while (this.now.unit === known);
    this.turns += 1;
  }
}

const same = (value: number) => value;

/** Of a Pfeiffer controller: what it answers to UNI. */
export const pressureFront = (name: string): Front =>
  new Front(name, [
    { unit: 'mbar', told: '0', from: same },
    { unit: 'Torr', told: '1', from: (mbar) => mbar / 1.333_224 },
    { unit: 'Pa', told: '2', from: (mbar) => mbar * 100 },
  ]);

/** Of a thermometer. */
export const temperatureFront = (name: string): Front =>
  new Front(name, [
    { unit: 'K', told: 'K', from: same },
    { unit: '°C', told: 'C', from: (kelvin) => kelvin - 273.15 },
    { unit: '°F', told: 'F', from: (kelvin) => kelvin * 1.8 - 459.67 },
  ]);
