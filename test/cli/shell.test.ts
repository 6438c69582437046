import { describe, expect, it } from 'vitest';
import { step } from '../support/step.ts';
import { newMachine, runCli } from './support/run-cli.ts';

const run = (line: string, options = {}) =>
  runCli(newMachine(), line.split(' ').filter(Boolean), options);

describe('help and version', () => {
  it('prints the version alone', async () => {
    const { code, stdout } = await run('--version');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('prints help on stdout and exits 0', async () => {
    const { code, stdout, stderr } = await run('--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage: agent-auth');
  });

  it.each([
    'discover',
    'register',
    'claim',
    'claim wait',
    'token',
    'call',
    'exec',
    'skill',
    'doctor',
    'completion',
    'status',
    'revoke',
    'forget',
    'provider login',
    'provider consent',
    'provider mint',
    'mock service',
    'mock provider',
    'mock up',
    'demo',
  ])('gives %s a help with an example', async (command) => {
    const { code, stdout } = await run(`help ${command}`);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: agent-auth ${command}`);
    expect(stdout).toMatch(/Examples?:\n {2}\$ agent-auth /);
  });

  it('prints the exit codes that it uses', async () => {
    const { stdout } = await run('help exit-codes');
    expect(stdout.match(/^\d+/gm)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      '126',
      '127',
      '128',
      '130',
    ]);
  });

  it('prints the environment that it reads', async () => {
    const { stdout } = await run('help environment');
    expect(stdout).toContain('AGENT_AUTH_SERVICE');
  });

  it('prints a topic as JSON too', async () => {
    const [json] = (await run('help exit-codes --json')).json();
    expect(json).toMatchObject({
      schema: 'agent-auth.exit-codes/1',
      exit_codes: expect.arrayContaining([
        { code: 8, outcome: 'pending', meaning: expect.any(String) },
      ]),
    });
  });

  it('exits 2 for a topic that there is not', async () => {
    expect(await run('help weather')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('wrong usage', () => {
  it.each([
    ['an unknown command', 'registr', 'Did you mean register?'],
    ['an unknown command of a group', 'mock uup', 'Did you mean up?'],
    ['an unknown option', 'register --tpye anonymous', 'Did you mean --type?'],
    [
      'an option like no other, its help once',
      'status --weather',
      "Unknown option '--weather'.\n  Next: agent-auth help status\n",
    ],
    [
      'an option that another command has, which named none',
      'connect https://service.example --new',
      "Unknown option '--new'.\n  It is an option of 'register'.\n  Next: agent-auth help register\n",
    ],
    [
      'an option of another command of the group first',
      'mock list --since 1',
      "It is an option of 'mock",
    ],
    [
      'an option that many others have',
      'status --email a@example.com',
      "It is an option of 'connect', 'register', 'claim' and 6 more.\n  Next: agent-auth help status\n",
    ],
    [
      'an http URL of another machine',
      'connect http://service.example --email a@example.com',
      'Next: agent-auth connect https://service.example --email a@example.com\n',
    ],
    [
      'a URL of another scheme, and not the line that just failed',
      'conformance service ftp://service.example',
      'it begins with neither https:// nor http://.\n  Next: agent-auth help conformance service\n',
    ],
    [
      'a container beside this one, with the page that helps and without https',
      'conformance service http://api:8080',
      'docs/test-in-ci.md says how.\n  Next: agent-auth help conformance service\n',
    ],
    ['a container by its IP', 'discover http://172.18.0.2:8080', 'docs/test-in-ci.md says how.'],
    ['a duration of nothing', 'claim wait --timeout 0s', 'It has to be longer than zero'],
    ['a value out of the list', 'register --type nobody', 'anonymous'],
    ['an argument too many', 'status now', 'Too many arguments'],
    ['a missing argument', 'call', "The argument 'url|path' is missing"],
    ['a value that is no duration', 'claim wait --timeout soon', '90s'],
    ['a value that is no port', 'mock up --port 70000', '65535'],
    ['a port without one after it', 'mock up --port 65535', "Invalid --port '65535'"],
    ['a URL with a password', 'mock up --db mysql://u:hush@h/db', "Invalid --db 'mysql://h/db'"],
    [
      'a flag with a value',
      'mock up --tls=yes',
      '--tls takes no value.\n  See: agent-auth help mock up\n  Next: agent-auth mock up --tls\n',
    ],
  ])('exits 2 for %s and says what is meant', async (_case, line, text) => {
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.toLowerCase()).toContain(text.toLowerCase());
  });

  it.each([
    ['registr --json', 'agent-auth register --json'],
    ['mock uup --json', 'agent-auth mock up --json'],
    ['up --json', 'agent-auth mock up --json'],
    ['claim wiat --json', 'agent-auth claim wait --json'],
    ['register --tpye anonymous --json', 'agent-auth register --type anonymous --json'],
    ['register --type anonymus --json', 'agent-auth register --type anonymous --json'],
    ['completion bahs --json', 'agent-auth completion bash --json'],
    ['help exitcodes --json', 'agent-auth help exit-codes'],
    ['help mock uup --json', 'agent-auth help mock up'],
    ['claim http://h --json', 'agent-auth claim --service http://h --json'],
    ['mock mails http://h --json', 'agent-auth mock mails --service http://h --json'],
  ])('a typo was told without the line that was meant: %s', async (line, meant) => {
    const { code, json } = await run(line);
    expect(code).toBe(2);
    expect(json()[0]).toMatchObject({
      error: { hint: expect.stringContaining('Did you mean '), next: step(meant), exit_code: 2 },
    });
  });

  it.each([
    'registr',
    'register --tpye',
    'register --type',
    'register --type nobody',
    'register --type=nobody',
    'completion csh',
    'status now',
    'call',
    'mock up --port x',
    'claim wait --timeout soon',
    'conformance agent --seed x -- true',
    'conformance agent --watch -- true',
    'conformance agent --port 4777 -- true',
  ])("the parser's own wording was shown: %s", async (line) => {
    const { code, stderr, stdout } = await run(line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(
      /error:|is invalid|command-argument|argument missing|Expected \d|missing required/i,
    );
    expect(stderr).toContain('Next: agent-auth ');
  });

  it('a line with a secret in it is not repeated as the next one', async () => {
    const { json } = await run('regster --assertion eyJhbGciOiJub25lIn0 --json');
    expect(json()[0]).toMatchObject({ error: { next: step('agent-auth help') } });
  });

  it.each(['', 'mock', 'provider'])(
    'prints help on stderr for the bare group "%s"',
    async (line) => {
      const { code, stdout, stderr } = await run(line);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`Usage: agent-auth ${line}`);
    },
  );

  it('reports it as one JSON object under --json, and nothing on stderr', async () => {
    const { code, stderr, json } = await run('registr --json');
    expect([code, stderr]).toEqual([2, '']);
    expect(json()).toEqual([
      {
        schema: 'agent-auth.error/1',
        error: {
          code: 'usage',
          message: "Unknown command 'registr'.",
          hint: 'Did you mean register?',
          next: step('agent-auth register --json'),
          retryable: false,
          exit_code: 2,
        },
      },
    ]);
  });

  it('reports a bare group as JSON under --json', async () => {
    const { code, stderr, json } = await run('mock --json');
    expect([code, stderr]).toEqual([2, '']);
    expect(json()[0]).toMatchObject({ error: { message: 'A command is missing.' } });
  });
});
