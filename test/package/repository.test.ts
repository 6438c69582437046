import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { moved, projectFields, slugOf } from '../../scripts/package/repository.js';
import { LIMITED } from '../support/limited.ts';
import { MANIFEST, ROOT } from './project.ts';

describe('where the project lives', () => {
  it('is one place: homepage and bugs of package.json follow from repository', () => {
    expect(MANIFEST).toMatchObject(projectFields(MANIFEST));
  });

  it('moves with all three fields, each where it stood', () => {
    const there = moved(
      { name: 'a', repository: {}, homepage: '', bugs: '', license: 'MIT' },
      'me/it',
    );
    expect(Object.keys(there)).toEqual(['name', 'repository', 'homepage', 'bugs', 'license']);
    expect(there).toMatchObject({
      repository: { type: 'git', url: 'git+https://github.com/me/it.git' },
      homepage: 'https://github.com/me/it#readme',
      bugs: 'https://github.com/me/it/issues',
    });
  });

  it.each(['me', 'me/it/more', 'me/it it', 'https://github.com/me/it', ''])(
    'is no such place as %j',
    (slug) => {
      expect(() => moved({}, slug)).toThrow('is not OWNER/NAME');
    },
  );

  it.each([{}, { repository: { url: 'https://example.com/me/it' } }])(
    'is unknown in %j',
    (manifest) => {
      expect(() => slugOf(manifest)).toThrow('npm run repository -- OWNER/NAME');
    },
  );

  it('refuses a release from elsewhere, and names the command that moves it', () => {
    const ask = (slug: string) =>
      spawnSync(process.execPath, [join(ROOT, 'scripts/package/move.js'), '--is', slug], {
        ...LIMITED,
        encoding: 'utf8',
      });
    expect(ask(slugOf(MANIFEST)).status).toBe(0);
    const { status, stderr } = ask('somebody/fork');
    expect(status).toBe(1);
    expect(stderr).toContain('npm run repository -- somebody/fork');
  });
});
