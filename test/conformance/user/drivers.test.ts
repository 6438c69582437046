import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Catalog,
  judgeService,
  type MockTarget,
  readRequirements,
  SERVICE_SCENARIOS,
  startMockTarget,
} from '../../../src/conformance/index.ts';
import { CommandUser } from '../../../src/conformance/user/command-user.ts';
import { ManualUser } from '../../../src/conformance/user/manual-user.ts';
import type { ClaimTask, User } from '../../../src/conformance/user/user.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { startExpressDefaults } from '../services/express-defaults.ts';

const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };
const catalog = new Catalog(readRequirements());

const TASK: ClaimTask = {
  verificationUri: 'https://service.example/claim?token=abc',
  userCode: '123 456',
  email: 'alice@example.com',
  decision: 'approve',
};

/** Whether the claim of an anonymous registration is completed by the user. */
async function statusOfClaim(target: string, user?: User): Promise<string | undefined> {
  const results = await judgeService({
    ...ports,
    target,
    catalog,
    timeout: 5_000,
    scenarios: SERVICE_SCENARIOS.filter(({ id }) => id === 'anonymous'),
    selection: { only: ['anonymous.claimed'] },
    ...(user && { makeUser: () => user }),
  });
  return results[0]?.checks[0]?.status;
}

/** Somebody's own program, which signs in and types the code at the mock's pages. */
const program = () =>
  new CommandUser({
    command: [process.execPath, `${import.meta.dirname}/claiming-command.js`],
    env: { PATH: process.env['PATH'] },
  });

describe('a user', () => {
  let mock: MockTarget;
  beforeAll(async () => {
    mock = await startMockTarget({ ...ports, fetch: createSystemFetch() });
  });
  afterAll(() => mock.close());

  it('who reads forms completes a claim at the mock', async () => {
    expect(await statusOfClaim(mock.target)).toBe('pass');
  });

  it('who reads forms completes a sign-in of two unknown steps', async () => {
    const other = await startExpressDefaults();
    try {
      expect(await statusOfClaim(other.url)).toBe('pass');
    } finally {
      await other.close();
    }
  });

  it('at a terminal completes a claim at the mock', async () => {
    let shown: readonly string[] = [];
    const user = new ManualUser({
      terminal: {
        show: (lines) => {
          shown = lines;
        },
        done: async () => {
          const word = (name: string) =>
            new RegExp(`^  ${name} +(?:as )?(.+)$`, 'm').exec(shown.join('\n'))?.[1] ?? '';
          await program().claim({
            ...TASK,
            verificationUri: word('Open'),
            userCode: word('Code'),
            email: word('Sign in'),
          });
          return true;
        },
      },
    });
    expect(await statusOfClaim(mock.target, user)).toBe('pass');
  });

  it('behind a command completes a claim at the mock', async () => {
    expect(await statusOfClaim(mock.target, program())).toBe('pass');
  });
});

describe('a user at a terminal', () => {
  const shownFor = async (task: ClaimTask): Promise<string> => {
    let text = '';
    const terminal = {
      show: (lines: readonly string[]) => {
        text = lines.join('\n');
      },
      done: async () => true,
    };
    await new ManualUser({ terminal }).claim(task);
    return text;
  };

  it('is shown link, account and code', async () => {
    const text = await shownFor(TASK);
    expect(text).toContain(TASK.verificationUri);
    expect(text).toContain(TASK.userCode);
    expect(text).toContain(TASK.email);
  });

  it('is shown no code to type for a denial', async () => {
    expect(await shownFor({ ...TASK, decision: 'deny' })).not.toContain(TASK.userCode);
  });

  it('is shown no escape sequence that a service sent', async () => {
    const text = await shownFor({ ...TASK, userCode: '12\u001b]52;c;aGk=\u0007\u202e' });
    expect(text).toContain('12\\u{1b}]52;c;aGk=\\u{7}\\u{202e}');
  });

  it('who does not come back is not waited for any longer', async () => {
    const terminal = { show: () => {}, done: async () => false };
    await expect(new ManualUser({ terminal, within: 60_000 }).claim(TASK)).rejects.toThrow(
      'The user did not act within 60 seconds.',
    );
  });
});

describe('a command in place of the user', () => {
  const commandOf = (script: string, within?: number) =>
    new CommandUser({
      command: [process.execPath, '-e', script],
      env: {},
      ...(within !== undefined && { within }),
    });

  it('gets everything on stdin, and nothing in arguments or environment', async () => {
    const script = `
      let input = '';
      process.stdin.on('data', (text) => { input += text; });
      process.stdin.on('end', () => {
        const visible = process.argv.join() + Object.values(process.env).join();
        console.log(JSON.stringify({ ...JSON.parse(input), leaked: visible.includes('123 456') }));
      });`;
    const { text } = await commandOf(script).claim(TASK);
    expect(JSON.parse(text)).toEqual({
      schema: 'agent-auth.person/1',
      verification_uri: TASK.verificationUri,
      user_code: TASK.userCode,
      email: TASK.email,
      decision: 'approve',
      leaked: false,
    });
  });

  it.each<[what: string, script: string, within: number | undefined, message: string]>([
    ['fails', 'process.exit(3)', undefined, 'ended with 3'],
    ['takes too long', 'setInterval(() => {}, 1000)', 200, 'took too long'],
  ])('which %s did not do it', async (_what, script, within, message) => {
    await expect(commandOf(script, within).claim(TASK)).rejects.toThrow(message);
  });

  it('which is not there did not do it', async () => {
    const user = new CommandUser({ command: ['/no/such/command'], env: {} });
    await expect(user.claim(TASK)).rejects.toThrow('was not found');
  });

  it('may leave something running that keeps its output open', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      const left = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'inherit', detached: true });
      left.unref();
      console.log(left.pid);`;
    const { text } = await commandOf(script).claim(TASK);
    process.kill(Number(text));
  });

  it('which does not read its stdin may still have done it', async () => {
    await expect(commandOf('process.exit(0)').claim(TASK)).resolves.toMatchObject({ text: '' });
  });
});
