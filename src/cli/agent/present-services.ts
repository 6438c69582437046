import { displayText } from '../../protocol/text.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';
import type { DirectoryListing } from './directory-listing.ts';

export function presentListing({ meta, services, url }: DirectoryListing): Rendering {
  return {
    schema: 'services',
    json: () => ({
      url,
      version: meta.version,
      requests: meta.requests,
      timestamp: meta.timestamp,
      services,
    }),
    human: (style) =>
      services.length === 0
        ? 'No service is listed.'
        : table([
            ['id', 'service', 'methods', 'address'].map((name) => style.bold(name)),
            ...services.map(({ methods, service_id, service_name, service_url }) => [
              text(service_id, 20),
              text(service_name, 40),
              text(methods?.length ?? null, 20),
              text(service_url, 200),
            ]),
          ]),
  };
}

/**
 * How many there are, and how to see each path.
 * @param named the service, when the person named it as an argument.
 */
export function describeListing(
  context: Context,
  { services }: DirectoryListing,
  named: string | undefined,
): string {
  const methods = services.reduce((sum, each) => sum + (each.methods?.length ?? 0), 0);
  const argument = named === undefined ? [] : [named];
  const next = nextLine(context, 'services', ...argument, '--format', 'json');
  return `\n${count(services.length, 'service')}, ${count(methods, 'method')}. Their paths: ${next.line}`;
}

function text(value: string | number | null, maxLength: number): string {
  return value === null ? '–' : displayText(String(value), maxLength);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
