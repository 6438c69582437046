import { AgentError } from '../../agent/agent-error.ts';
import type { IdentityType } from '../../protocol/constants.ts';
import { askForEmail, type ChosenType, chooseType } from '../prompts/ask-user.ts';
import type { OpenAgent } from '../prompts/open-agent.ts';
import { absoluteUrl } from '../prompts/service.ts';
import { missingAnswer, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { typedAgain } from '../shell/next-line.ts';
import { isSource } from '../shell/read-argument.ts';
import type { RegisterOptions } from './options.ts';

/** What to register with, once the options are understood. */
export type Plan =
  | { readonly type: 'anonymous' }
  | { readonly type: 'service_auth'; readonly loginHint: string }
  | { readonly type: 'identity_assertion'; readonly source: string }
  | { readonly type: 'identity_assertion'; readonly provider: string };

export async function choosePlan(context: Context, options: RegisterOptions): Promise<Plan> {
  const { email, assertion, provider } = options;
  const given = Object.entries({ email, assertion, provider }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`],
  );
  if (given.length > 1) throw usageError(`${given.join(' and ')} cannot be combined.`);
  const type = options.type ?? lightestType(options);
  const fitting = {
    anonymous: [],
    service_auth: ['--email'],
    identity_assertion: ['--assertion', '--provider'],
  }[type];
  const [wrong] = given.filter((flag) => !fitting.some((each) => each === flag));
  if (wrong !== undefined) throw usageError(`${wrong} cannot be used with --type ${type}.`);

  if (type === 'anonymous') return { type };
  if (type === 'service_auth') return { type, loginHint: email ?? (await askForEmail(context)) };
  if (assertion !== undefined) {
    // A secret in the arguments is seen by every process and kept by the shell: not even echoed here.
    if (!isSource(assertion)) {
      throw usageError('--assertion takes @FILE or -, never the assertion itself.', {
        code: 'secret_in_arguments',
        hint: 'Put it in a file, or pipe it in. If it was real, treat it as compromised.',
      });
    }
    return { type, source: assertion };
  }
  if (provider === undefined) {
    const next = typedAgain(context, '--provider', 'URL');
    throw missingAnswer('Where the ID-JAG comes from', '--provider URL or --assertion @FILE', next);
  }
  return { type, provider: absoluteUrl(provider, 'The provider URL', context.options) };
}

function lightestType(options: RegisterOptions): IdentityType {
  if (options.assertion !== undefined || options.provider !== undefined)
    return 'identity_assertion';
  return options.email === undefined ? 'anonymous' : 'service_auth';
}

/** The type to use where anonymous, the default, is not offered. @throws `error` where there is no choice. */
export async function typeInstead(
  context: Context,
  { agent, store }: OpenAgent,
  serviceUrl: string,
  { type, email, assertion, provider }: RegisterOptions,
  error: unknown,
): Promise<ChosenType> {
  const given = type ?? email ?? assertion ?? provider;
  const isOpen = error instanceof AgentError && error.code === 'type_not_supported';
  if (given !== undefined || !isOpen) throw error;
  const { service } = await agent.discover(
    { address: serviceUrl },
    { signal: context.interrupt.signal },
  );
  if (service.identityTypes.length < 2) throw error;
  return chooseType(context, store, service.identityTypes);
}
