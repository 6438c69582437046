import { createMockProvider, type MockProviderOptions } from '../../../src/mock-provider/index.ts';
import { createMockService, type MockServiceOptions } from '../../../src/mock-service/index.ts';
import { SeededRandom } from '../../../src/runtime/fake.ts';
import { silentLog } from '../../../src/runtime/system.ts';
import { ScriptedUser } from '../../../src/user/scripted-user.ts';
import { openClaimPage, tryCode } from '../../../src/user/user-steps.ts';
import { type Machine, newMachine, type Run, type RunOptions, routeTo, runCli } from './run-cli.ts';

export const SERVICE = 'http://127.0.0.1:4800';
export const PROVIDER = 'http://127.0.0.1:4801';
export const ALICE = 'alice@example.com';

/** A machine on which a mock service answers, on the same clock. */
export async function machineWithService(
  options: Partial<MockServiceOptions> = {},
): Promise<Machine> {
  const machine = newMachine();
  const service = await createMockService({
    baseUrl: SERVICE,
    name: 'Test Service',
    clock: machine.clock,
    random: new SeededRandom(7),
    fetch: routeTo(machine.servers),
    log: silentLog,
    ...options,
  });
  machine.servers.set(SERVICE, service.fetch);
  return machine;
}

/** A machine on which a service and a provider answer that know each other. */
export async function machineWithBoth(
  options: {
    readonly provider?: Partial<MockProviderOptions>;
    readonly service?: Partial<MockServiceOptions>;
  } = {},
): Promise<Machine> {
  const machine = await machineWithService({
    trust: [{ issuer: PROVIDER, name: 'Test Provider' }],
    ...options.service,
  });
  const provider = await createMockProvider({
    baseUrl: PROVIDER,
    name: 'Test Provider',
    clock: machine.clock,
    random: new SeededRandom(9),
    fetch: routeTo(machine.servers),
    log: silentLog,
    ...options.provider,
  });
  machine.servers.set(PROVIDER, provider.fetch);
  return machine;
}

/** A shell on a machine: one line, split at spaces. */
export function shell(machine: Machine) {
  return (line: string, options: RunOptions = {}): Promise<Run> =>
    runCli(machine, line.split(' '), options);
}

/** The same, with a registration of each kind made first. */
export async function registered(...lines: readonly string[]) {
  const machine = await machineWithService();
  const run = shell(machine);
  for (const line of [`register ${SERVICE} --type anonymous`, ...lines]) await run(line);
  return { machine, run };
}

/** The code and the page that a command printed under `--json`. */
export function ceremonyOf(run: Run): { readonly code: string; readonly page: string } {
  const printed = run.json().find((each) => each['claim'] !== undefined)?.['claim'];
  if (typeof printed !== 'object' || printed === null) throw new Error('No claim was printed.');
  const { user_code, verification_uri } = printed as Record<string, unknown>;
  return { code: String(user_code), page: String(verification_uri) };
}

/** A user goes through the real pages; resolves to the status of the last one. */
export async function userApproves(
  machine: Machine,
  { code, page }: { readonly code: string; readonly page: string },
  decision: 'approve' | 'deny' = 'approve',
): Promise<number> {
  const user = new ScriptedUser(routeTo(machine.servers));
  const claimPage = await openClaimPage(user, page, ALICE);
  const end =
    decision === 'approve'
      ? await tryCode(user, claimPage, code)
      : await user.submit(claimPage, { user_code: '', decision });
  return end.status;
}

export function newUser(machine: Machine): ScriptedUser {
  return new ScriptedUser(routeTo(machine.servers));
}

/** The page and the code on a screen, once they are there. */
export function readScreen(text: string): { readonly page: string; readonly code: string } {
  return {
    page: text.match(/^http\S+\/(?:c|login|device|consent)\S*$/gm)?.at(-1) ?? '',
    code: [...text.matchAll(/^Code {2}(.+)$/gm)].at(-1)?.[1]?.replaceAll(' ', '') ?? '',
  };
}
