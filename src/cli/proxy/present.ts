import { displayText } from '../../protocol/text.ts';
import type { LogFields } from '../../runtime/ports.ts';
import type { Finding } from '../../traffic/index.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { ALICE, presentReady } from '../shell/ready.ts';
import { table } from '../terminal/table.ts';
import { isoTime } from '../terminal/time.ts';
import { findingLine, type Told } from './tell-exchanges.ts';

interface ReadyProxy {
  /** Where agents find the service. */
  readonly service: string;
  readonly to: string;
  /** Where agents find the provider. */
  readonly provider: string | undefined;
  readonly providerTo: string | undefined;
  /** Opens the live view once: whoever has it is let in. */
  readonly live: string | undefined;
  readonly remarks: readonly string[];
}

export function presentReadyProxy(typed: Context, ready: ReadyProxy): Rendering {
  const { live, provider, providerTo, remarks, service, to } = ready;
  // What was typed here is for the way to the service: the agent's own is plain and on this machine.
  const { ca: _ca, service: _service, ...options } = typed.options;
  const context: Context = { ...typed, argv: [], options };
  const steps = [
    nextLine(context, 'connect', service),
    nextLine(context, 'connect', service, '--claim', '--email', ALICE),
    ...(provider === undefined
      ? []
      : [nextLine(context, 'connect', service, '--provider', provider)]),
  ];
  const { members, shown } = presentReady({
    places: (style) => [
      ['service', `${style.bold(service)}  ${style.dim('→')}  ${to}`],
      ['provider', provider && `${style.bold(provider)}  ${style.dim('→')}  ${providerTo}`],
    ],
    ...{ live, remarks, steps },
  });
  const places = { service, to, provider: provider ?? null, provider_to: providerTo ?? null };
  return {
    schema: 'proxyReady',
    ...shown,
    json: () => ({ event: 'ready', ...places, ...members }),
  };
}

/** A further origin, which the metadata leads to. */
export function presentOrigin(local: string, real: string): Rendering {
  return {
    schema: 'proxyOrigin',
    json: () => ({ event: 'origin', local, to: real }),
    human: (style) =>
      `${style.cyan('i')} Also in front of ${displayText(real, 200)}, which the metadata names: ${local}`,
  };
}

export function presentEvent(at: number, event: string, fields: LogFields): Rendering {
  return {
    schema: 'proxyEvent',
    json: () => ({ event, at: isoTime(at), fields }),
    human: (style) => {
      const texts = Object.entries(fields).map(
        ([name, value]) => `${name}=${displayText(String(value), 200)}`,
      );
      return `${style.yellow('!')} ${event}  ${texts.join(' ')}`;
    },
  };
}

export function presentSummary(
  { count, findings, mistakes, registrations }: Told,
  transcript: string | undefined,
  failed: boolean,
): Rendering {
  return {
    schema: 'proxySummary',
    json: () => ({
      event: 'summary',
      exchanges: count,
      findings,
      mistakes: mistakes.map(({ also, by, level, message, requirement, seq, times }) => ({
        ...{ requirement, also, level, by, message, seq, times },
      })),
      registrations: [...registrations].map(([id, state]) => ({ registration_id: id, state })),
      transcript: transcript ?? null,
      failed,
    }),
    human: (style) => {
      return [
        '',
        style.bold('Summary'),
        ...(registrations.size === 0
          ? []
          : [table([...registrations].map(([id, state]) => [`  ${displayText(id, 80)}`, state]))]),
        `  Exchanges: ${count}.${brokenText(mistakes)}`,
        ...mistakes.filter(({ times }) => times > 1).map((each) => findingLine(style, each)),
        ...(transcript === undefined
          ? []
          : [`  The transcript is in ${displayText(transcript, 300)}.`]),
      ].join('\n');
    },
  };
}

/** Says how many mistakes there are; each counts once. */
function brokenText(mistakes: Told['mistakes']): string {
  const of = (level: Finding['level']) => mistakes.filter((each) => each.level === level).length;
  const found =
    mistakes.length === 0
      ? 'none seen'
      : `MUST ${of('must')}, SHOULD ${of('should')}, MAY ${of('may')}`;
  return ` Requirements broken: ${found}.`;
}
