import { LEVELS, SECTIONS } from '../../conformance/engine/model.ts';
import { plainText } from '../../conformance/engine/plain-text.ts';
import { checkIds } from '../../conformance/engine/scenario.ts';
import { isNamedBy } from '../../conformance/engine/selection.ts';
import { READINGS } from '../../conformance/service/cross-app/given.ts';
import { SERVICE_SCENARIOS } from '../../conformance/service/scenarios/index.ts';
import { didYouMean } from '../../runtime/index.ts';
import { type OptionNames, refuseOptions } from '../refuse-options.ts';
import type { JudgeOptions } from './judged-app.ts';
import { NO_APPLICATION } from './serve-app.ts';

export const JUDGE_OPTIONS: OptionNames<JudgeOptions> = {
  ...{ baseline: true, control: true, level: true, only: true, patience: true, providerPort: true },
  ...{ resource: true, safe: true, section: true, seed: true, skip: true, timeout: true },
  ...{ clientDocument: true, clients: true, reading: true, subject: true },
};

/** @throws TypeError for what cannot be a service. */
export function refuseNone(service: unknown): void {
  if (typeof service === 'string' && !/^https?:$/.test(protocolOf(service))) {
    throw new TypeError(`${plainText(service)} is no URL of a service: it begins with http.`);
  }
  const isSomething = typeof service === 'object' && service !== null;
  if (isSomething || typeof service === 'string' || typeof service === 'function') return;
  throw new TypeError(NO_APPLICATION);
}

function protocolOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : '';
}

/** @throws TypeError for a name that there is not: a run without checks would pass; for what is no time. */
export function refuseUnknown(options: JudgeOptions): void {
  refuseOptions(options, JUDGE_OPTIONS);
  const { level, only = [], patience = 0, section, skip = [], timeout = 1 } = options;
  for (const [name, ms] of Object.entries({ patience, timeout })) {
    if (typeof ms === 'number' && ms >= 0) continue;
    throw new TypeError(`${name} is a number of milliseconds, not ${ms}.`);
  }
  const { clientDocument = false, clients = [], safe = false, subject = '' } = options;
  const { control, providerPort = 0, resource = '', seed = 0 } = options;
  refuseUnless(
    'providerPort',
    Number.isInteger(providerPort) && providerPort >= 0 && providerPort < 65_536,
    'a port',
    providerPort,
  );
  refuseUnless('seed', Number.isSafeInteger(seed), 'a whole number', seed);
  const areTexts = [resource].flat().every((each) => typeof each === 'string');
  refuseUnless('resource', areTexts, 'a URL or a path, or a list of them', resource);
  for (const [name, flag] of Object.entries({ clientDocument, safe })) {
    refuseUnless(name, typeof flag === 'boolean', 'true or false', flag);
  }
  refuseUnless('subject', typeof subject === 'string', 'a text', subject);
  // What is wrong is not shown: it may be a secret.
  if (!Array.isArray(clients) || clients.length > 2 || !clients.every(isClient)) {
    throw new TypeError(
      'clients is a list of one or two: { id, secret }, without secret if public.',
    );
  }
  const isControl = typeof control?.url === 'string' && typeof control.token === 'string';
  refuseUnless(
    'control',
    control === undefined || isControl,
    'an object with url and token',
    typeof control,
  );
  for (const [name, list] of Object.entries({ only, skip })) {
    refuseUnless(name, Array.isArray(list), 'a list of names', list);
  }
  refuse('reading', options.reading, READINGS);
  refuse('section', section, SECTIONS);
  refuse('level', level, LEVELS);
  const checks = SERVICE_SCENARIOS.flatMap((each) =>
    checkIds(each).map((id) => ({ id, scenario: each.id })),
  );
  for (const pattern of [...only, ...skip]) {
    if (checks.some(({ id, scenario }) => isNamedBy(pattern, id, scenario))) continue;
    const names = checks.flatMap(({ id, scenario }) => [scenario, id]);
    throw new TypeError(
      `${pattern} is no scenario and no check of a service.${didYouMean(pattern, names)} agent-auth conformance list --role service lists them.`,
    );
  }
}

function isClient(given: unknown): boolean {
  const { id, secret = '' } = Object(given) as Readonly<Record<string, unknown>>;
  return typeof id === 'string' && typeof secret === 'string';
}

function refuse(option: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  throw new TypeError(`There is no ${option} "${value}". There are ${known.join(', ')}.`);
}

function refuseUnless(option: string, isRight: boolean, wanted: string, given: unknown): void {
  if (isRight) return;
  throw new TypeError(`${option} is ${wanted}, not ${JSON.stringify(given)}.`);
}
