import { AgentError } from '../../agent/agent-error.ts';
import type { UseOutcome } from '../../agent/outcomes.ts';
import { covers } from '../../protocol/urls.ts';
import { kindOf, knownRegistrations } from '../prompts/known-registrations.ts';
import { type OpenAgent, openAgent } from '../prompts/open-agent.ts';
import { namedService } from '../prompts/service.ts';
import { type CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { explain } from '../shell/explain.ts';
import { nextLine, nextText } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { backText, insteadOf, previousJson, registrationJson } from './registration-lines.ts';

/**
 * The registration on this machine that the user chooses; only of `--service` where that is given.
 * `undefined`: there is no choice, or no user who can be asked.
 * @param begins what its id begins with; '' for any.
 */
async function chooseRegistration(
  context: Context,
  { agent }: OpenAgent,
  begins: string,
): Promise<string | undefined> {
  if (!context.canAsk) return undefined;
  const service = namedService(context, undefined, { environment: false });
  const isThere = (resource: string) => service === undefined || covers(resource, service);
  const known = knownRegistrations(await agent.status()).filter(
    ({ id, resource }) => id.startsWith(begins) && isThere(resource),
  );
  if (known.length < 2) return undefined;
  const choices = known.map(({ id, line }) => ({ value: id, name: line }));
  return context.world.ask.select('Which registration?', choices);
}

/** Calls `work` with `id`; where that is the beginning of several ids, with the one that the user chooses. */
export async function orChosen<T>(
  context: Context,
  opened: OpenAgent,
  id: string | undefined,
  work: (id: string | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await work(id);
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'registration_ambiguous') throw error;
    const chosen = await chooseRegistration(context, opened, id ?? '');
    if (chosen === undefined) throw error;
    return work(chosen);
  }
}

const NOT_FOUND: readonly string[] = ['registration_unknown', 'registration_ambiguous'];

/** Takes another registration into use. Sends nothing. */
export async function use(context: Context, id: string | undefined): Promise<Outcome> {
  const opened = await openAgent(context);
  // An id implies its service; only --service narrows the choice.
  const service = namedService(context, undefined, { environment: false });
  try {
    const chosen = id ?? (await chooseRegistration(context, opened, ''));
    const outcome = await orChosen(context, opened, chosen, (registrationId = '') =>
      opened.agent.use({ registrationId, service }),
    );
    return context.output.result(presentInUse(context, outcome));
  } catch (error) {
    if (!(error instanceof AgentError) || !NOT_FOUND.includes(error.code)) throw error;
    const explained =
      id === undefined
        ? usageError('Name a registration.', { code: 'answer_missing' })
        : explain(error, context);
    throw await withList(context, opened, explained);
  }
}

/** The error with every registration that there is. */
async function withList(
  context: Context,
  { agent }: OpenAgent,
  error: CliError,
): Promise<CliError> {
  const known = knownRegistrations(await agent.status());
  const list = ['Registrations here:', ...known.map(({ line }) => line)].join('\n  ');
  return error.with({
    hint: context.output.json ? (error.hint ?? 'Choose one of registrations.') : list,
    next: nextLine(context, 'use', 'REGISTRATION'),
    details: { ...error.details, registrations: known.map(({ json }) => json) },
  });
}

/** Presents the registration that is in use now. */
function presentInUse(context: Context, outcome: UseOutcome): Rendering {
  const { service, registration, previous } = outcome;
  const next =
    registration.assertion === null && registration.token === null
      ? nextLine(context, 'claim')
      : nextLine(context, 'call', '/PATH');
  return {
    schema: 'use',
    json: () => ({
      status: 'in_use',
      service,
      registration: registrationJson(context, registration),
      previous: previousJson(context, previous),
      next,
    }),
    human: (style) =>
      [
        `${style.green('✓')} ${registration.id} (${kindOf(registration)}) is in use now at ${style.bold(service.name ?? service.issuer)}${insteadOf(previous)}.`,
        ...backText(context, style, previous),
        nextText(style, next),
      ].join('\n'),
  };
}
