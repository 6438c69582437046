import { beforeEach, describe, expect, it } from 'vitest';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { RuntimeFiles } from '../../../src/cli/shell/runtime-files.ts';
import { testFolder } from '../../support/test-folder.ts';
import { machineWithService, SERVICE, shell } from '../support/mocks.ts';
import { newMachine } from '../support/run-cli.ts';

const TOKEN = 'ctl_for-tests-alone-0123456789';

let home: string;
beforeEach(() => {
  home = testFolder();
});

/** A mock of this machine that can be controlled, with one registration of an agent. */
async function registeredMock() {
  const machine = await machineWithService({ control: { token: TOKEN } });
  const run = shell(machine);
  const [printed] = (await run(`register ${SERVICE} --type anonymous --json`)).json();
  const { registration } = printed as { registration: { registration_id: string } };
  const environment = readEnvironment(
    { XDG_RUNTIME_DIR: home },
    { platform: 'linux', inContainer: () => false },
  );
  new RuntimeFiles(environment).write({
    ...{ pid: process.pid, started: 1, service: SERVICE, provider: null, ca: null },
    control: { token: TOKEN, service: SERVICE, provider: null },
  });
  const ask = (line: string) => run(`__complete ${line} reg_`, { env: { XDG_RUNTIME_DIR: home } });
  return { machine, ask, id: registration.registration_id };
}

describe('what the completion scripts ask for', () => {
  it.each(['use', 'mock list'])('is a line for each registration, for %s', async (list) => {
    const { ask, id } = await registeredMock();
    expect(await ask(list)).toMatchObject({ code: 0, stdout: `${id}\t\n`, stderr: '' });
  });

  it.each<[what: string, answer: () => Response | Promise<Response>]>([
    ['is gone', () => Promise.reject(new Error('refused'))],
    ['answers no JSON', () => new Response('<html>')],
    [
      'lists what a shell would run',
      () =>
        Response.json({
          registrations: [{ registration_id: '$(reboot)' }, { registration_id: 'a b' }],
        }),
    ],
  ])('is nothing where the mock %s', async (_what, answer) => {
    const { ask, machine } = await registeredMock();
    machine.servers.set(SERVICE, answer);
    expect(await ask('mock list')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it.each(['use', 'mock list', 'nothing'])(
    'is nothing, without an error, where nothing is known of %s',
    async (list) => {
      const run = shell(newMachine());
      expect(await run(`__complete ${list} reg_`)).toMatchObject({
        code: 0,
        stdout: '',
        stderr: '',
      });
    },
  );
});
