import { describe, expect, it } from 'vitest';
import {
  ALL_SCENARIOS,
  Catalog,
  checkIds,
  GAINS,
  LEVELS,
  ROLES,
  readRequirements,
} from '../../../src/conformance/index.ts';

const requirements = readRequirements();

const isOfSpecification = (source: string) =>
  /^(agent-registration\.md|service-directory\.md|(directory )?specification), /.test(source);

/** Ids that occur more than once. */
function repeated(ids: readonly string[]): readonly string[] {
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}

describe('the requirements', () => {
  it('have an id each', () => {
    expect(requirements.length).toBeGreaterThan(600);
    expect(repeated(requirements.map(({ id }) => id))).toEqual([]);
  });

  it('bind the role that their id names', () => {
    const misnamed = requirements.filter(({ id, role }) => {
      const suffix = ROLES.find((each) => id.endsWith(`.${each}`));
      return suffix !== undefined && suffix !== role;
    });
    expect(misnamed).toEqual([]);
  });

  it('count a protected URL that opens without a token among the attacks: seen once, it stays', () => {
    const catalog = new Catalog(requirements);
    for (const check of ['challenge.open', 'bearer-errors.same-connection']) {
      expect(catalog.basis(check)).toMatchObject({
        section: 'attacks',
        attack: { gain: 'account' },
      });
    }
  });

  it('name no check twice', () => {
    const doubled = requirements.filter(({ checks = [] }) => repeated(checks).length > 0);
    expect(doubled.map(({ id }) => id)).toEqual([]);
  });

  it.each(ROLES)(
    'of the role %s are judged by a check or a rule, or give the reason why they cannot be tested',
    (role) => {
      const orphans = requirements.filter(
        (each) =>
          each.role === role &&
          each.untestable === undefined &&
          each.checks === undefined &&
          each.rules === undefined,
      );
      expect(orphans.map(({ id }) => id)).toEqual([]);
    },
  );

  it.each(ROLES)('of the role %s name checks of that role that exist', (role) => {
    const known = new Set(ALL_SCENARIOS[role].flatMap(checkIds));
    const unknown = requirements
      .filter((each) => each.role === role)
      .flatMap(({ id, checks = [] }) =>
        checks.filter((check) => !known.has(check)).map((check) => `${id}: ${check}`),
      );
    expect(unknown).toEqual([]);
  });

  it('say for every disagreement of the sources which reading is judged', () => {
    const judged = new Set(requirements.flatMap(({ clash }) => (clash ? [clash.id] : [])));
    const known = Array.from({ length: 16 }, (_, n) => `X-${String(n + 1).padStart(2, '0')}`);
    // X-12 is about texts of errors, which no standard asks for: nothing is judged of it.
    expect(known.filter((id) => !judged.has(id))).toEqual(['X-12']);
  });

  it('say of each attack what it brings whoever succeeds with it', () => {
    const silent = requirements.filter(
      ({ id, can }) => /^A-\d\d(\.\w+)?$/.test(id) && can === undefined,
    );
    expect(silent.map(({ id }) => id)).toEqual([]);
    expect(GAINS.filter((gain) => !requirements.some((each) => each.gain === gain))).toEqual([]);
  });

  it('rest on another text than our own wire contract, which others did not agree to', () => {
    const own = requirements.filter(({ sources }) =>
      sources.every((source) => source.startsWith('wire contract')),
    );
    // The endpoint of a provider that takes a consent back is in no other text.
    expect(own.map(({ id }) => id)).toEqual(['W9-27']);
  });

  it('are of every level', () => {
    expect(LEVELS.filter((level) => !requirements.some((each) => each.level === level))).toEqual(
      [],
    );
  });
});

describe('the checks', () => {
  it('are there, for each role', () => {
    expect(ROLES.filter((role) => ALL_SCENARIOS[role].length === 0)).toEqual([]);
  });

  it.each(ROLES)(
    'of the role %s are asked for by a requirement of that role, each of them',
    (role) => {
      const named = new Set(
        requirements.filter((each) => each.role === role).flatMap(({ checks = [] }) => checks),
      );
      expect(ALL_SCENARIOS[role].flatMap(checkIds).filter((id) => !named.has(id))).toEqual([]);
    },
  );

  it('have an id each, kebab-case, whoever is judged', () => {
    const ids = ROLES.flatMap((role) => ALL_SCENARIOS[role].flatMap(checkIds));
    expect(repeated(ids)).toEqual([]);
    expect(
      ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/.test(id)),
    ).toEqual([]);
  });

  it('have a sentence each, with no name of the code in it', () => {
    const sentences = ROLES.flatMap((role) =>
      ALL_SCENARIOS[role].flatMap(({ checks }) => Object.values(checks)),
    );
    expect(
      sentences.filter((each) => !/\.\)?$/.test(each) || /[a-z][A-Z]\w*\.\w/.test(each)),
    ).toEqual([]);
  });

  it('belong to scenarios with an id each', () => {
    const ids = ROLES.flatMap((role) => ALL_SCENARIOS[role].map(({ id }) => id));
    expect(repeated(ids)).toEqual([]);
  });

  it('of the section protocol judge a must that the specification shows', () => {
    const catalog = new Catalog(requirements);
    const rows = new Set(
      requirements
        .filter(({ level, sources }) => level === 'must' && sources.some(isOfSpecification))
        .map(({ id }) => id),
    );
    const protocol = catalog.checks.filter((check) => catalog.basis(check)?.section === 'protocol');
    expect(protocol.length).toBeGreaterThan(100);
    const more = protocol.filter(
      (check) => !catalog.basis(check)?.requirements.some((id) => rows.has(id)),
    );
    expect(more).toEqual([]);
  });

  it('have the level of the strongest requirement that they judge', () => {
    const catalog = new Catalog(requirements);
    const weakened = requirements.flatMap(({ id, level, checks = [] }) =>
      checks
        .filter((check) => {
          const own = catalog.basis(check)?.level;
          return own === undefined || LEVELS.indexOf(own) > LEVELS.indexOf(level);
        })
        .map((check) => `${id}: ${check}`),
    );
    expect(weakened).toEqual([]);
  });
});
