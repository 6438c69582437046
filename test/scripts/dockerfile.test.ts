import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDockerfile } from '../../scripts/docker/read-dockerfile.js';

describe('the reader of the Dockerfile', () => {
  it('takes continued lines, flags and the JSON form, and leaves out comments', () => {
    const [copy, run, command] = readDockerfile(
      '# a comment\nCOPY --from=build /a \\\n  /b\nRUN echo "# none"\nCMD ["a b", "c"]\n',
    );
    expect(copy).toMatchObject({ flags: { from: 'build' }, words: ['/a', '/b'] });
    expect(run?.rest).toBe('echo "# none"');
    expect(command).toMatchObject({ words: ['a b', 'c'], isJson: true });
  });

  it('refuses an instruction that the steps would leave out', () => {
    expect(() => readDockerfile('FROM a\nVOLUME /data\n')).toThrow('VOLUME');
  });
});

describe('the Dockerfile', () => {
  const all = readDockerfile(readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8'));
  const last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
  const of = (name: string) => last.filter((each) => each.name === name);

  it('has a last stage of nothing but what another one made, for a user without rights', () => {
    expect(all.filter(({ name }) => name === 'FROM')).toHaveLength(2);
    expect(of('COPY').map(({ flags }) => flags['from'])).toEqual(of('COPY').map(() => 'build'));
    expect(of('RUN')).toEqual([]);
    expect(of('USER').map(({ rest }) => rest)).toEqual(['node']);
  });

  it('is checked and run by node itself, so that signals reach it and no other program is needed', () => {
    const programs = [...of('HEALTHCHECK'), ...of('ENTRYPOINT')];
    expect(programs.map(({ isJson, words }) => [isJson, words[0]])).toEqual([
      [true, 'node'],
      [true, 'node'],
    ]);
  });
});
