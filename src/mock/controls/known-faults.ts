/**
 * The faults of a list of names, in the order in which they are known.
 * @throws TypeError with a sentence for the person who configured it.
 */
export function knownFaults<F extends string>(
  known: readonly F[],
  names: readonly string[],
): readonly F[] {
  const unknown = names.find((name) => !known.some((fault) => fault === name));
  if (unknown !== undefined) {
    throw new TypeError(`There is no fault "${unknown}". Faults: ${known.join(', ')}.`);
  }
  return known.filter((fault) => names.includes(fault));
}
