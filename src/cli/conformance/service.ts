import { statSync } from 'node:fs';
import type { TestKey } from '../../conformance/jwt/forge.ts';
import { readKey } from '../../conformance/jwt/read-key.ts';
import { SERVICE_CORE } from '../../conformance/service/core.ts';
import { type JudgeServiceOptions, judgeService } from '../../conformance/service/judge-service.ts';
import { startMockTarget } from '../../conformance/service/mock-target.ts';
import { SERVICE_SCENARIOS } from '../../conformance/service/scenarios/index.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import { absoluteUrl, namedService } from '../prompts/service.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { commandLine } from '../shell/next.ts';
import { readNamedFile, unreadable } from '../shell/read-named-file.ts';
import { readCrossApp } from './cross-app-options.ts';
import type { ServiceOptions } from './options.ts';
import { jwtCommand } from './spawn-command.ts';
import { conformanceTarget, type JudgedRole } from './target.ts';

/** What it alone is judged with. */
type Own = Pick<
  JudgeServiceOptions,
  'crossApp' | 'resource' | 'writes' | 'namingMembers' | 'provider' | 'providers' | 'mintCommand'
>;

/** How long `--mint-command` may take: the user may have to consent at the provider. Milliseconds. */
const MINT_TIMEOUT = 60_000;

const SERVICE_ROLE: JudgedRole<ServiceOptions, Own> = {
  role: 'service',
  scenarios: SERVICE_SCENARIOS,
  core: SERVICE_CORE,
  reaching: [
    'control',
    'providerIssuer',
    'providerKey',
    'providerPort',
    'mintCommand',
    'rerun',
    'clientId',
    'clientSecret',
    'clientDocument',
    'subject',
  ],
  namedTarget: namedService,
  startMock: async (context, options) => {
    const { clock, random } = context.world;
    const mock = await startMockTarget({ clock, random, fetch: await context.fetch() });
    const { reading } = options;
    const own = {
      ...{ ...offered(options), providers: mock.providers, provider: { trusted: true } },
      crossApp: { ...mock.crossApp, reading },
    };
    return { ...mock, own };
  },
  read: async (context, options, target) => {
    const { mintCommand, providerIssuer, providerKey, providerPort } = options;
    return {
      ...offered(options),
      crossApp: await readCrossApp(context, options),
      provider: {
        ...(providerPort !== undefined && { port: providerPort }),
        ...(providerIssuer !== undefined && {
          issuer: withoutFinalSlash(absoluteUrl(providerIssuer, 'The URL of --provider-issuer')),
        }),
        ...(providerKey !== undefined && {
          key: await readProviderKey(providerKey, context.interrupt.signal),
        }),
        // Whoever fixes the URL of the suite's provider has configured the service to trust it.
        trusted: providerIssuer !== undefined || providerPort !== undefined,
      },
      ...(mintCommand !== undefined && {
        mintCommand: jwtCommand(context, '--mint-command', mintCommand, MINT_TIMEOUT, {
          schema: 'agent-auth.mint-command/1',
          service: target,
        }),
      }),
    };
  },
  judge: (run, user) => judgeService({ ...run, ...(user && { makeUser: () => user }) }),
};

function offered({ namingMember, resource: resources, writeRequest }: ServiceOptions) {
  const [resource] = resources ?? [];
  return {
    ...(resource !== undefined && { resource }),
    ...(writeRequest !== undefined && { writes: writeRequest }),
    ...(namingMember !== undefined && { namingMembers: namingMember }),
  };
}

export function conformanceService(
  context: Context,
  url: string | undefined,
  options: ServiceOptions,
): Promise<Outcome> {
  return conformanceTarget(context, SERVICE_ROLE, url, options);
}

/** Windows has no such modes. */
const hasModes = process.getuid !== undefined;

/** The file of `--provider-key`. @throws CliError (usage) when it is no key, or others can read it. */
async function readProviderKey(path: string, signal: AbortSignal): Promise<TestKey> {
  try {
    // A pipe has no mode that protects it.
    const about = statSync(path);
    if (hasModes && about.isFile() && (about.mode & 0o077) !== 0) {
      throw usageError(`The file ${path} of --provider-key is readable by others.`, {
        code: 'file_open_to_others',
        next: commandLine('chmod', '600', path),
      });
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw unreadable(path, error);
    throw error;
  }
  const text = (await readNamedFile(path, signal)).toString('utf8');
  try {
    return readKey(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw usageError(`The file ${path} of --provider-key cannot be used: ${why}.`, {
      code: 'bad_key',
    });
  }
}
