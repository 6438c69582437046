import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv-8/dist/2020.js';
import addFormats from 'ajv-formats';
import { isJsonObject, type JsonObject } from '../../src/protocol/index.ts';

/** What went over the wire. */
export interface Traffic {
  /** `POST /oauth2/token?…`. */
  readonly request: string;
  readonly sent?: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface Documented {
  readonly method: string;
  readonly path: string;
  readonly matches: RegExp;
  readonly operation: JsonObject;
  readonly pointer: string;
}

const VALIDATOR = new Validator();
/** Knows what a schema may say. It is compiled once; a validator of one document compiles its own each time. */
const META = new Ajv2020({ strict: false });

/** What is wrong with an OpenAPI document, by the schema of OpenAPI 3.1; undefined: nothing. */
export async function documentProblem(document: JsonObject): Promise<unknown> {
  const { errors, valid } = await VALIDATOR.validate({ ...structuredClone(document) });
  return valid ? undefined : (errors ?? 'invalid');
}

/** An OpenAPI document that traffic is compared with. */
export class ApiDocument {
  readonly operations: readonly Documented[];
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  readonly #document: JsonObject;

  constructor(document: JsonObject) {
    this.#document = document;
    addFormats.default(this.#ajv);
    if (META.validateSchema(document) !== true) throw new Error(META.errorsText());
    this.#ajv.addSchema(document, 'document');
    this.operations = Object.entries(members(document, 'paths')).flatMap(([path, item]) =>
      Object.entries(item as JsonObject)
        .filter(([name]) => name !== 'parameters')
        .map(([name, operation]) => ({
          method: name.toUpperCase(),
          path,
          matches: new RegExp(
            `^${path
              .replaceAll(/[.$]/g, '\\$&')
              .replaceAll('{path}', '.+')
              .replaceAll(/\{[^}]+\}/g, '[^/]+')}$`,
          ),
          operation: operation as JsonObject,
          pointer: `/paths/${escaped(path)}/${name}`,
        })),
    );
  }

  /** The operation that a request is of: the one with the fewest variables. */
  find(method: string, pathname: string): Documented | undefined {
    const wanted = method === 'HEAD' ? 'GET' : method;
    return this.operations
      .filter((each) => each.method === wanted && each.matches.test(pathname))
      .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
  }

  /** In what an exchange differs from the document. Whatever is at no documented path is 404 or 405. */
  disagreements({ body, headers, request, sent, status }: Traffic): readonly string[] {
    const [method = '', target = ''] = request.split(' ');
    const found = this.find(method, target.split('?')[0] ?? '');
    const say = (text: string) => `${request} ${status}: ${text}`;
    if (found === undefined) {
      return [404, 405].includes(status) ? [] : [say('there is no such operation')];
    }
    const responses = members(found.operation, 'responses');
    // Said once for all operations, at the head of each document.
    if ([413, 415, 421, 503].includes(status)) return [];
    const given = responses[String(status)];
    if (given === undefined) return [say('the status is not documented')];
    const { pointer, response } = this.#resolved(given, `${found.pointer}/responses/${status}`);
    const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
    return [
      ...this.#headerProblems(headers, response),
      ...this.#bodyProblems(response, pointer, mediaType, body),
      ...(status < 400 ? this.#sentProblems(found, sent) : []),
    ].map(say);
  }

  /** Every example of the document, held against its schema. */
  exampleProblems(): readonly string[] {
    const problems: string[] = [];
    const walk = (value: unknown, pointer: string) => {
      if (!isJsonObject(value)) return;
      if (isJsonObject(value['examples']) && value['schema'] !== undefined) {
        for (const [name, example] of Object.entries(value['examples'])) {
          const wrong = this.#validate(`${pointer}/schema`, (example as JsonObject)['value']);
          if (wrong !== undefined) problems.push(`${pointer} ${name}: ${wrong}`);
        }
        return;
      }
      for (const [name, member] of Object.entries(value))
        walk(member, `${pointer}/${escaped(name)}`);
    };
    walk(this.#document, '');
    return problems;
  }

  #resolved(given: unknown, pointer: string): { response: JsonObject; pointer: string } {
    const response = given as JsonObject;
    const ref = response['$ref'];
    if (typeof ref !== 'string') return { response, pointer };
    const name = ref.split('/').at(-1) ?? '';
    const shared = members(members(this.#document, 'components'), 'responses');
    return { response: shared[name] as JsonObject, pointer: `/components/responses/${name}` };
  }

  #headerProblems(headers: Traffic['headers'], response: JsonObject): readonly string[] {
    const told = new Set(
      Object.keys(members(response, 'headers')).map((each) => each.toLowerCase()),
    );
    const telling = ['www-authenticate', 'retry-after', 'location'];
    return telling
      .filter((name) => headers[name] !== undefined && !told.has(name))
      .map((name) => `the header ${name} is not documented`);
  }

  #bodyProblems(
    response: JsonObject,
    pointer: string,
    mediaType: string,
    body: unknown,
  ): readonly string[] {
    if (body === null || body === '') return [];
    const content = members(response, 'content');
    if (content[mediaType] === undefined) return [`${mediaType} is not documented`];
    // The body of a page, or of a document that was too long to be written down.
    if (typeof body === 'string') return [];
    const wrong = this.#validate(`${pointer}/content/${escaped(mediaType)}/schema`, body);
    return wrong === undefined ? [] : [`the body: ${wrong}`];
  }

  #sentProblems({ operation, pointer }: Documented, sent: unknown): readonly string[] {
    if (!isJsonObject(sent)) return [];
    const content = Object.keys(members(members(operation, 'requestBody'), 'content'));
    const wrong = content.map((type) =>
      this.#validate(`${pointer}/requestBody/content/${escaped(type)}/schema`, sent),
    );
    return wrong.length === 0 || wrong.includes(undefined)
      ? []
      : [`the request: ${wrong.join(' | ')}`];
  }

  #validate(pointer: string, value: unknown): string | undefined {
    const validate = this.#ajv.getSchema(`document#${encodeURI(pointer)}`);
    if (validate === undefined) throw new Error(`There is no schema at ${pointer}.`);
    if (META.validateSchema(validate.schema) !== true) {
      throw new Error(`${pointer} is no schema: ${META.errorsText()}`);
    }
    return validate(value) === true ? undefined : this.#ajv.errorsText(validate.errors);
  }
}

function members(value: JsonObject, name: string): JsonObject {
  const member = value[name];
  return isJsonObject(member) ? member : {};
}

function escaped(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1');
}
