import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { Home, isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

describe.runIf(isBuilt)('the built program', () => {
  let home: Home;
  beforeEach(() => {
    home = new Home();
  });
  afterEach(() => home.remove());

  it('hands in a mailed code, as an argument that leaves the list of processes', async ({
    skip,
  }) => {
    const mock = home.start('mock service --dialect first --port 0 --json');
    await mock.until(/"ready"/);
    const registered = await home.run('register --email alice@example.com --json');
    expect([registered.code, JSON.parse(registered.stdout)]).toMatchObject([
      8,
      { claim: { kind: 'read_back', mailed_to: 'alice@example.com' } },
    ]);
    const { mails } = JSON.parse((await home.run('mock mails --json')).stdout);
    if (process.platform !== 'linux')
      skip('only Linux shows the words of another process as files');
    const claim = home.start('claim --code -');
    await until(() => {
      const words = readFileSync(`/proc/${claim.child.pid}/cmdline`, 'utf8');
      return words.startsWith('agent-auth') && !words.includes('--code');
    });
    claim.child.stdin.end(`${mails[0].user_code}\n`);
    expect([await claim.ended, claim.stderr]).toEqual([0, '']);
    expect((await home.run(`claim --code ${mails[0].user_code}`)).code).toBe(0);
    const { code, stdout } = await home.run('call /api/resource');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { scope: 'api.read api.write' }]);
  });
});
