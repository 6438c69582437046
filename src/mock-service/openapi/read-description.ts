import { displayText, type JsonObject } from '../../protocol/index.ts';
import { type ResourceOptions, readResource, resourceKey } from '../config/resource.ts';
import type { OpenapiResources } from './openapi-resources.ts';
import { type Operation, operationsOf } from './operations.ts';
import { parseDocument } from './parse-document.ts';
import { localReferences, NotTaken } from './references.ts';
import { Remarks } from './remarks.ts';

const MOST_OPERATIONS = 2_000;
/** Characters of all bodies together. */
const LARGEST_BODIES = 32 * 1024 * 1024;

/** What `resourcesFromOpenapi` promises. */
export function readDescription(text: string): OpenapiResources {
  const root = parse(text);
  const resolve = localReferences(root);
  const remarks = new Remarks();
  const taken = new Map<string, ResourceOptions>();
  let left = LARGEST_BODIES;
  let count = 0;
  const take = ({ read }: Operation): string | undefined => {
    const { remark, ...given } = read();
    const resource = readResource(given);
    if (typeof resource === 'string') throw new NotTaken(resource);
    const key = resourceKey(resource);
    if (taken.has(key)) throw new NotTaken('another operation answers the same calls');
    left -= resource.body?.text.length ?? 0;
    if (left < 0) throw new NotTaken('the examples together are larger than 32 MiB');
    taken.set(key, given);
    return remark;
  };
  for (const operation of operationsOf(root, resolve)) {
    count += 1;
    if (count > MOST_OPERATIONS) throw wrong(`it has more than ${MOST_OPERATIONS} operations`);
    try {
      const remark = take(operation);
      if (remark !== undefined) remarks.add(operation.name, remark);
    } catch (error) {
      if (!(error instanceof NotTaken)) throw error;
      remarks.add(operation.name, `left out (${error.message})`);
    }
  }
  const resources = [...taken.values()];
  if (resources.every(({ open }) => open === true)) {
    const [why] = remarks.sentences();
    throw wrong(
      `it has no operation to protect${why === undefined ? '' : `: ${why.slice(0, -1)}`}`,
    );
  }
  return { resources, remarks: remarks.sentences() };
}

function parse(text: string): JsonObject {
  let root: JsonObject;
  try {
    root = parseDocument(text);
  } catch (error) {
    throw error instanceof TypeError ? wrong(error.message) : error;
  }
  const { openapi, swagger } = root;
  if (swagger !== undefined) throw wrong('it is Swagger 2.0, and only OpenAPI 3 can be read');
  if (typeof openapi !== 'string' || !/^3\.\d/.test(openapi)) {
    throw wrong('it has no member openapi with a version such as 3.1.0');
  }
  return root;
}

function wrong(why: string): TypeError {
  return new TypeError(`The OpenAPI description cannot be used: ${displayText(why)}.`);
}
