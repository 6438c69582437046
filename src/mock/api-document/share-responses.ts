import { isJsonObject, type JsonObject } from '../../protocol/index.ts';

type Paths = Readonly<Record<string, JsonObject>>;

interface Shared {
  readonly paths: Paths;
  /** What several operations answer, by its name. */
  readonly responses: JsonObject;
}

/** What a status is about, as the name of an answer that several operations give. */
const NAMES: Readonly<Record<string, string>> = {
  '200': 'Done',
  '303': 'Elsewhere',
  '400': 'Malformed',
  '401': 'Unauthenticated',
  '403': 'Forbidden',
  '404': 'NotFound',
  '409': 'Conflict',
  '410': 'Gone',
  '413': 'TooLarge',
  '415': 'WrongMediaType',
  '429': 'TooMany',
  '503': 'Unavailable',
};

/** Says once what several operations answer. */
export function shareResponses(paths: Paths): Shared {
  const seen = new Map<string, number>();
  eachResponse(paths, (_status, response) => {
    const text = JSON.stringify(response);
    seen.set(text, (seen.get(text) ?? 0) + 1);
    return response;
  });
  const names = new Map<string, string>();
  const responses: Record<string, JsonObject> = {};
  const shared = eachResponse(paths, (status, response) => {
    const text = JSON.stringify(response);
    if ('$ref' in response || (seen.get(text) ?? 0) < 2) return response;
    const name = names.get(text) ?? freeName(NAMES[status] ?? `Status${status}`, responses);
    names.set(text, name);
    responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  });
  return { paths: shared, responses };
}

function freeName(name: string, taken: JsonObject, count = 1): string {
  const candidate = count === 1 ? name : `${name}${count}`;
  return Object.hasOwn(taken, candidate) ? freeName(name, taken, count + 1) : candidate;
}

function eachResponse(
  paths: Paths,
  change: (status: string, response: JsonObject) => JsonObject,
): Paths {
  const mapped = (object: JsonObject, map: (value: JsonObject, name: string) => JsonObject) =>
    Object.fromEntries(
      Object.entries(object).map(
        ([name, value]) => [name, isJsonObject(value) ? map(value, name) : value] as const,
      ),
    );
  const operation = (given: JsonObject): JsonObject => {
    const { responses } = given;
    if (!isJsonObject(responses)) return given;
    return { ...given, responses: mapped(responses, (value, status) => change(status, value)) };
  };
  return mapped(paths, (item) => mapped(item, operation)) as Paths;
}
