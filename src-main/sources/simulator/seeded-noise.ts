// Noise that is a function of seed, name and step: the same growth at the same moment has the same values, however it was
// reached, so a simulated tool can be stopped and taken up again anywhere.

/** Mix an integer (murmur3's finalizer); 32 bits. */
function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Make a source of noise.
 *
 * @param seed - a seed (integer) and a name.
 * @param name - so that each quantity has noise of its own.
 * @returns a function of a step (integer): normally distributed, mean 0, deviation 1.
 */
export function makeNoise(seed: number, name: string): (step: number) => number {
  let key = mix(seed + 0x9e3779b9);
  for (let i = 0; i < name.length; i++) key = mix(key ^ name.charCodeAt(i));
  return (step) => {
    const low = step % 2 ** 31;
    const high = Math.floor(step / 2 ** 31);
    const first = mix(mix(key ^ low) ^ high);
    const second = mix(first ^ 0x68bc21eb);
    // Box and Muller: two even numbers to one normal one; the first is kept above 0.
    const radius = Math.sqrt(-2 * Math.log((first + 1) / 4294967297));
    return radius * Math.cos((2 * Math.PI * second) / 4294967296);
  };
}

/**
 * Noise that wanders slowly: steps of `everyS` seconds joined smoothly.
 *
 * @returns a function of seconds.
 */
export function makeDrift(seed: number, name: string, everyS: number): (timeS: number) => number {
  const noise = makeNoise(seed, name);
  return (timeS) => {
    const place = timeS / everyS;
    const step = Math.floor(place);
    const part = place - step;
    const blend = part * part * (3 - 2 * part);
    return noise(step) * (1 - blend) + noise(step + 1) * blend;
  };
}
