import { describe, expect, it } from 'vitest';
import { notesOf, problemsOf, released } from '../../scripts/release/sections.js';

const HEAD = '# Changelog\n\nWhat changed.\n\n';
const OLD = '## 0.1.0 - 2026-01-02\n\n### Added\n\n- the first.\n';
const READY = `${HEAD}## Unreleased\n\n${OLD}`;
const WITH_ENTRIES = `${HEAD}## Unreleased\n\n### Added\n\n- costs $& and $1.\n\n${OLD}`;

describe('a release', () => {
  it('makes what was to come a version of that day', () => {
    const changelog = released(WITH_ENTRIES, '0.2.0', '2026-03-04');
    expect(changelog).toBe(
      `${HEAD}## Unreleased\n\n## 0.2.0 - 2026-03-04\n\n### Added\n\n- costs $& and $1.\n\n${OLD}`,
    );
    expect(problemsOf(changelog, '0.2.0')).toEqual([]);
    expect(notesOf(changelog, '0.2.0')).toBe('### Added\n\n- costs $& and $1.');
  });

  it('gives the first release, which has a heading of its own, its day', () => {
    const changelog = released(
      `${HEAD}## 0.1.0, the first release\n\n- it.\n`,
      '0.1.0',
      '2026-03-04',
    );
    expect(changelog).toBe(`${HEAD}## Unreleased\n\n## 0.1.0 - 2026-03-04\n\n- it.\n`);
    expect(problemsOf(changelog, '0.1.0')).toEqual([]);
  });

  it.each([
    ['a version that is there', WITH_ENTRIES, '0.1.0', '2026-03-04', 'has a section of 0.1.0'],
    ['no entries', READY, '0.2.0', '2026-03-04', 'has no entries'],
    ['no part for what is to come', `${HEAD}${OLD}`, '0.2.0', '2026-03-04', 'has no entries'],
    ['what is no version', WITH_ENTRIES, 'v0.2.0', '2026-03-04', 'no version'],
    ['what npm does not publish so', WITH_ENTRIES, '0.2.0-rc.1', '2026-03-04', 'no version'],
    ['no version at all', WITH_ENTRIES, '', '2026-03-04', 'Name a version'],
    ['what is no day', WITH_ENTRIES, '0.2.0', 'today', 'no day'],
  ])('refuses %s', (_, changelog, version, day, message) => {
    expect(() => released(changelog, version, day)).toThrow(message);
  });

  it('is right with entries of its own and nothing to come', () => {
    expect(problemsOf(READY, '0.1.0')).toEqual([]);
    expect(notesOf(READY, '0.1.0')).toBe('### Added\n\n- the first.');
  });

  it('is wrong as a pre-release, before anything is published', () => {
    const changelog = `${HEAD}## Unreleased\n\n## 0.2.0-rc.1 - 2026-03-04\n\n- it.\n`;
    expect(problemsOf(changelog, '0.2.0-rc.1')).toEqual([
      '0.2.0-rc.1 is no version, such as 1.2.3.',
    ]);
  });

  it.each([
    ['entries that are to come', WITH_ENTRIES, '0.1.0', 'has entries in "## Unreleased"'],
    ['no section', READY, '0.2.0', 'has no section "## 0.2.0 - '],
    ['a section without a day', `${READY}\n## 0.0.9\n\n- it.\n`, '0.0.9', 'has no section'],
    ['a section without entries', `${READY}\n## 0.0.9 - 2026-01-01\n`, '0.0.9', 'says nothing of'],
  ])('is wrong with %s', (_, changelog, version, message) => {
    expect(problemsOf(changelog, version)).toEqual([expect.stringContaining(message)]);
  });
});
