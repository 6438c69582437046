import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home, isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

/** A line in a Node in which this ran first. */
async function after(script: string, line: string) {
  const first = `--import=data:text/javascript,${encodeURIComponent(script)}`;
  const program = home.start(line, { NODE_OPTIONS: first });
  program.child.stdin.end();
  return { code: await program.ended, stderr: program.stderr };
}

/** As `npm install --omit=optional` leaves it, and a lock file of another system. */
const WITHOUT_COMPILED_LIBSQL = `
  import Module from 'node:module';
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function (name, ...more) {
    if (!name.startsWith('@libsql/')) return resolve.call(this, name, ...more);
    throw Object.assign(new Error('Cannot find module ' + name), { code: 'MODULE_NOT_FOUND' });
  };`;

describe.runIf(isBuilt)('the built program', () => {
  it.each([
    'demo',
    'mock up --port 0',
    'conformance service --mock',
    'conformance provider --mock',
  ])('says what to type, and no stack, where SQLite is not installed: %s', async (line) => {
    expect(await after(WITHOUT_COMPILED_LIBSQL, line)).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^✗ SQLite cannot be loaded; type: npm install --include=optional\. [^\n]+\n$/,
      ),
    });
  });

  it('names the Node that it needs where this one is too old to load it', async () => {
    expect(await after('delete process.getBuiltinModule', 'status')).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^✗ [^\n]+ is too old; install one of \^20\.19\.0 [^\n]+\n$/),
    });
  });

  it('prints its version', async () => {
    expect(await home.run('--version')).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });

  it('exits 2 for wrong usage', async () => {
    expect(await home.run('registr')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "✗ Unknown command 'registr'.\n  Did you mean register?\n  Next: agent-auth register\n",
    });
  });

  it('plays the demo', async () => {
    const { code, stdout, stderr } = await home.run('demo');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Summary');
  });

  it('is quiet when its reader leaves early', async () => {
    const program = home.start('demo');
    program.child.stdout.destroy();
    expect([await program.ended, program.stderr]).toEqual([0, '']);
  });

  it('registers at a mock of another process, found without being named', async () => {
    const mock = home.start('mock up --port 0 --json');
    await mock.until(/"ready"/);
    expect((await home.run('register --type anonymous')).code).toBe(0);
    const { code, stdout } = await home.run('call /api/resource');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { scope: 'api.read' }]);
    const status = await home.run('status');
    expect(status.stdout).toContain(join(home.folder, 'home', 'credentials.json'));

    const piped = await home.run('register --assertion - --json', 'no jwt');
    expect([piped.code, JSON.parse(piped.stdout)]).toMatchObject([
      2,
      { error: { code: 'not_an_id_jag' } },
    ]);

    mock.child.kill('SIGTERM');
    expect(await mock.ended).toBe(0);
    expect((await home.run('call /api/resource')).code).toBe(7);
  });

  it('keeps a claim that is interrupted, exits 130, and resumes it', async () => {
    const mock = home.start('mock service --port 0 --json');
    await mock.until(/"ready"/);
    await home.run('register');
    const claim = home.start('claim --email alice@example.com');
    await claim.until(/Waiting for alice/);
    claim.child.kill('SIGINT');
    expect(await claim.ended).toBe(130);
    expect(claim.stderr).toContain('Next: agent-auth claim wait');
    const again = await home.run('claim --no-wait --json');
    const code = /^Code {2}(\d{3}) (\d{3})$/m.exec(claim.stderr);
    expect(JSON.parse(again.stdout)).toMatchObject({
      claim: { user_code: `${code?.[1]}${code?.[2]}` },
    });
  });
});
