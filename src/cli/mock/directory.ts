import type { DirectoryMethod, DirectoryService } from '../../mock-service/config/directory.ts';
import { CATALOG_ROOT } from '../../mock-service/config/paths.ts';
import { directoryService, serviceUrlProblem } from '../../mock-service/directory/entries.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { type DirectoryServices, directoryServices } from '../../protocol/schemas/directory.ts';
import { displayText } from '../../protocol/text.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';
import { callControl } from './controls/call-control.ts';
import { findMock } from './controls/find-mocks.ts';
import { type OrNull, orNull } from './or-null.ts';

type ListedService = DirectoryServices[number];

/** What is given of a service on the command line; the word `null` is a value. */
export interface DirectoryChange {
  readonly id?: OrNull<number>;
  readonly name?: string;
  readonly url?: string;
  readonly method?: readonly DirectoryMethod[];
  /** `false` with `--no-methods`. */
  readonly methods?: boolean;
}

/** What the directory of the running mock service lists now. */
export async function mockDirectory(context: Context): Promise<Outcome> {
  const target = await findMock(context, 'service');
  const body = await callControl(context, target, '/directory');
  const services = directoryServices.parse(body['services']);
  context.output.result(presentDirectory(target.issuer, services));
  return 'done';
}

/** Adds a service; without `--url` it is below `/v2`, under its name. */
export async function addToDirectory(
  context: Context,
  name: string,
  change: DirectoryChange,
): Promise<Outcome> {
  if (name === 'null' && orNull(change.id ?? 'null') === null) {
    throw usageError('A service that has neither a name nor an id cannot be removed.', {
      hint: 'Give a name, or null with --id.',
    });
  }
  const url = change.url ?? pathOf(name);
  const members = { ...change, name, ...(url && { url }) };
  return changeDirectory(context, 'add', { ...checked(membersOf(members)) }, 'lists');
}

/** @throws CliError (usage) where the name is no part of a path. */
function pathOf(name: string): string | undefined {
  if (name === 'null') return undefined;
  const path = `${CATALOG_ROOT}/${name}`;
  if (serviceUrlProblem(path) === undefined) return path;
  throw usageError(`The name ${JSON.stringify(displayText(name, 100))} cannot be in a path.`, {
    hint: 'Give the path with --url, or --url null.',
  });
}

/** Changes the members of a service that are given. */
export async function setInDirectory(
  context: Context,
  service: string,
  change: DirectoryChange,
): Promise<Outcome> {
  const changes = checked(membersOf(change));
  if (Object.keys(changes).length === 0) {
    throw usageError('Nothing is given to change.', {
      hint: 'Use --id, --name, --url, --method or --no-methods.',
    });
  }
  return changeDirectory(context, 'set', { ...changes, service: keyOf(service) }, 'lists');
}

export async function removeFromDirectory(context: Context, service: string): Promise<Outcome> {
  return changeDirectory(context, 'remove', { service: keyOf(service) }, 'no longer lists');
}

async function changeDirectory(
  context: Context,
  change: 'add' | 'set' | 'remove',
  body: JsonObject,
  does: string,
): Promise<Outcome> {
  const target = await findMock(context, 'service');
  const answer = await callControl(context, target, `/directory/${change}`, body);
  const [service] = directoryServices.parse([answer]);
  if (service !== undefined) context.output.result(presentService(target.issuer, service, does));
  return 'done';
}

function membersOf({ id, method, methods, name, url }: DirectoryChange): DirectoryService {
  return {
    ...(id !== undefined && { service_id: orNull(id) }),
    ...(name !== undefined && { service_name: orNull(name) }),
    ...(url !== undefined && { service_url: orNull(url) }),
    ...(methods === false && { methods: null }),
    ...(method && { methods: method }),
  };
}

/** @throws CliError (usage) that names the option and its value. */
function checked(service: DirectoryService): DirectoryService {
  const result = directoryService.safeParse(service);
  const [issue] = result.error?.issues ?? [];
  if (issue === undefined) return service;
  const [member, at] = issue.path;
  const method = service.methods?.[Number(at)];
  const given =
    member === 'service_url'
      ? `--url ${JSON.stringify(service.service_url)}`
      : member === 'methods'
        ? `--method ${JSON.stringify(`${method?.method_id}=${method?.method_url}`)}`
        : `The name ${JSON.stringify(service.service_name)}`;
  throw usageError(`${displayText(given, 200)} is not possible: ${issue.message}.`);
}

/** Digits are an id. */
function keyOf(service: string): number | string {
  return /^\d+$/.test(service) && Number.isSafeInteger(Number(service)) ? Number(service) : service;
}

function presentDirectory(issuer: string, services: DirectoryServices): Rendering {
  return {
    schema: 'mockDirectory',
    wraps: true,
    json: () => ({ service: issuer, services }),
    human: (style, columns) =>
      services.length === 0
        ? `The service at ${issuer} lists no services.`
        : table(
            [
              ['id', 'service', 'methods', 'url'].map((name) => style.bold(name)),
              ...services.map(({ methods, service_id, service_name, service_url }) => [
                shown(service_id),
                shown(service_name),
                shown(methods?.length ?? null),
                shown(service_url),
              ]),
            ],
            columns,
          ),
  };
}

function presentService(issuer: string, service: ListedService, does: string): Rendering {
  const { methods, service_id, service_name, service_url } = service;
  return {
    schema: 'mockDirectoryService',
    wraps: true,
    json: () => ({ service: issuer, ...service }),
    human: (style) =>
      [
        `${style.green('✓')} The service at ${issuer} ${does} ${shown(service_name)} (${shown(service_id)}) at ${shown(service_url)}.`,
        ...(methods === null || does !== 'lists'
          ? []
          : [
              table(
                methods.map((method) => [`  ${shown(method.method_id)}`, shown(method.method_url)]),
              ),
            ]),
      ].join('\n'),
  };
}

function shown(value: string | number | null): string {
  return value === null ? 'null' : displayText(String(value), 200);
}
