import { describe, expect, it } from 'vitest';
import { Catalog, readRequirements } from '../../../src/conformance/index.ts';
import type { BuiltInFault, Wired } from '../../../src/mock/index.ts';
import { PROVIDER_FAULT_GROUPS, PROVIDER_FAULTS } from '../../../src/mock-provider/faults/index.ts';
import { SERVICE_FAULT_GROUPS, SERVICE_FAULTS } from '../../../src/mock-service/faults/index.ts';

type Faults = Readonly<Record<string, BuiltInFault<Wired>>>;

const requirements = readRequirements();
const catalog = new Catalog(requirements);

/** src/mock-service/faults/README.md says which prefix is for what. */
const NAME =
  /^(?:unavailable|(?:accepted|crashing|endless|exposed|extra|ignored|long|missing|no|racy|refused|repeated|shared|short|slow|stale|trusted|unchecked|unescaped|wrong)(?:[A-Z][a-z0-9]*)+)$/;

const MOCKS = [
  { mock: 'service', faults: SERVICE_FAULTS as unknown as Faults, groups: SERVICE_FAULT_GROUPS },
  { mock: 'provider', faults: PROVIDER_FAULTS as unknown as Faults, groups: PROVIDER_FAULT_GROUPS },
] as const;

describe.each(MOCKS)('a fault of the mock $mock', ({ faults, groups, mock }) => {
  const entries = Object.entries(faults);
  const failing = ({ fails }: BuiltInFault<Wired>) =>
    Object.entries(fails).flatMap(([scenario, checks]) =>
      checks.map((check) => `${scenario}.${check}`),
    );

  it('is named by the rule, at most 32 characters long', () => {
    const odd = entries.filter(([name]) => !NAME.test(name) || name.length > 32);
    expect(odd.map(([name]) => name)).toEqual([]);
  });

  it('says in one clause what an implementation with it does, and no two say the same', () => {
    const said = entries.map(([, { description }]) => description);
    expect(said.filter((text) => !/^[a-z`].{10,}[^.]$/s.test(text))).toEqual([]);
    expect(said.filter((text, at) => said.indexOf(text) !== at)).toEqual([]);
  });

  it('replaces something of the right mock', () => {
    const idle = entries.filter(
      ([, { answers, config, decisions, parts }]) => !(answers || config || decisions || parts),
    );
    expect(idle.map(([name]) => name)).toEqual([]);
  });

  it('breaks requirements that exist, and that bind this role', () => {
    const known = new Set(requirements.filter(({ role }) => role === mock).map(({ id }) => id));
    const unknown = entries.flatMap(([name, { breaks }]) =>
      breaks.filter((id) => !known.has(id)).map((id) => `${name}: ${id}`),
    );
    expect(unknown).toEqual([]);
    expect(entries.filter(([, { breaks }]) => breaks.length === 0)).toEqual([]);
  });

  it('breaks exactly what the checks that it fails are asked for by', () => {
    const differing = entries.filter(([name, fault]) => {
      const asked = new Set(failing(fault).flatMap((id) => catalog.basis(id)?.requirements ?? []));
      // A provider that is away is refused as a target before any check.
      if (name === 'unavailable' && asked.size === 0) return false;
      return [...asked].sort().join() !== [...fault.breaks].sort().join();
    });
    expect(differing.map(([name]) => name)).toEqual([]);
  });

  it('stands in one group, each of them', () => {
    const names = Object.values(groups).flatMap((group) => Object.keys(group));
    expect(names).toEqual(Object.keys(faults));
    expect(new Set(names).size).toBe(names.length);
  });

  it('needs no fault that does not exist', () => {
    const needed = entries.flatMap(([, { needs }]) => needs?.with ?? []);
    expect(needed.filter((name) => !Object.hasOwn(faults, name))).toEqual([]);
  });
});
