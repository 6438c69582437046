import { describe, expect, it } from 'vitest';
import { projectFields, slugOf } from '../../scripts/package/repository.js';
import { MANIFEST } from './project.ts';

describe('where the project lives', () => {
  it('is one place: homepage and bugs of package.json follow from repository', () => {
    expect(MANIFEST).toMatchObject(projectFields(MANIFEST));
  });

  it.each([{}, { repository: { url: 'https://example.com/me/it' } }])(
    'is unknown in %j',
    (manifest) => {
      expect(() => slugOf(manifest)).toThrow('set repository');
    },
  );
});
