import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../../../src/conformance/index.ts';
import { testFolder } from '../../support/test-folder.ts';
import { type Judged, judgedMachine } from '../support/judged.ts';

let folder: string;
let judged: Judged;
beforeEach(async () => {
  folder = testFolder();
  judged = await judgedMachine();
});
afterEach(() => judged.close());

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const ONLY = '--only anonymous.claimed,id-jag.taken,wrong-account.not-claimed';

const ACCOUNTS = `- email: alice@example.com
  password: correct horse
  notes: the first one
- email: bob@example.com
  password: wrong pony
`;

const CLEO = '- email: cleo@example.com\n  password: purple\n';

describe('a run with --accounts', () => {
  it('judges what its users can do', async () => {
    const { target } = await judged.start();
    const { code, stdout } = await judged.run(
      `conformance service ${target} ${ONLY} --patience 0s --accounts ${write('accounts.yaml', `${ACCOUNTS}${CLEO}`)}`,
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('3 passed')]);
  });

  it('says how many more it needs', async () => {
    const { target } = await judged.start();
    const { code, stdout } = await judged.run(
      `conformance service ${target} ${ONLY} --accounts ${write('accounts.yaml', ACCOUNTS)}`,
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 passed, 1 skipped')]);
    expect(stdout).toContain('This needs 3 users, and --accounts names 2 who can sign in');
  });

  it('gives a command the password on its stdin, and shows it nowhere', async () => {
    const { target } = await judged.start();
    const script = write(
      'user.mjs',
      `let text = '';
for await (const part of process.stdin) text += part;
const { email, notes, password } = JSON.parse(text);
const isRight = email === 'bob@example.com' || (password === 'correct horse' && notes === 'the first one');
console.log('typed ' + password);
process.exitCode = isRight && !process.argv.join().includes(password) ? 0 : 5;`,
    );
    const run = await judged.run(
      `conformance service ${target} --only anonymous.claimed --json --accounts ${write('accounts.yaml', ACCOUNTS)} --user command --user-command`,
      {},
      `${process.execPath} '${script}'`,
    );
    // The command did not type the code: the claim is open still.
    expect(run.stdout).toContain('anonymous.claimed');
    expect(run.stdout).not.toContain('ended with 5');
    expect(run.stdout + run.stderr).not.toContain('correct horse');
  });

  it.each([
    ['what is no list', 'email: alice@example.com\npassword: correct horse', 'bad_accounts'],
    ['another member', '- email: a@b.c\n  passwort: correct horse', 'bad_accounts'],
  ])('refuses %s, and quotes no password', async (_what, text, error) => {
    const path = write('accounts.yaml', text);
    const { code, json, stdout } = await judged.run(
      `conformance service --mock --json --accounts ${path}`,
    );
    expect(code).toBe(2);
    expect(json()).toMatchObject([{ error: { code: error } }]);
    expect(stdout).not.toContain('horse');
  });

  it('takes no --email beside it', async () => {
    const { code, stderr } = await judged.run(
      `conformance service --mock --email a@example.com --accounts ${write('a.yaml', ACCOUNTS)}`,
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('leave --email out')]);
  });

  it.each(['nomail', 'a@example.com,b', 'a b@example.com'])('refuses --email %j', async (email) => {
    const line = 'conformance service --mock --email';
    const { code, stderr } = await judged.run(line, {}, email);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Name an email.')]);
  });

  it('may be a list of emails', async () => {
    const { target } = await judged.start();
    const { code, stdout } = await judged.run(
      `conformance service ${target} ${ONLY} --email a@example.com,b@example.com --email c-{n}@example.com`,
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('3 passed')]);
  });
});

describe('the line that says again', () => {
  it.each([
    ['ignoredRevocation', 'revocation'],
    ['uncheckedUserCode', 'wrong-codes'],
  ] as const)('fails the same check when it is typed: %s', async (fault, scenario) => {
    const { target } = await judged.start([fault]);
    const line = `conformance service ${target} --email u{n}@example.com`;
    const before = await judged.run(`${line} --json --only ${scenario} --patience 0s`);
    const [cause] = (before.json() as unknown as Report[])[0]?.causes ?? [];
    const typed = cause?.repeat?.replace(/^agent-auth /, '').replaceAll("'", '') ?? '';
    expect(typed).toContain(`${line} --patience 0s --only ${cause?.checks[0]}`);
    const again = await judged.run(`${typed} --json`);
    expect((again.json() as unknown as Report[])[0]?.causes[0]?.checks).toContain(cause?.checks[0]);
  });
});

it.each(['--basline=known.yaml', '--nope', 'word'])(
  'judges no agent with what is no option before its command: %s',
  async (word) => {
    const { code, stderr } = await judged.run(`conformance agent ${word} -- node --version`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`'${word}' is none`)]);
  },
);

describe('a command that is not there', () => {
  it.each([['--user command --user-command'], ['--mail-command'], ['--mint-command']])(
    'is refused before the run: %s',
    async (flags) => {
      const { code, json } = await judged.run(
        `conformance service http://127.0.0.1:9 --json ${flags} no-such-program-anywhere`,
      );
      expect(code).toBe(2);
      expect(json()).toMatchObject([{ error: { code: 'command_missing' } }]);
    },
  );

  it('or cannot be run is told apart', async () => {
    const { stderr } = await judged.run(
      `conformance service http://127.0.0.1:9 --mail-command ${write('mail.sh', '#!/bin/sh\n')}`,
    );
    expect(stderr).toContain('mail.sh is not executable');
  });
});

describe('the service of AGENT_AUTH_SERVICE', () => {
  it('is judged where no URL was typed', async () => {
    const { target } = await judged.start();
    const env = { AGENT_AUTH_SERVICE: target };
    const { code, stderr } = await judged.run('conformance service --only anonymous.claimed', {
      env,
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Judging ${target}`)]);
  });

  it('does not matter beside --mock', async () => {
    const env = { AGENT_AUTH_SERVICE: 'http://127.0.0.1:9' };
    const run = await judged.run('conformance service --mock --only anonymous.claimed', { env });
    expect(run.code).toBe(0);
  });

  it('is linted where nothing was typed', async () => {
    const { target } = await judged.start();
    const { code, stdout } = await judged.run('lint', { env: { AGENT_AUTH_SERVICE: target } });
    expect([code, stdout]).toEqual([0, expect.stringContaining(target)]);
    const without = await judged.run('lint');
    expect([without.code, without.stderr]).toEqual([
      2,
      expect.stringContaining('Nothing was named.'),
    ]);
  });
});
