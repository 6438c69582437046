import { PROVIDER_FAULTS, type ProviderFault } from '../../../src/mock-provider/index.ts';
import { SERVICE_FAULTS, type ServiceFault } from '../../../src/mock-service/index.ts';
import { PROVEN_PROVIDER_FAULTS } from './provider-faults/index.ts';
import { PROVEN_SERVICE_FAULTS } from './service-faults/index.ts';

/** As the option `faults` of a mock takes them: by name those that it knows, the others whole. */
export function serviceFaults(names: readonly string[]): readonly (string | ServiceFault)[] {
  return named<ServiceFault>(names, SERVICE_FAULTS, PROVEN_SERVICE_FAULTS);
}

/** As the option `faults` of a mock takes them: by name those that it knows, the others whole. */
export function providerFaults(names: readonly string[]): readonly (string | ProviderFault)[] {
  return named<ProviderFault>(names, PROVIDER_FAULTS, PROVEN_PROVIDER_FAULTS);
}

function named<F extends object>(
  names: readonly string[],
  known: Readonly<Record<string, F>>,
  groups: Readonly<Record<string, Readonly<Record<string, F>>>>,
): readonly (string | F)[] {
  const others = new Map(Object.values(groups).flatMap((group) => Object.entries(group)));
  return names.map((name) => {
    const fault = others.get(name);
    if (fault !== undefined) return { ...fault, name };
    if (Object.hasOwn(known, name)) return name;
    throw new TypeError(`There is no fault "${name}".`);
  });
}
