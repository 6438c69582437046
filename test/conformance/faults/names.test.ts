import { describe, expect, it } from 'vitest';
import { PROVIDER_FAULTS, type ProviderFault } from '../../../src/mock-provider/index.ts';
import { SERVICE_FAULTS, type ServiceFault } from '../../../src/mock-service/index.ts';
import type { Proof } from './proven-fault.ts';
import { PROVEN_PROVIDER_FAULTS } from './provider-faults/index.ts';
import { PROVIDER_PROOFS } from './provider-proofs.ts';
import { PROVEN_SERVICE_FAULTS } from './service-faults/index.ts';
import { SERVICE_PROOFS } from './service-proofs.ts';

/** src/mock-service/faults/README.md says which prefix is for what. */
const NAME =
  /^(?:unavailable|(?:accepted|crashing|endless|exposed|extra|ignored|long|missing|no|racy|refused|repeated|shared|short|slow|stale|trusted|unchecked|unescaped|wrong)(?:[A-Z][a-z0-9]*)+)$/;

type Groups<F> = Readonly<Record<string, Readonly<Record<string, F>>>>;

const MOCKS: readonly {
  readonly mock: string;
  readonly faults: Readonly<Record<string, ServiceFault | ProviderFault>>;
  readonly proven: Groups<(ServiceFault | ProviderFault) & Proof>;
  readonly proofs: Groups<Proof>;
}[] = [
  {
    mock: 'service',
    faults: SERVICE_FAULTS,
    proven: PROVEN_SERVICE_FAULTS,
    proofs: SERVICE_PROOFS,
  },
  {
    mock: 'provider',
    faults: PROVIDER_FAULTS,
    proven: PROVEN_PROVIDER_FAULTS,
    proofs: PROVIDER_PROOFS,
  },
];

describe.each(MOCKS)('a fault of the mock $mock', ({ faults, proofs, proven }) => {
  const named = Object.entries(faults);
  const others = Object.values(proven).flatMap((group) => Object.entries(group));
  const entries = [...named, ...others];

  it('is named by the rule, at most 32 characters long, and no two alike', () => {
    const names = entries.map(([name]) => name);
    expect(names.filter((name) => !NAME.test(name) || name.length > 32)).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
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

  it('has its proof, each of those that are asked for by name', () => {
    const proved = Object.values(proofs).flatMap((group) => Object.keys(group));
    expect(proved.sort()).toEqual(named.map(([name]) => name).sort());
  });

  it('needs no fault that does not exist', () => {
    const known = new Set(entries.map(([name]) => name));
    const all = [...Object.values(proofs), ...Object.values(proven)];
    const needed = all.flatMap((group) =>
      Object.values(group).flatMap(({ needs }) => needs?.with ?? []),
    );
    expect(needed.filter((name) => !known.has(name))).toEqual([]);
  });
});
