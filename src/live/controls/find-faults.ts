import type { LiveParty } from '../../mock/live/model.ts';

type Fault = LiveParty['faults'][number];

/** Those that have each of the words in their name or description; what is on comes first. */
export function findFaults(faults: readonly Fault[], text: string): readonly Fault[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = faults.filter(({ description, name }) => {
    const searched = `${name} ${name.replaceAll('-', ' ')} ${description}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  return [...found.filter(({ on }) => on), ...found.filter(({ on }) => !on)];
}

/** The names that are on after one was switched. */
export function switched(faults: readonly Fault[], name: string, on: boolean): readonly string[] {
  return faults.filter((each) => (each.name === name ? on : each.on)).map((each) => each.name);
}
