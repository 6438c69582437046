import { isJsonObject, type JsonObject } from '../../protocol/index.ts';
import { RESOURCE_METHODS, type ResourceOptions } from '../config/resource.ts';
import { NotTaken, type Resolve } from './references.ts';
import { accessOf } from './security.ts';
import { serverPath } from './server-path.ts';
import { successAnswer } from './success-answer.ts';

/** An operation of a description, not looked into yet. */
export interface Operation {
  /** `GET /v1/orders`, as the description writes it. */
  readonly name: string;
  /** @throws NotTaken when it is not for this mock. */
  read(): ResourceOptions & { readonly remark: string | undefined };
}

/** Members of a path item that are operations and that no resource answers. */
const UNANSWERED = ['options', 'trace', 'query'];

/** Every operation that the description lists, in its order. */
export function* operationsOf(root: JsonObject, resolve: Resolve): Iterable<Operation> {
  const paths = isJsonObject(root['paths']) ? root['paths'] : {};
  for (const [path, given] of Object.entries(paths)) {
    if (!path.startsWith('/')) continue;
    const name = (method: string) => `${method.toUpperCase()} ${path}`;
    let item: unknown;
    try {
      item = resolve(given);
    } catch (error) {
      yield { name: path, read: () => refuse(error) };
      continue;
    }
    if (!isJsonObject(item)) {
      yield { name: path, read: () => refuse(new NotTaken('no object')) };
      continue;
    }
    for (const method of RESOURCE_METHODS) {
      const operation = item[method.toLowerCase()];
      if (operation === undefined) continue;
      yield {
        name: name(method),
        read: () =>
          isJsonObject(operation)
            ? readOperation({ method, path, item, operation, root, resolve })
            : refuse(new NotTaken('no object')),
      };
    }
    const more = isJsonObject(item['additionalOperations']) ? item['additionalOperations'] : {};
    const unanswered = [
      ...UNANSWERED.filter((each) => isJsonObject(item[each])),
      ...Object.keys(more),
    ];
    for (const method of unanswered) {
      yield {
        name: name(method),
        read: () => refuse(new NotTaken('a method that the mock does not answer')),
      };
    }
    if (isJsonObject(item['head']) && !isJsonObject(item['get'])) {
      yield {
        name: name('head'),
        read: () => refuse(new NotTaken('HEAD is answered where GET is')),
      };
    }
  }
}

interface Found {
  readonly method: (typeof RESOURCE_METHODS)[number];
  readonly path: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
  readonly root: JsonObject;
  readonly resolve: Resolve;
}

function readOperation({ item, method, operation, path, resolve, root }: Found) {
  const access = accessOf(operation, root, resolve);
  const { remark, ...answer } = successAnswer(operation, resolve);
  return {
    path: serverPath(operation, item, root) + path,
    method,
    ...(access.open && { open: true }),
    ...(access.scope !== '' && { scope: access.scope }),
    ...answer,
    remark: [access.remark, remark].filter((each) => each !== undefined).join(' and ') || undefined,
  };
}

function refuse(error: unknown): never {
  throw error;
}
