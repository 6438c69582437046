import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/protocol/durations.ts';
import { otherThan, ReadBackMock } from '../../support/read-back-mock.ts';
import { step } from '../../support/step.ts';
import { ALICE, registered, SERVICE, shell } from '../support/mocks.ts';
import { INTERRUPT, newMachine, type Run } from '../support/run-cli.ts';

const claim = `claim --email ${ALICE}`;

async function serviceAlone(
  dialect: 'nested' | 'first',
  metadata: Parameters<typeof ReadBackMock.start>[0]['metadata'] = {},
) {
  const machine = newMachine();
  const { clock } = machine;
  const service = await ReadBackMock.start({ baseUrl: SERVICE, dialect, clock, metadata });
  machine.servers.set(SERVICE, service.fetch);
  return { machine, service };
}

/** A registration at a service whose user reads the code back. */
async function registeredAt(dialect: 'nested' | 'first', type = '--type anonymous') {
  const { machine, service } = await serviceAlone(dialect);
  const run = shell(machine);
  const first = await run(`register ${SERVICE} ${type} --json`);
  return { machine, run, service, first };
}

/** The page that a command printed under `--json`. */
function pageOf(run: Run): string {
  const printed = run.json()[0]?.['claim'];
  return String((printed as Record<string, unknown>)['verification_uri']);
}

describe('a claim whose page shows the code', () => {
  it('says what the user does, and how to hand the code in, where nobody can be asked', async () => {
    const { run } = await registeredAt('nested');
    const { code, json } = await run(`${claim} --json`);
    expect(code).toBe(8);
    expect(json()).toMatchObject([
      {
        schema: 'agent-auth.claim/1',
        status: 'pending',
        claim: {
          kind: 'read_back',
          user_code: null,
          mailed_to: null,
          interval: null,
          expires_in: 600,
        },
        next: step('agent-auth claim --code CODE'),
      },
    ]);
  });

  it.each(['claim', 'claim --no-wait', 'claim wait'])(
    'prints the page and the next line as text with `%s`, sends no code, and exits 8',
    async (line) => {
      const { run } = await registeredAt('nested');
      await run(`${claim} --no-wait`);
      const { code, stdout } = await run(line);
      expect(code).toBe(8);
      expect(stdout).toContain(`${SERVICE}/c/cat_`);
      expect(stdout).toContain('Next: agent-auth claim --code CODE');
    },
  );

  it('asks at a terminal, again before the user confirmed, and ends claimed', async () => {
    const { run, service } = await registeredAt('nested');
    const page = pageOf(await run(`${claim} --no-wait --json`));
    const code = await service.confirm();
    const done = await run('claim', { tty: true, answers: [code] });
    expect(done.code).toBe(0);
    expect(done.stderr).toContain(page);
    expect(done.asked).toEqual(['Code from the page:']);
    expect(done.stdout).toContain(`Claimed by ${ALICE}.`);
    expect((await run('call /api/resource')).stdout).toContain(`"email":"${ALICE}"`);
  });

  it('opens the page by Enter alone, and draws no QR code of this machine', async () => {
    const { run, service } = await registeredAt('nested');
    const page = pageOf(await run(`${claim} --no-wait --json`));
    const code = await service.confirm();
    const done = await run('claim', {
      tty: true,
      answers: ['', 'q', ` ${code.slice(0, 3)} ${code.slice(3)}`],
    });
    expect([done.code, done.opened]).toEqual([0, [page]]);
    expect(done.stderr).toContain('No QR code');
  });
});

describe('a claim whose code is mailed', () => {
  it('says whom the mail went to, asks for the code, and keeps the API key', async () => {
    const { run, service, first } = await registeredAt('first');
    expect(first.code).toBe(0);
    await run(`${claim} --no-wait`);
    const done = await run('claim', { tty: true, answers: [await service.mailed()] });
    expect(done.code).toBe(0);
    expect(done.stderr).toContain(`A code was mailed to ${ALICE}: type it here.`);
    expect(done.asked).toEqual(['Code from the mail:']);
    expect((await run('call /api/resource')).stdout).toContain(`"email":"${ALICE}"`);
  });

  it('takes the code as an argument and from stdin, and succeeds again', async () => {
    for (const how of ['argument', 'stdin']) {
      const { run, service } = await registeredAt('first');
      await run(`${claim} --no-wait`);
      const code = await service.mailed();
      const done =
        how === 'argument'
          ? await run(`claim --code ${code} --json`)
          : await run('claim --code - --json', { stdin: `${code}\n` });
      expect(done.code).toBe(0);
      expect(done.json()).toMatchObject([{ schema: 'agent-auth.claim/1', status: 'claimed' }]);
      const again = await run(`claim --code ${code}`);
      expect([again.code, again.stderr]).toEqual([
        0,
        'It is claimed already, so the code was not used.\n',
      ]);
    }
  });

  it('waits for it after a registration by email, and says so in JSON', async () => {
    const { first, service, run } = await registeredAt('first', `--email ${ALICE}`);
    expect(first.code).toBe(8);
    expect(first.json()).toMatchObject([
      {
        status: 'pending',
        claim: { kind: 'read_back', user_code: null, verification_uri: null, mailed_to: ALICE },
        next: step('agent-auth claim --code CODE'),
      },
    ]);
    expect((await run('status --json')).json()).toMatchObject([
      { next: step('agent-auth claim --code CODE') },
    ]);
    expect((await run('token')).stderr).toContain('Next: agent-auth claim --code CODE');
    expect((await run(`claim --code ${await service.mailed()}`)).code).toBe(0);
  });
});

describe('a code that is not taken', () => {
  it('is asked for again, and ends with the tries', async () => {
    const { run, service } = await registeredAt('nested');
    await run(`${claim} --no-wait --json`);
    const code = await service.confirm();
    const wrong = otherThan(code);
    const done = await run('claim', { tty: true, answers: [wrong, wrong, code] });
    expect(done.code).toBe(0);
    expect(done.stderr).toContain('That is not the code. 4 tries are left.');
    expect(done.stderr).toContain('That is not the code. 3 tries are left.');
  });

  it('is replaced, if the user at the terminal agrees, once the tries are used up', async () => {
    const { run, service } = await registeredAt('nested');
    await run(`${claim} --no-wait --json`);
    const wrong = otherThan(await service.confirm());
    const answers = [wrong, wrong, wrong, wrong, wrong, false];
    const done = await run('claim', { tty: true, answers });
    expect(done.code).toBe(6);
    expect(done.stderr).toContain('there are no tries left');
    expect(done.asked.at(-1)).toBe('The code has expired. Get a new one?');
  });

  it('exits 5 as an argument, says how many tries are left, and never repeats it', async () => {
    const { run, service } = await registeredAt('nested');
    await run(`${claim} --no-wait --json`);
    const wrong = otherThan(await service.confirm());
    const { code, stdout, json } = await run(`claim --code ${wrong} --json`);
    expect(code).toBe(5);
    expect(json()).toMatchObject([
      {
        error: {
          code: 'invalid_user_code',
          message: 'That is not the code. 4 tries are left.',
          next: step('agent-auth claim --code CODE'),
          retryable: false,
        },
        attempts_remaining: 4,
        claim: { kind: 'read_back' },
      },
    ]);
    expect(stdout).not.toContain(wrong);
    for (const _left of [3, 2, 1]) await run(`claim --code ${wrong}`);
    const last = await run(`claim --code ${wrong}`);
    expect(last.code).toBe(6);
    expect(last.stderr).toContain('Next: agent-auth claim');
    expect(last.stderr).not.toContain(wrong);
  });

  it('is handed in again by Enter alone, once the user has confirmed', async () => {
    const { machine, run, service } = await registeredAt('nested');
    await run(`${claim} --no-wait --json`);
    const code = await service.confirm();
    let answers = 0;
    machine.servers.set(SERVICE, async (request) => {
      if (!request.url.endsWith('/complete') || answers > 0) return service.fetch(request);
      answers += 1;
      return Response.json({ error: 'claim_not_confirmed' }, { status: 409 });
    });
    const done = await run('claim', { tty: true, answers: [code, ''] });
    expect([done.code, answers]).toEqual([0, 1]);
    expect(done.stderr).toContain('Not confirmed yet.');
  });

  it('exits 8 as an argument before the user has confirmed: the code counts later', async () => {
    const { run, service } = await registeredAt('nested');
    await run(`${claim} --no-wait --json`);
    const early = await run('claim --code 123456 --json');
    expect(early.code).toBe(8);
    expect(early.json()).toMatchObject([
      { error: { code: 'claim_not_confirmed', retryable: true, exit_code: 8 } },
    ]);
    expect((await run(`claim --code ${await service.confirm()}`)).code).toBe(0);
  });

  it('has expired: another one is offered, and the old one ends with exit 6', async () => {
    const { machine, run, service } = await registeredAt('nested');
    const page = pageOf(await run(`${claim} --no-wait --json`));
    const code = await service.confirm();
    machine.clock.advance(10 * MINUTE);
    const late = await run(`claim --code ${code}`);
    expect(late.code).toBe(6);
    expect(late.stderr).toContain('Next: agent-auth claim');
    expect(await run('claim --no-wait').then(({ stdout }) => stdout)).not.toContain(page);
  });

  it('was denied on the page: exit 5, and only --renew asks again', async () => {
    const { run, service } = await registeredAt('nested');
    await run(`${claim} --no-wait --json`);
    await service.deny();
    const { code, stderr } = await run('claim --code 123456');
    expect(code).toBe(5);
    expect(stderr).toContain('Next: agent-auth claim --renew');
    expect((await run('claim', { tty: true })).code).toBe(5);
    expect((await run('claim --renew --no-wait')).code).toBe(8);
  });

  it.each(['', '--', 'ü', 'x'.repeat(65)])(
    'is refused before anything is sent: %j',
    async (typed) => {
      const { run } = await registeredAt('nested');
      await run(`${claim} --no-wait`);
      const { code } = await run('claim --code -', { stdin: typed });
      expect(code).toBe(2);
    },
  );
});

describe('Ctrl-C at the question', () => {
  it('keeps the claim, says how to go on, and exits 130', async () => {
    const { run, service } = await registeredAt('nested');
    await run(`${claim} --no-wait --json`);
    const { code, stderr } = await run('claim', { tty: true, answers: [INTERRUPT] });
    expect(code).toBe(130);
    expect(stderr).toContain('The claim stays open.');
    expect(stderr).toContain('Next: agent-auth claim --code CODE');
    expect((await run(`claim --code ${await service.confirm()}`)).code).toBe(0);
  });
});

describe('--code', () => {
  it('is refused where the user types the code on a page, with the reason', async () => {
    const { run } = await registered(`${claim} --no-wait`);
    const { code, stderr } = await run('claim --code 123456');
    expect(code).toBe(2);
    expect(stderr).toContain('The user types this code on its page');
    expect(stderr).toContain('Next: agent-auth claim wait');
  });

  it.each(['--email bob@example.com', '--renew', '--no-wait'])(
    'takes no %s beside it: exit 2',
    async (flag) => {
      const { run } = await registered();
      const { code, stderr } = await run(`claim --code 123456 ${flag}`);
      expect(code).toBe(2);
      expect(stderr).toContain(flag.split(' ')[0]);
      expect(stderr).not.toContain('123456');
    },
  );

  it('does not go with claim wait', async () => {
    const { run } = await registered();
    expect((await run('claim wait --code 123456')).code).toBe(2);
  });
});

describe('connect', () => {
  it('asks for the code at a terminal, goes on to the call, and proves the token', async () => {
    const { machine, service } = await serviceAlone('nested');
    const run = shell(machine);
    const line = `connect ${SERVICE} --email ${ALICE} --call /api/resource`;
    const first = await run(`${line} --no-wait --json`);
    expect(first.code).toBe(8);
    expect(first.json().at(-1)).toMatchObject({
      step: 'summary',
      status: 'pending',
      next: step('agent-auth claim --code CODE'),
      others: [step(line.replace('connect', 'agent-auth connect'))],
    });
    const code = await service.confirm();
    const done = await run(line, { tty: true, answers: ['000000', code] });
    expect(done.code).toBe(0);
    expect(done.asked).toHaveLength(2);
    expect(done.stdout).toContain('GET /api/resource answered 200.');
  });
});

describe('status and doctor', () => {
  it('show the dialect, the refresh token and what the claim waits for', async () => {
    const { run, service } = await registeredAt('nested', `--email ${ALICE}`);
    const waiting = await run('status');
    expect(waiting.stdout).toContain('the code that the page shows to its user');
    expect(waiting.stdout).toContain('Next: agent-auth claim --code CODE');
    const doctor = await run('doctor --json');
    expect(JSON.stringify(doctor.json())).toContain('"claim_kind":"read_back"');
    await run('claim --no-wait --json');
    await run(`claim --code ${await service.confirm()}`);
    const { stdout } = await run('status');
    expect(stdout).toMatch(/dialect +nested/);
    expect(stdout).toMatch(/refresh until +2026-01-31/);
    expect((await run('doctor')).stdout).toContain(
      'Its dialect is nested, renewed by a refresh token.',
    );
  });

  it('show that the registration itself gave its credential', async () => {
    const { run } = await registeredAt('first');
    expect((await run('register')).stdout).toMatch(/dialect +first\n +calls with +the credential/);
    expect((await run('status')).stdout).toMatch(/calls with +the credential of the registration/);
    expect((await run('status --json')).json()).toMatchObject([
      { services: [{ registrations: [{ dialect: 'first', direct: true, header: null }] }] },
    ]);
    expect((await run('doctor')).stdout).toContain('which gave its credential itself');
  });
});

describe('a service whose documents leave two dialects open', () => {
  const line = `connect ${SERVICE} --email ${ALICE} --no-wait --json`;

  it('is asked about once: --dialect settles it, and nobody says it again', async () => {
    const { machine, service } = await serviceAlone('nested', {
      agent_auth: { register_uri: `${SERVICE}/agent/auth` },
    });
    const run = shell(machine);
    const open = await run(line);
    expect(open.code).not.toBe(8);
    expect(open.json()).toMatchObject([{ error: { code: 'dialect_missing' } }]);
    const settled = await run(`${line} --dialect nested`);
    expect(settled.code).toBe(8);
    expect(settled.json().at(-1)).toMatchObject({
      others: [step(`agent-auth connect ${SERVICE} --email ${ALICE} --dialect nested`)],
    });
    const again = await run(line);
    expect(again.code).toBe(8);
    await run('claim --no-wait --json');
    expect((await run(`claim --code ${await service.confirm()}`)).code).toBe(0);
    expect((await run(`register ${SERVICE} --email ${ALICE}`)).stdout).toContain('Already');
  });

  it('keeps members and dialect in the line that goes on', async () => {
    const { machine } = await serviceAlone('nested');
    const run = shell(machine);
    const { json } = await run(`${line} --member client_id=example --member=source=test`);
    expect(json().at(-1)).toMatchObject({
      registration: { members: { client_id: 'example', source: 'test' } },
      others: [
        step(
          `agent-auth connect ${SERVICE} --email ${ALICE} --member client_id=example --member source=test`,
        ),
      ],
    });
  });
});
