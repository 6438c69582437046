import { machineWithService, SERVICE, shell } from './mocks.ts';
import type { Machine, Run } from './run-cli.ts';

/** A machine on which a service answers and nothing is registered. */
export async function newcomer(options: Parameters<typeof machineWithService>[0] = {}) {
  const machine = await machineWithService(options);
  return { machine, run: shell(machine) };
}

/** Runs something during the agent's next wait, once. */
export function inTheNextWait(machine: Machine, work: () => unknown): void {
  machine.onSleep = async () => {
    machine.onSleep = undefined;
    await work();
  };
}

/** The steps that were told under `--json`. */
export function stepsOf(run: Run): readonly unknown[] {
  return run.json().map((line) => line['step']);
}

/** The last line. */
export function summaryOf(run: Run): Record<string, unknown> {
  return run.json().at(-1) ?? {};
}

export function errorOf(run: Run): Record<string, unknown> {
  const { error } = summaryOf(run);
  if (typeof error !== 'object' || error === null) throw new Error('It did not fail.');
  return { ...error };
}

export async function registrations(machine: Machine) {
  const { services } = await machine.store.read();
  return services.flatMap(({ registrations }) => registrations);
}

/** A GET of the service that needs `api.write`. */
export function addReports(machine: Machine): void {
  const service = machine.servers.get(SERVICE);
  if (service === undefined) throw new Error('No service answers.');
  machine.servers.set(SERVICE, (request) => {
    if (new URL(request.url).pathname !== '/reports') return service(request);
    const { headers } = request;
    return service(new Request(`${SERVICE}/api/resource`, { method: 'POST', headers }));
  });
}
