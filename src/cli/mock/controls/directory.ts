import type { DirectoryMethod, DirectoryService } from '../../../mock-service/config/directory.ts';
import { CATALOG_ROOT } from '../../../mock-service/config/paths.ts';
import { directoryService, serviceUrlProblem } from '../../../mock-service/directory/entries.ts';
import type { DirectoryServices } from '../../../protocol/schemas/directory.ts';
import { displayText } from '../../../protocol/text.ts';
import { usageError } from '../../shell/cli-error.ts';
import type { Rendering } from '../../shell/output.ts';
import { table } from '../../terminal/table.ts';
import { type OrNull, orNull } from '../or-null.ts';
import { control, listed } from './control.ts';

type ListedService = DirectoryServices[number];

/** What is given of a service on the command line; the word `null` is a value. */
interface DirectoryChange {
  readonly id?: OrNull<number>;
  readonly name?: string;
  readonly url?: string;
  readonly method?: readonly DirectoryMethod[];
  /** `false` with `--no-methods`. */
  readonly methods?: boolean;
}

/** What the directory of the running mock service lists now. */
export const mockDirectory = control(
  'service',
  () => ['/directory'],
  (service, { services }: { readonly services: DirectoryServices }) => ({
    schema: 'mockDirectory',
    wraps: true,
    json: () => ({ service, services }),
    human: (style, columns) =>
      services.length === 0
        ? `The service at ${service} lists no services.`
        : listed(
            style,
            columns,
            ['id', 'service', 'methods', 'url'],
            services.map(({ methods, service_id, service_name, service_url }) => [
              shown(service_id),
              shown(service_name),
              shown(methods?.length ?? null),
              shown(service_url),
            ]),
          ),
  }),
);

/** Adds a service; without `--url` it is below `/v2`, under its name. */
export const addToDirectory = control(
  'service',
  (name: string, change: DirectoryChange) => {
    if (name === 'null' && orNull(change.id ?? 'null') === null) {
      throw usageError('A service that has neither a name nor an id cannot be removed.', {
        hint: 'Give a name, or null with --id.',
      });
    }
    const url = change.url ?? pathOf(name);
    return ['/directory/add', { ...checked({ ...change, name, ...(url && { url }) }) }];
  },
  presentChange('lists'),
);

/** Changes the members of a service that are given. */
export const setInDirectory = control(
  'service',
  (service: string, change: DirectoryChange) => {
    const changes = checked(change);
    if (Object.keys(changes).length === 0) {
      throw usageError('Nothing is given to change.', {
        hint: 'Use --id, --name, --url, --method or --no-methods.',
      });
    }
    return ['/directory/set', { ...changes, service: keyOf(service) }];
  },
  presentChange('lists'),
);

export const removeFromDirectory = control(
  'service',
  (service: string) => ['/directory/remove', { service: keyOf(service) }],
  presentChange('no longer lists'),
);

/** @throws CliError (usage) where the name is no part of a path. */
function pathOf(name: string): string | undefined {
  if (name === 'null') return undefined;
  const path = `${CATALOG_ROOT}/${name}`;
  if (serviceUrlProblem(path) === undefined) return path;
  throw usageError(`The name ${JSON.stringify(displayText(name, 100))} cannot be in a path.`, {
    hint: 'Give the path with --url, or --url null.',
  });
}

/** The members that are given. @throws CliError (usage) that names the option and its value. */
function checked({ id, method, methods, name, url }: DirectoryChange): DirectoryService {
  const service: DirectoryService = {
    ...(id !== undefined && { service_id: orNull(id) }),
    ...(name !== undefined && { service_name: orNull(name) }),
    ...(url !== undefined && { service_url: orNull(url) }),
    ...(methods === false && { methods: null }),
    ...(method && { methods: method }),
  };
  const result = directoryService.safeParse(service);
  const [issue] = result.error?.issues ?? [];
  if (issue === undefined) return service;
  const [member, at] = issue.path;
  const wrong = service.methods?.[Number(at)];
  const given =
    member === 'service_url'
      ? `--url ${JSON.stringify(service.service_url)}`
      : member === 'methods'
        ? `--method ${JSON.stringify(`${wrong?.method_id}=${wrong?.method_url}`)}`
        : `The name ${JSON.stringify(service.service_name)}`;
  throw usageError(`${displayText(given, 200)} is not possible: ${issue.message}.`);
}

/** Digits are an id. */
function keyOf(service: string): number | string {
  return /^\d+$/.test(service) && Number.isSafeInteger(Number(service)) ? Number(service) : service;
}

function presentChange(does: 'lists' | 'no longer lists') {
  return (issuer: string, service: ListedService): Rendering => {
    const { methods, service_id, service_name, service_url } = service;
    const rows = does === 'lists' ? (methods ?? []) : [];
    const which = `${shown(service_name)} (${shown(service_id)}) at ${shown(service_url)}`;
    return {
      schema: 'mockDirectoryService',
      wraps: true,
      json: () => ({ service: issuer, ...service }),
      human: (style) =>
        [
          `${style.green('✓')} The service at ${issuer} ${does} ${which}.`,
          ...(rows.length === 0
            ? []
            : [table(rows.map((row) => [`  ${shown(row.method_id)}`, shown(row.method_url)]))]),
        ].join('\n'),
    };
  };
}

function shown(value: string | number | null): string {
  return value === null ? 'null' : displayText(String(value), 200);
}
