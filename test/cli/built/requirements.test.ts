import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRequirements } from '../../../src/conformance/index.ts';
import { DIST, isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

describe.runIf(isBuilt)('the requirements of the built program', () => {
  it('are those of fixtures/requirements, beside the chunk that reads them', () => {
    const chunks = join(DIST, 'chunks');
    const names = readdirSync(chunks).filter((name) => name.endsWith('.js'));
    const readers = names.filter((name) =>
      readFileSync(join(chunks, name), 'utf8').includes('./requirements.json'),
    );
    expect(readers).toHaveLength(1);
    const built = readFileSync(join(chunks, 'requirements.json'), 'utf8');
    expect(JSON.parse(built)).toEqual(readRequirements());
  });
});
