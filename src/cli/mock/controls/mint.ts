import type { JsonObject } from '../../../protocol/json.ts';
import { usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import { RuntimeFiles } from '../../shell/runtime-files.ts';
import type { MintOptions } from '../control-options.ts';
import { type ControlTarget, callControl, findMock } from './control.ts';

/** Mints an ID-JAG at the running mock provider as it is asked, without a sign-in. */
export async function mockMint(context: Context, options: MintOptions): Promise<Outcome> {
  const { clientId, email, omit, resource, scope } = options;
  const claims = readMembers(options.claim, '--claim');
  const header = readMembers(options.header, '--header');
  const target = await findMock(context, 'provider');
  const body = await callControl<Minted>(context, target, '/mint', {
    // What is not given is not sent: JSON has no undefined.
    ...{ email, scope, claims, header, omit, client_id: clientId, resources: resource },
    audience: options.audience ?? besideIt(context, target),
  });
  const { id_jag } = body;
  return context.output.result({
    schema: 'mockMint',
    json: () => ({ provider: target.issuer, id_jag, header: body.header, claims: body.claims }),
    // Alone, so that a shell can take it: `$(agent-auth mock mint …)`.
    human: () => id_jag,
  });
}

/** The service that runs in the same process. */
function besideIt({ world }: Context, { pid }: ControlTarget): string {
  const running = new RuntimeFiles(world.environment).list();
  const service = running.find((mock) => mock.pid === pid)?.service;
  if (typeof service === 'string') return service;
  throw usageError(
    'Name the service that it is for with --audience: none runs beside the provider.',
  );
}

/** @throws CliError (usage) for what is no `NAME=JSON`. */
function readMembers(given: readonly string[] | undefined, flag: string): JsonObject | undefined {
  if (given === undefined) return undefined;
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      const [name, json] = [text.slice(0, at), text.slice(at + 1)];
      try {
        if (at > 0) return [name, JSON.parse(json)];
      } catch {
        // Said below.
      }
      throw usageError(`${flag} takes NAME=JSON, for example ${flag} exp=1700000000.`, {
        hint: at > 0 ? `Text is quoted: ${flag} '${name}="…"'.` : 'The name comes first.',
      });
    }),
  );
}

interface Minted {
  readonly id_jag: string;
  readonly header: JsonObject;
  readonly claims: JsonObject;
}
