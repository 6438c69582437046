import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/protocol/durations.ts';
import { step } from '../../support/step.ts';
import { ALICE, ceremonyOf, registered, SERVICE, userApproves } from '../support/mocks.ts';
import type { Machine } from '../support/run-cli.ts';

const claim = `claim --email ${ALICE}`;

/** Runs something during the agent's next wait, once. */
function inTheNextWait(machine: Machine, work: () => Promise<unknown>): void {
  machine.onSleep = async () => {
    machine.onSleep = undefined;
    await work();
  };
}

describe('claim', () => {
  it('ended without a next step, and refused --email without a value', async () => {
    const { machine, run } = await registered();
    const refused = await run('claim --email --no-wait --json');
    expect(refused.code).toBe(2);
    expect(refused.json()).toMatchObject([
      {
        error: {
          code: 'answer_missing',
          next: step('agent-auth claim --no-wait --json --email EMAIL'),
        },
      },
    ]);
    const user = { tty: true, answers: [ALICE] };
    const { asked } = await run('claim --email --no-wait', user);
    expect(asked).toEqual(['Email address of the user:']);
    const open = ceremonyOf(await run(`${claim} --no-wait --json`));
    await userApproves(machine, open);
    expect((await run('claim wait')).stdout).toContain('  Next: agent-auth call /PATH  (use it)');
  });

  it('waited at a service that lists no claim grant, and took the code away', async () => {
    const { machine, run } = await registered();
    const usual = machine.servers.get(SERVICE);
    machine.servers.set(SERVICE, async (request) => {
      const answer = (await usual?.(request)) ?? Response.error();
      if (!request.url.endsWith('/.well-known/oauth-authorization-server')) return answer;
      return Response.json({ ...Object(await answer.json()), grant_types_supported: [] });
    });
    const { code, stdout, stderr } = await run(claim);
    expect([code, stderr]).toEqual([8, expect.stringContaining('lists no claim grant')]);
    expect(stdout).toMatch(/Code {2}\d{3} \d{3}\n/);
    expect(stdout).toContain('  Next: agent-auth token --renew\n');
  });

  it('shows the screen, waits for the user at the real pages, and ends claimed', async () => {
    const { machine, run } = await registered();
    const open = ceremonyOf(await run(`${claim} --no-wait --json`));
    inTheNextWait(machine, () => userApproves(machine, open));
    const { code, stdout, stderr } = await run('claim');
    expect(code).toBe(0);
    expect(stdout).toContain(`Claimed by ${ALICE}.`);
    expect(stdout).toContain('api.read api.write');
    expect(stderr).toContain(open.page);
  });

  it('is done at once when it was claimed before, and refused for somebody else', async () => {
    const { machine, run } = await registered();
    await userApproves(machine, ceremonyOf(await run(`${claim} --no-wait --json`)));
    await run('claim wait');
    expect((await run(claim)).code).toBe(0);
    expect((await run('claim')).code).toBe(0);
    expect((await run('claim --email bob@example.com')).code).toBe(5);
  });

  it('gives the token that writes', async () => {
    const { machine, run } = await registered();
    expect((await run('call /api/resource -X POST')).code).toBe(5);
    await userApproves(machine, ceremonyOf(await run(`${claim} --no-wait --json`)));
    await run('claim wait');
    expect((await run('call /api/resource -X POST')).code).toBe(0);
  });

  it('prints the code first and the result after the wait under --json', async () => {
    const { machine, run } = await registered();
    const open = ceremonyOf(await run(`${claim} --no-wait --json`));
    inTheNextWait(machine, () => userApproves(machine, open));
    const { code, stderr, json } = await run('claim --json');
    expect([code, stderr]).toEqual([0, '']);
    expect(json()).toMatchObject([
      { schema: 'agent-auth.claim/1', status: 'pending', claim: { user_code: open.code } },
      {
        schema: 'agent-auth.claim/1',
        status: 'claimed',
        registration: { claimed: true, email: ALICE },
        token: { scopes: ['api.read', 'api.write'] },
        next: step('agent-auth call /PATH'),
      },
    ]);
  });

  it('asks for the email at a terminal', async () => {
    const { run } = await registered();
    const { code, asked } = await run('claim --no-wait', { tty: true, answers: [ALICE] });
    expect([code, asked]).toEqual([8, ['Email address of the user:']]);
  });

  it('names --email where nobody can be asked', async () => {
    const { run } = await registered();
    const { code, stderr } = await run('claim');
    expect(code).toBe(2);
    expect(stderr).toContain('--email');
  });

  it('resumes the open attempt, and --renew opens another', async () => {
    const { run } = await registered();
    const first = ceremonyOf(await run(`${claim} --no-wait --json`));
    expect(ceremonyOf(await run('claim --no-wait --json'))).toEqual(first);
    expect(ceremonyOf(await run('claim --renew --no-wait --json')).page).not.toBe(first.page);
  });

  it('exits 5 when the user refuses, and says how to ask again', async () => {
    const { machine, run } = await registered();
    const open = ceremonyOf(await run(`${claim} --no-wait --json`));
    inTheNextWait(machine, () => userApproves(machine, open, 'deny'));
    const { code, stderr } = await run('claim');
    expect(code).toBe(5);
    expect(stderr).toContain('The user denied the claim.');
    expect(stderr).toContain('Next: agent-auth claim --renew');
  });

  it.each(['claim', 'claim --email alice@example.com', 'claim wait', 'claim --no-wait'])(
    'says to `%s` that the user refused before, and asks no user again',
    async (again) => {
      const { machine, run } = await registered();
      const open = ceremonyOf(await run(`${claim} --no-wait --json`));
      await userApproves(machine, open, 'deny');
      expect((await run('claim wait')).code).toBe(5);
      const { code, stdout, stderr } = await run(again);
      expect([code, stdout]).toEqual([5, '']);
      expect(stderr).toContain('The user denied the claim.');
      expect((await run('claim --renew --no-wait')).code).toBe(8);
    },
  );

  it('exits 4 on an empty machine', async () => {
    const { run } = await registered('forget');
    expect((await run('claim')).code).toBe(4);
  });
});

describe('a code that expired', () => {
  const lunch = async () => {
    const { machine, run } = await registered(`${claim} --no-wait`);
    inTheNextWait(machine, async () => machine.clock.advance(10 * MINUTE));
    return { machine, run };
  };

  it('exits 6 without a terminal and names the command', async () => {
    const { run } = await lunch();
    const { code, json } = await run('claim wait --json');
    expect(code).toBe(6);
    expect(json()).toEqual([
      {
        schema: 'agent-auth.error/1',
        error: {
          code: 'attempt_expired',
          message: expect.any(String),
          hint: null,
          next: step('agent-auth claim'),
          retryable: false,
          exit_code: 6,
        },
        registration_id: expect.stringMatching(/^reg_/),
      },
    ]);
  });

  it('is replaced when the user at the terminal agrees', async () => {
    const { machine, run } = await lunch();
    const goToLunch = machine.onSleep;
    machine.onSleep = async (ms) => {
      await goToLunch?.(ms);
      machine.onSleep = async () => {
        machine.onSleep = undefined;
        await userApproves(machine, ceremonyOf(await run('claim --no-wait --json')));
      };
    };
    const { code, asked, stderr } = await run('claim', { tty: true, answers: [true] });
    expect([code, asked]).toEqual([0, ['The code has expired. Get a new one?']]);
    expect(stderr.match(/^Code /gm)).toHaveLength(2);
  });

  it('stays over when the user does not agree: exit 6', async () => {
    const { run } = await lunch();
    expect((await run('claim', { tty: true, answers: [false] })).code).toBe(6);
  });

  it('is replaced without asking under --yes', async () => {
    const { machine, run } = await lunch();
    const goToLunch = machine.onSleep;
    machine.onSleep = async (ms) => {
      await goToLunch?.(ms);
      inTheNextWait(machine, async () =>
        userApproves(machine, ceremonyOf(await run('claim --no-wait --json'))),
      );
    };
    const { code, asked } = await run('claim --yes');
    expect([code, asked]).toEqual([0, []]);
  });

  it('exits 6 for the whole registration once the outer window has expired', async () => {
    const { machine, run } = await registered(`${claim} --no-wait`);
    machine.clock.advance(24 * 60 * MINUTE);
    const { code, stderr } = await run('claim wait');
    expect(code).toBe(6);
    expect(stderr).toContain('Next: agent-auth register');
  });
});

describe('claim wait', () => {
  it('exits 8 when its time is over first, and says how to go on', async () => {
    const { run } = await registered(`${claim} --no-wait`);
    const { code, json } = await run('claim wait --timeout 60s --json');
    expect(code).toBe(8);
    expect(json()).toMatchObject([
      { status: 'pending', claim: { expires_in: 540 }, next: step('agent-auth claim wait') },
    ]);
  });

  it.each(['--email bob@example.com', '--renew', '--no-wait'])(
    'exits 2 for %s, which belongs to claim, on either side of wait',
    async (flag) => {
      const { run } = await registered(`${claim} --no-wait`);
      for (const line of [`claim wait ${flag}`, `claim ${flag} wait`]) {
        const { code, stderr } = await run(line);
        expect(code).toBe(2);
        expect(stderr).toContain(flag.split(' ')[0]);
      }
    },
  );

  it('opens the browser as --browser says', async () => {
    const { run } = await registered(`${claim} --no-wait`);
    const { opened } = await run('claim wait --browser always --timeout 10s', { tty: true });
    expect(opened).toHaveLength(1);
  });

  it('says when no claim was opened', async () => {
    const { run } = await registered();
    const { code, stderr } = await run('claim wait');
    expect(code).toBe(1);
    expect(stderr).toContain('Next: agent-auth claim --email EMAIL');
  });

  it('ends well when the claim was collected already', async () => {
    const { machine, run } = await registered();
    await userApproves(machine, ceremonyOf(await run(`${claim} --no-wait --json`)));
    await run('claim wait');
    expect((await run('claim wait')).code).toBe(0);
  });

  it('tells a connection that is lost once, and that it is back', async () => {
    const { machine, run } = await registered(`${claim} --no-wait`);
    const [[origin, service] = []] = [...machine.servers];
    if (origin === undefined || service === undefined) throw new Error('no service');
    let waits = 0;
    machine.onSleep = () => {
      waits += 1;
      if (waits === 1) machine.servers.delete(origin);
      if (waits === 3) machine.servers.set(origin, service);
    };
    const { stderr } = await run('claim wait --timeout 5m');
    expect(stderr.match(/No answer from the server/g)).toHaveLength(1);
    expect(stderr.match(/The server answers again/g)).toHaveLength(1);
  });

  it('says at its end that no poll was answered, which it told as a user who had not acted', async () => {
    const { machine, run } = await registered(`${claim} --no-wait`);
    const silent = () => {
      machine.servers.clear();
    };
    const service = new Map(machine.servers);
    machine.onSleep = silent;
    const { code, stdout } = await run('claim wait --timeout 20s');
    expect(code).toBe(8);
    expect(stdout).toContain(
      'The service did not answer the last 2 polls, so it is not known whether the user has acted.',
    );
    for (const [origin, serve] of service) machine.servers.set(origin, serve);
    const { json } = await run('claim wait --timeout 20s --json');
    expect(json()[0]).toMatchObject({
      status: 'pending',
      unanswered: { polls: 2, status: null },
      next: step('agent-auth claim wait'),
    });
  });
});

describe('Ctrl-C', () => {
  it('keeps the claim, says how to resume and exits 130', async () => {
    const { machine, run } = await registered(`${claim} --no-wait`);
    let stop = () => {};
    machine.onSleep = () => stop();
    const { code, stderr } = await run('claim', {
      meanwhile: (live) => {
        stop = live.stop;
      },
    });
    expect(code).toBe(130);
    expect(stderr).toContain('The claim stays open.');
    expect(stderr).toContain('Next: agent-auth claim wait');
    machine.onSleep = undefined;
    expect((await run('claim wait --timeout 10s')).code).toBe(8);
  });

  it('at the keyboard of the screen does the same', async () => {
    const { machine, run } = await registered(`${claim} --no-wait`);
    let type = (_key: string) => {};
    machine.onSleep = async () => {
      type('\u0003');
      await new Promise((resolve) => setImmediate(resolve));
    };
    const { code, stderr } = await run('claim', {
      tty: true,
      meanwhile: ({ stdin }) => {
        type = (key) => stdin.write(key);
      },
    });
    expect(code).toBe(130);
    expect(stderr).toContain('The claim stays open.');
  });
});
