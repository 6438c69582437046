import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { CheckGroup } from './check.ts';
import { checkEnvironment } from './check-environment.ts';
import { checkNetwork } from './check-network.ts';
import { checkPlaces } from './check-places.ts';
import { checkProgram } from './check-program.ts';
import { checkService } from './check-service.ts';
import { presentDoctor } from './present-doctor.ts';

/** Looks at everything that a command relies on. Writes nothing, and signs in nowhere. */
export async function doctor(context: Context, url: string | undefined): Promise<Outcome> {
  const network = await checkNetwork(context);
  const groups: CheckGroup[] = [
    checkProgram(),
    await checkPlaces(context),
    checkEnvironment(context),
    network,
  ];
  if (network.proxyFor !== undefined) {
    groups.push(await checkService(context, url, network.proxyFor));
  }
  context.output.result(presentDoctor(groups));
  return outcomeOf(groups);
}

/** 7 when the network alone failed. */
function outcomeOf(groups: readonly CheckGroup[]): Outcome {
  const failures = groups.flatMap(({ checks }) => checks.filter(({ status }) => status === 'fail'));
  if (failures.length === 0) return 'done';
  return failures.every(({ outcome }) => outcome === 'network') ? 'network' : 'failed';
}
