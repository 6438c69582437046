import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRequirements } from '../../../src/conformance/index.ts';
import { DIST, isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

describe.runIf(isBuilt)('the requirements of the built program', () => {
  it('are those of fixtures/requirements, beside the chunk that reads them', () => {
    const reader = readFileSync(join(DIST, 'chunks/read-requirements.js'), 'utf8');
    expect(reader).toContain('requirements.json');
    const built = readFileSync(join(DIST, 'chunks/requirements.json'), 'utf8');
    expect(JSON.parse(built)).toEqual(readRequirements());
  });
});
